/** The metrics that most suites have, made short. */

import type { Fields, RowIdentity } from './fields.ts';
import type { MeanMetric, MetricDefinition, MetricHead, ShareMetric } from './metric.ts';
import { UNIT } from './ranges.ts';

/** The mean over rows of one number a row, which has that range; a row of null takes no part. */
export function mean(
  name: string,
  label: string,
  range: NonNullable<MetricHead['range']>,
  of: (result: Fields, slices: RowIdentity['slices']) => number | null,
): MeanMetric {
  return {
    kind: 'mean',
    name,
    label,
    range,
    skippedSteps: 0,
    steps(result, slices) {
      const value = of(result, slices);
      return { values: value === null ? [] : [value] };
    },
  };
}

/** The same metric, for models of one tokenizer ({@link MetricDefinition}'s `tokenizerBound`). */
export function ofOneTokenizer<Metric extends MetricDefinition>(metric: Metric): Metric {
  return { ...metric, tokenizerBound: true };
}

/** The same metric with the value that it has for an unbiased model ({@link MetricDefinition}'s `unbiased`). */
export function unbiasedAt<Metric extends MetricDefinition>(unbiased: number, metric: Metric): Metric {
  return { ...metric, unbiased };
}

/** The share of rows that are hits, as per cent; a row of null is not counted. */
export function share(name: string, label: string, hit: ShareMetric['hit']): ShareMetric {
  return { kind: 'share', name, label, shown: 'percent', range: UNIT, hit };
}
