/** Correlations over groups of rows, against Pearson's definition. */
import { describe, expect, it } from 'vitest';
import type { CorrelationMetric } from '../../../src/contract/index.ts';
import { metricJson } from '../../../src/run/accumulate/index.ts';
import { fisherInterval, pearson, studentPValue } from '../../oracle/correlation.ts';
import { filled, INTERVAL, spread } from './rows.ts';

/** Quantiles by integration. */
const DIGITS = 8;

const metric: CorrelationMetric = {
  kind: 'correlation',
  name: 'm',
  label: 'm',
  point: ({ group, x, y, side }) =>
    group === null
      ? null
      : ({ group, x, y, ...(side ? { side } : {}) } as ReturnType<CorrelationMetric['point']>),
};

const GROUPS = ['a', 'b', 'c', 'd', 'e', 'f'];
const xs = spread(6, 3);
const ys = spread(18, 4);
/** Three rows a group, in rounds. */
const rows = ys.map((y, i) => ({ group: GROUPS[i % 6]!, x: xs[i % 6]!, y }));
const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const groupMeans = GROUPS.map((_, g) => meanOf(ys.filter((_, i) => i % 6 === g)));

describe('a correlation over groups', () => {
  it('is that of each attribute with the mean of its rows', async () => {
    const value = await filled(metric, [...rows, { group: null }, null]).value(INTERVAL);
    const r = pearson(xs, groupMeans);
    const { low, high } = fisherInterval(r, 6, 0.95);
    if (value.kind !== 'correlation') throw new Error('another kind');
    expect(value.n).toBe(6);
    expect(value.value).toBeCloseTo(r, 12);
    expect(value.ci!.low).toBeCloseTo(low, DIGITS);
    expect(value.ci!.high).toBeCloseTo(high, DIGITS);
    expect(value.pValue).toBeCloseTo(studentPValue(r, 6), 7);
    const wide = await filled(metric, rows).value({ ...INTERVAL, level: 0.8 });
    expect(wide.ci!.low).toBeCloseTo(fisherInterval(r, 6, 0.8).low, DIGITS);
  });

  it('of two sides takes the mean of a less that of b, and leaves a group with one side out', async () => {
    const sided = [
      ...rows.map((row, i) => ({ ...row, side: i < 6 ? 'a' : 'b' })),
      { group: 'alone', x: 99, y: 99, side: 'a' },
      { group: 'other', x: -99, y: 99, side: 'b' },
    ];
    const differences = GROUPS.map((_, g) => ys[g]! - (ys[g + 6]! + ys[g + 12]!) / 2);
    const value = await filled(metric, sided).value(INTERVAL);
    if (value.kind !== 'correlation') throw new Error('another kind');
    expect(value.n).toBe(6);
    expect(value.value).toBeCloseTo(pearson(xs, differences), 12);
  });

  it('is absent with a reason for no group, for two, and where nothing differs', async () => {
    expect(metricJson(await filled(metric, [{ group: null }, null]).value(INTERVAL))).toEqual({
      kind: 'correlation',
      value: null,
      n: 0,
      ci: null,
      pValue: null,
      reason: 'no row has the attribute',
    });
    const two = await filled(metric, rows.slice(0, 2)).value(INTERVAL);
    expect(two).toMatchObject({ n: 2, ci: null, reason: expect.stringContaining('at least 4') });
    const flat = await filled(
      metric,
      rows.map((row) => ({ ...row, y: 1 })),
    ).value(INTERVAL);
    expect(flat).toMatchObject({ value: null, n: 6, ci: null, pValue: null, reason: expect.any(String) });
  });
});
