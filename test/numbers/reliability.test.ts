/** `cronbachAlpha` in JavaScript; its numbers are held against NumPy, SciPy and pingouin in crates/metrics/tests/reliability.rs too. */
import { expect, test } from 'vitest';
import { cronbachAlpha } from '../../src/numbers/index.ts';
import { fault } from '../fault.ts';

test('alpha, its interval and items are those of pingouin and SciPy', () => {
  // pingouin 0.7.0, cronbach_alpha, and scipy.stats.f.ppf 1.17.1 for the digits of the ends.
  const rows = [1, 5, 1, 5, 2, 3, 3, 2, 5, 3, 1, 4, 4, 2, 4, 3, 4, 4];
  const { alpha, ci, n, items, reason } = cronbachAlpha(Float64Array.from(rows), 3);
  expect(alpha).toBeCloseTo(-2.426_470_588_235_294, 10);
  expect(ci).toMatchObject({ method: 'feldt', level: 0.95 });
  expect(ci!.low).toBeCloseTo(-13.514_822_951_293_4, 8);
  expect(ci!.high).toBeCloseTo(0.482_340_127_353_149_6, 10);
  expect([n, items.length, reason]).toEqual([6, 3, undefined]);
  expect(items[1]!.restCorrelation).toBeCloseTo(-0.776_492_869_555_534, 10);
});

test('what has no alpha says why, and bad input is named', () => {
  expect(cronbachAlpha(new Float64Array(6).fill(3), 3)).toMatchObject({
    alpha: null,
    ci: null,
    reason: 'all rows have the same values, so that nothing varies',
  });
  for (const [call, code] of [
    [() => cronbachAlpha(new Float64Array(0), 3), 'empty_input'],
    [() => cronbachAlpha(new Float64Array(5), 3), 'length_mismatch'],
    [() => cronbachAlpha(Float64Array.of(1, Number.NaN), 2), 'not_finite'],
    [() => cronbachAlpha(new Float64Array(6), 1.5), 'bad_argument'],
    [() => cronbachAlpha(new Float64Array(6), 2, { level: 1 }), 'bad_argument'],
    [() => cronbachAlpha([1, 2] as never, 2), 'bad_argument'],
  ] as const) {
    expect(fault(call).code).toBe(code);
  }
});
