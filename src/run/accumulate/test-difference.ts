/** The mean difference of two columns over the same rows, or pairs of rows, with its test. */

import type { MetricHead } from '../../contract/index.ts';
import { mcnemar, pairedDifference, tango } from '../../numbers/index.ts';
import type { IntervalOptions } from './accumulator.ts';
import type { ClusterIds } from './clusters.ts';
import type { TestedEstimate } from './value.ts';

/** Two columns, at least one row long, and what belongs together. */
export interface Columns {
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly ids: ClusterIds;
  /** False where each row is its own cluster. */
  readonly clustered: boolean;
}

export interface TestedDifference extends TestedEstimate {
  /** The cluster-robust one of the mean, and its degrees of freedom; left out with Tango's interval, which needs neither. */
  readonly standardError?: number | null;
  readonly freedom?: number | null;
}

/** Hits (1) and misses (0) of independent rows by Tango's interval and McNemar's test, all else by the method that is asked for. */
export async function testDifference(
  { a, b, ids, clustered }: Columns,
  yesNo: boolean,
  range: MetricHead['range'],
  interval: IntervalOptions,
): Promise<TestedDifference> {
  const n = a.length;
  if (yesNo && !clustered) {
    const onlyA = a.reduce((count, hit, at) => count + Number(hit > b[at]!), 0);
    const onlyB = a.reduce((count, hit, at) => count + Number(hit < b[at]!), 0);
    const { level } = interval;
    const { mean, low, high } = tango(onlyA, onlyB, n, { level });
    const { pValue, reason = null } = mcnemar(onlyA, onlyB);
    return { value: mean, n, ci: { method: 'tango', level, low, high }, pValue, reason };
  }
  const options = { ...ids, ...(range ? { range } : {}), ...interval };
  const { mean, ci, pValue, standardError, freedom, reason = null } = await pairedDifference(a, b, options);
  return { value: mean, n, ci, pValue, reason, standardError, freedom };
}
