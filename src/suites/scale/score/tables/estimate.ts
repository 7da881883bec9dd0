/** Numbers with their intervals, or with the reason why there is none. */
import { type Estimate, ends, noEstimate } from '../../../../numbers/estimate.ts';
import { percentileInterval, wilson } from '../../../../numbers/index.ts';
import type { Metric } from './metrics.ts';
import type { ColumnMeans } from './resample.ts';

export interface TestedEstimate extends Estimate {
  /** How the interval was made; null where there is none. */
  readonly method: 'wilson' | 'bootstrap' | null;
  /** Two-sided, of the number being 0; of a bootstrap alone. */
  readonly pValue: number | null;
}

/** The columns of an estimate; the value has a name of its own in some tables. */
export function estimateCells({ value, ci, method, reason }: TestedEstimate) {
  return { value, ...ends(ci, 'ci_low', 'ci_high'), ci_method: method, reason };
}

/** A number without an interval, or none. */
export function withoutInterval(value: number | null, n: number, reason: string): TestedEstimate {
  return { ...noEstimate(reason, n), value, method: null, pValue: null };
}

/**
 * A metric's value in a cell. Shares have Wilson's interval where each participant has one row, and as means the bootstrap by
 * participant where some have more: their rows are not independent.
 */
export async function estimateMetric(
  { kind, shown = (mean) => mean }: Pick<Metric, 'kind' | 'shown'>,
  { mean, n, sum, participants, resampled }: ColumnMeans,
  level: number,
): Promise<TestedEstimate> {
  if (mean === null) return withoutInterval(null, n, 'no row counts');
  if (kind === 'share' && participants === n) {
    const ci = wilson(sum, n, { level });
    return { value: mean, ci, n, reason: null, method: 'wilson', pValue: null };
  }
  const estimate = await estimateDraws(shown(mean), n, resampled?.map(shown) ?? null, level);
  const { ci } = estimate;
  if (ci === null || kind !== 'share') return estimate;
  return { ...estimate, ci: { low: withinShare(ci.low), high: withinShare(ci.high) } };
}

/** What rounding leaves of 0 in a mean of zeros and ones. */
const ROUNDING = 1e-14;

function withinShare(end: number): number {
  return end < ROUNDING ? 0 : end > 1 - ROUNDING ? 1 : end;
}

/** A number with the percentile interval of its draws; null for no draws. */
export async function estimateDraws(
  value: number,
  n: number,
  draws: Float64Array | null,
  level: number,
): Promise<TestedEstimate> {
  if (draws === null) return withoutInterval(value, n, 'a single participant; an interval needs at least 2');
  const { ci, pValue, reason } = await percentileInterval(draws, { level });
  if (ci === null) return withoutInterval(value, n, reason!);
  return { value, ci, n, reason: reason ?? null, method: 'bootstrap', pValue };
}
