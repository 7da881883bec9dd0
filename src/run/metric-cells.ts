/** A metric as cells of a CSV file: the same columns wherever a table lists metrics. */

import type { RunCounts } from '../contract/index.ts';
import { ends } from '../numbers/estimate.ts';
import type { Row } from '../report/index.ts';
import type { ClusterInfo } from './accumulate/index.ts';
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
  const { kind, value: estimate, coverage, ci, unbiased } = value;
  return {
    metric: name,
    kind,
    estimate,
    ...ends(ci, 'ciLow', 'ciHigh'),
    ciMethod: ci?.method ?? null,
    ciLevel: ci?.level ?? null,
    pValue: value.pValue === undefined ? (unbiased?.pValue ?? null) : value.pValue,
    pHolm: unbiased?.pHolm ?? null,
    pBH: unbiased?.pBH ?? null,
    unbiased: unbiased?.value ?? null,
    distance: unbiased?.distance ?? null,
    ...ends(unbiased?.ci, 'distanceLow', 'distanceHigh'),
    n: value.steps ?? value.n,
    gatedSteps: value.steps === undefined ? null : value.n,
    coverage,
    ...clusterCells(value.clusters),
    ...counts,
    reason: value.reason,
  };
}
