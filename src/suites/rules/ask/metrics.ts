/** Accuracies over threads and pairs; a choice that could not be read is not right. */

import type { CompositeMetric, Fields, MetricDefinition } from '../../../contract/metric.ts';
import { share } from '../../../contract/metric.ts';
import { UNIT } from '../../../contract/ranges.ts';
import { THREAD_TYPES, type ThreadType } from '../index.ts';

/** The columns of a thread. */
function sideOf(result: Fields, type: ThreadType): Fields {
  return result[type] as Fields;
}

/** The share of threads, two a pair; a pair's threads have much in common, so pairs are what is drawn anew. */
function ofThreads(name: string, label: string, hit: (side: Fields) => boolean): CompositeMetric {
  return {
    kind: 'composite',
    name,
    label,
    shown: 'percent',
    range: UNIT,
    parts: (result) => [
      [THREAD_TYPES.filter((type) => hit(sideOf(result, type))).length, THREAD_TYPES.length],
    ],
    combine: ([ratio]) => ratio!,
  };
}

export const METRICS: readonly MetricDefinition[] = [
  ofThreads('accuracy', 'accuracy', ({ score }) => score === 1),
  ...THREAD_TYPES.map((type) =>
    share(type, `accuracy, ${type}`, (result) => sideOf(result, type).score === 1),
  ),
  ofThreads('unparsed', 'no choice read', ({ unparsed }) => unparsed !== null),
  ofThreads('truncated', 'answers cut before they ended', ({ truncated }) => truncated === true),
];
