/** The difference of two shares over the same rows, or pairs of rows: Tango's interval and McNemar's test. */
import { mcnemar, tango } from '../../numbers/index.ts';
import type { Interval } from './value.ts';

/** The difference of two paired shares with its interval. */
export interface SharesDifference {
  /** That of the first less that of the second. */
  readonly mean: number;
  readonly ci: Interval;
  /** Two-sided, of no difference; null where the two differ nowhere. */
  readonly pValue: number | null;
  readonly reason?: string;
}

/** Of two columns of hits (1) and misses (0), at least one row long, whose rows are independent of each other. */
export function sharesDifference(a: Float64Array, b: Float64Array, level: number): SharesDifference {
  const onlyA = a.reduce((count, hit, at) => count + Number(hit > b[at]!), 0);
  const onlyB = a.reduce((count, hit, at) => count + Number(hit < b[at]!), 0);
  const { mean, low, high } = tango(onlyA, onlyB, a.length, { level });
  const { pValue, reason } = mcnemar(onlyA, onlyB);
  const ci = { method: 'tango', level, low, high };
  return { mean, ci, pValue: pValue ?? null, ...(reason ? { reason } : {}) };
}
