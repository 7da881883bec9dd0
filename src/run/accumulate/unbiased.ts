/** How far a number lies from the value that it has for an unbiased model, with the interval of that distance. */
import type { MadeInterval } from '../../numbers/estimate.ts';
import type { FromUnbiased } from './value.ts';

/** Nothing where the metric declares no such value, or there is no number. */
export function fromUnbiased(
  unbiased: number | undefined,
  number: number | null,
  ci: MadeInterval | null,
  pValue: number | null,
  test: Pick<FromUnbiased, 'nullHigh'> = {},
): { readonly unbiased?: FromUnbiased } {
  if (unbiased === undefined || number === null) return {};
  const ends = ci && [Math.abs(ci.low - unbiased), Math.abs(ci.high - unbiased)];
  return {
    unbiased: {
      value: unbiased,
      pValue,
      pHolm: null,
      pBH: null,
      ...test,
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
