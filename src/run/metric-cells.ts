/** A metric as cells of a CSV file: the same columns wherever a table lists metrics. */

import type { RunCounts } from '../contract/index.ts';
import { ends } from '../numbers/index.ts';
import type { Row } from '../report/index.ts';
import { type ClusterInfo, figuresOf } from './accumulate/index.ts';
import type { AggregatedMetric } from './aggregate.ts';

export const METRIC_COLUMNS = [
  ...['metric', 'kind', 'estimate', 'ciLow', 'ciHigh', 'ciMethod', 'ciLevel', 'pValue'],
  ...['n', 'gatedSteps', 'coverage', 'clusteredBy', 'clusters', 'rows', 'ok', 'failed', 'skipped'],
  ...['pHolm', 'pBH', 'unbiased', 'distance', 'distanceLow', 'distanceHigh', 'reason'],
];

/** By what rows were clustered and how many clusters there are, two ways with a `+` between; empty where by row. */
export function clusterCells(clusters: ClusterInfo | undefined): Row {
  return {
    clusteredBy: clusters?.by.join('+') ?? null,
    clusters: clusters?.counts.join('+') ?? null,
  };
}

/** What was not measured is an empty cell. */
export function metricCells({ name, value }: AggregatedMetric, counts: RunCounts): Row {
  const { value: estimate, coverage } = figuresOf(value);
  const { ci } = value;
  return {
    metric: name,
    kind: value.kind,
    estimate,
    ...ends(ci, 'ciLow', 'ciHigh'),
    ciMethod: ci?.method ?? null,
    ciLevel: ci?.level ?? null,
    pValue: 'pValue' in value ? value.pValue : (value.unbiased?.pValue ?? null),
    pHolm: value.unbiased?.pHolm ?? null,
    pBH: value.unbiased?.pBH ?? null,
    unbiased: value.unbiased?.value ?? null,
    distance: value.unbiased?.distance ?? null,
    ...ends(value.unbiased?.ci, 'distanceLow', 'distanceHigh'),
    n: value.n,
    gatedSteps: value.kind === 'mean' ? value.gatedSteps : null,
    coverage,
    ...clusterCells('clusters' in value ? value.clusters : undefined),
    ...counts,
    reason: value.reason ?? null,
  };
}
