/** Numbers with their intervals, or with the reason why there is none. */
import { percentileInterval, wilson } from '../../../../numbers/index.ts';
import type { Metric } from './metrics.ts';
import type { ColumnMeans } from './resample.ts';

export interface Estimate {
  readonly value: number | null;
  readonly ci_low: number | null;
  readonly ci_high: number | null;
  /** How the interval was made; null where there is none. */
  readonly ci_method: 'wilson' | 'bootstrap' | null;
  /** Two-sided, of the number being 0; of a bootstrap alone. */
  readonly p_value: number | null;
  /** Why something is null. */
  readonly reason: string | null;
}

export const NO_ESTIMATE = {
  value: null,
  ci_low: null,
  ci_high: null,
  ci_method: null,
  p_value: null,
} as const;

/**
 * A metric's value in a cell. Shares have Wilson's interval where each participant has one row, and as means the bootstrap by
 * participant where some have more: their rows are not independent.
 */
export async function estimateMetric(
  { kind, shown = (mean) => mean }: Pick<Metric, 'kind' | 'shown'>,
  column: ColumnMeans,
  level: number,
): Promise<Estimate> {
  const { mean, n, sum, participants, resampled } = column;
  if (mean === null) return { ...NO_ESTIMATE, reason: 'no row counts' };
  if (kind === 'share' && participants === n) {
    const { low, high } = wilson(sum, n, { level });
    const ends = { ci_low: low, ci_high: high, ci_method: 'wilson' } as const;
    return { ...NO_ESTIMATE, value: mean, ...ends, reason: null };
  }
  const estimate = await estimateDraws(shown(mean), resampled?.map(shown) ?? null, level);
  const { ci_low, ci_high } = estimate;
  const inside = (end: number | null) => (end === null || kind !== 'share' ? end : withinShare(end));
  return { ...estimate, ci_low: inside(ci_low), ci_high: inside(ci_high), p_value: null };
}

/** What rounding leaves of 0 in a mean of zeros and ones. */
const ROUNDING = 1e-14;

function withinShare(end: number): number {
  return end < ROUNDING ? 0 : end > 1 - ROUNDING ? 1 : end;
}

/** A number with the percentile interval of its draws; null for no draws. */
export async function estimateDraws(
  value: number,
  draws: Float64Array | null,
  level: number,
): Promise<Estimate> {
  const without = { ...NO_ESTIMATE, value };
  if (draws === null) {
    return { ...without, reason: 'a single participant; an interval needs at least 2' };
  }
  const { ci, pValue, reason } = await percentileInterval(draws, { level });
  if (ci === null) return { ...without, reason: reason ?? null };
  const ends = { ci_low: ci.low, ci_high: ci.high, ci_method: 'bootstrap' } as const;
  return { value, ...ends, p_value: pValue, reason: reason ?? null };
}
