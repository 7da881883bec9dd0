import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ABSENT,
  formatBytes,
  formatCount,
  formatDuration,
  formatInterval,
  formatMetric,
  formatNumber,
  formatOutOf,
  formatP,
  formatPercent,
  formatPoints,
  formatRate,
} from '../../src/report/index.ts';

describe('formatNumber', () => {
  const cases: [number | null | undefined, string][] = [
    [0.0123, '0.0123'],
    [0.012345, '0.0123'],
    [0.5, '0.500'],
    [9.996, '10.0'],
    [12345.6, '12346'],
    [-0.25, '-0.250'],
    [0, '0.00'],
    [-0, '0.00'],
    [1e-7, '1.00e-7'],
    [0.00001, '0.0000100'],
    [1.5e12, '1.50e+12'],
    [null, ABSENT],
    [undefined, ABSENT],
    [Number.NaN, ABSENT],
    [Number.POSITIVE_INFINITY, ABSENT],
  ];
  it.each(cases)('%j', (x, text) => {
    expect(formatNumber(x)).toBe(text);
  });

  it('keeps as many digits as asked', () => {
    expect(formatNumber(Math.LN2, 6)).toBe('0.693147');
    expect(formatNumber(Math.LN2, 1)).toBe('0.7');
  });

  it('is right to the digits that it shows', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, min: -1e300, max: 1e300 }).filter((x) => x === 0 || Math.abs(x) > 1e-300),
        fc.integer({ min: 1, max: 8 }),
        (x, digits) => {
          const shown = Number(formatNumber(x, digits));
          expect(Math.abs(shown - x)).toBeLessThanOrEqual(Math.abs(x) * 0.5000001 * 10 ** (1 - digits));
        },
      ),
    );
  });
});

describe('formatInterval', () => {
  it('gives estimate and bounds to the same decimals, as many as the width bears', () => {
    expect(formatInterval(0.0123, { low: 0.01, high: 0.0146 })).toBe('0.0123 [0.0100, 0.0146]');
    expect(formatInterval(0.5, { low: 0.1, high: 0.9 })).toBe('0.50 [0.10, 0.90]');
    expect(formatInterval(-0.001, { low: -0.02, high: 0.018 })).toBe('-0.001 [-0.020, 0.018]');
    expect(formatInterval(1234.5, { low: 1000, high: 1469 })).toBe('1235 [1000, 1469]');
    expect(formatInterval(0.25, { low: 0.25, high: 0.25 })).toBe('0.250 [0.250, 0.250]');
    expect(formatInterval(0, { low: 0, high: 0 })).toBe('0.00 [0.00, 0.00]');
    expect(formatInterval(2e-9, { low: 1e-9, high: 3e-9 })).toBe('2.00e-9 [1.00e-9, 3.00e-9]');
  });

  it('gives the estimate alone where there is no interval, and a dash where there is nothing', () => {
    expect(formatInterval(0.0123, null)).toBe('0.0123');
    expect(formatInterval(0.0123, { low: Number.NaN, high: 1 })).toBe('0.0123');
    expect(formatInterval(null, { low: 0, high: 1 })).toBe(ABSENT);
  });
});

it('writes shares as percents', () => {
  expect(formatPercent(0.1234)).toBe('12.3 %');
  expect(formatPercent(1, null, 0)).toBe('100 %');
  expect(formatPercent(0.123, { low: 0.1, high: 0.146 })).toBe('12.3 % [10.0, 14.6]');
  expect(formatPercent(null)).toBe(ABSENT);
  expect(formatPoints(0.031, { low: -0.004, high: 0.066 })).toBe('+3.1 points [-0.4, 6.6]');
  expect(formatPoints(-0.031)).toBe('-3.1 points');
  // What is 0 as it is written has no sign.
  expect(['-0.0004', '0.0004', '0'].map((value) => formatPoints(Number(value)))).toEqual(
    Array(3).fill('0.0 points'),
  );
  expect(formatPoints(undefined, { low: 0, high: 1 })).toBe(ABSENT);
  expect(formatMetric('points', { value: 0.2, ci: { low: 0.1, high: 0.3 } })).toBe(
    '+20.0 points [10.0, 30.0]',
  );
});

it('groups the digits of counts', () => {
  expect([0, 12, 999, 1234, 1234567, -1234].map((n) => formatCount(n))).toEqual([
    '0',
    '12',
    '999',
    '1\u202F234',
    '1\u202F234\u202F567',
    '-1\u202F234',
  ]);
  expect(formatCount(null)).toBe(ABSENT);
  expect(formatOutOf(12, 1234)).toBe('12 of 1\u202F234');
});

it('writes times in the unit that fits', () => {
  const cases: [number, string][] = [
    [0, '0 ms'],
    [839.6, '840 ms'],
    [999.6, '1.0 s'],
    [12_345, '12.3 s'],
    [59_960, '1 min 00 s'],
    [185_000, '3 min 05 s'],
    [3_599_600, '1 h 00 min'],
    [7_620_000, '2 h 07 min'],
  ];
  for (const [milliseconds, text] of cases) expect(formatDuration(milliseconds)).toBe(text);
  expect(formatDuration(-1)).toBe(ABSENT);
  expect(formatDuration(null)).toBe(ABSENT);
});

it('writes rates and sizes', () => {
  expect(formatRate(2468, 2000, 'tokens')).toBe('1\u202F234 tokens/s');
  expect(formatRate(3, 2000, 'rows')).toBe('1.50 rows/s');
  expect(formatRate(3, 0, 'rows')).toBe(ABSENT);
  expect([0, 512, 1024, 1536, 4.2 * 1024 ** 3].map((n) => formatBytes(n))).toEqual([
    '0 B',
    '512 B',
    '1.0 KiB',
    '1.5 KiB',
    '4.2 GiB',
  ]);
});

it('shows a metric as its kind is shown, with its interval where it has one', () => {
  const ci = { low: 0.1, high: 0.3 };
  expect(formatMetric('number', { value: 0.2, ci })).toBe('0.20 [0.10, 0.30]');
  expect(formatMetric('percent', { value: 0.2, ci })).toBe('20.0 % [10.0, 30.0]');
  expect(formatMetric('number', { value: 0.123456, ci: null })).toBe('0.1235');
  expect(formatMetric('percent', { value: 0.2 })).toBe('20.0 %');
  expect(formatMetric('number', { value: null, ci })).toBe(ABSENT);
  expect(formatMetric('percent', { value: null, ci: null })).toBe(ABSENT);
});

it('never writes a p-value of 0', () => {
  const cases: [number | null, string][] = [
    [0, '< 0.0001'],
    [0.00009, '< 0.0001'],
    [0.0001, '0.0001'],
    [0.00123, '0.0012'],
    [0.00999, '0.0100'],
    [0.01, '0.010'],
    [0.0499, '0.050'],
    [1, '1.000'],
    [null, ABSENT],
    [Number.NaN, ABSENT],
  ];
  for (const [p, text] of cases) expect(formatP(p)).toBe(text);
});
