/** How far a number lies from the value that it has for an unbiased model, with the interval of that distance. */
import type { Adjusted } from '../adjust.ts';
import type { Interval } from './value.ts';

/** What is said of a number whose metric declares an unbiased value. */
export interface FromUnbiased extends Adjusted {
  /** The value of an unbiased model. */
  readonly value: number;
  /** Two-sided, of this value: below 1 - level exactly where the number's interval leaves it out. */
  readonly pValue: number | null;
  /** Adjusted for all such p-values of the run, those of slices included; null as long as they are not known. */
  readonly pHolm: number | null;
  readonly pBH: number | null;
  /** |number - value|, and what |x - value| can be for x within the number's interval. */
  readonly distance: number;
  readonly ci: Interval | null;
}

/** Nothing where the metric declares no such value, or there is no number. */
export function fromUnbiased(
  unbiased: number | undefined,
  number: number | null,
  ci: Interval | null | undefined,
  pValue: number | null | undefined,
): { readonly unbiased?: FromUnbiased } {
  if (unbiased === undefined || number === null) return {};
  const ends = ci && [Math.abs(ci.low - unbiased), Math.abs(ci.high - unbiased)];
  return {
    unbiased: {
      value: unbiased,
      pValue: pValue ?? null,
      pHolm: null,
      pBH: null,
      distance: Math.abs(number - unbiased),
      ci: ends
        ? {
            method: ci.method,
            level: ci.level,
            low: ci.low <= unbiased && unbiased <= ci.high ? 0 : Math.min(...ends),
            high: Math.max(...ends),
          }
        : null,
    },
  };
}
