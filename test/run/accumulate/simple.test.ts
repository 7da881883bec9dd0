/** Means, shares and paired differences of rows, against the oracle's statistics. */
import { describe, expect, it } from 'vitest';
import type { DifferenceMetric, MeanMetric, ShareMetric } from '../../../src/contract/index.ts';
import { metricJson } from '../../../src/run/accumulate/index.ts';
import {
  clusterInterval,
  clusterPValue,
  gatedMean,
  normalInterval,
  type Step,
  wilsonInterval,
} from '../../oracle/statistics.ts';
import { filled, INTERVAL, spread } from './rows.ts';

/** Sums in another order, and quantiles by integration. */
const DIGITS = 9;

const HEAD = { name: 'm', label: 'm' };

describe('a mean over steps', () => {
  const mean: MeanMetric = {
    ...HEAD,
    kind: 'mean',
    skippedSteps: 2,
    steps: ({ values, gate }) => ({
      values: values as number[],
      ...(gate ? { gate: gate as number[] } : {}),
    }),
  };
  const rows = Array.from({ length: 12 }, (_, row) => ({
    values: spread(1 + (row % 5), row),
    gate: Array.from({ length: 1 + (row % 5) }, (_, step) => ((row + step) % 3 === 0 ? 0 : 1)),
  }));
  const steps = rows.flatMap(({ values, gate }, cluster) =>
    values.map((value, step): Step => ({ value, gate: gate[step] as 0 | 1, cluster })),
  );

  it('has rows as clusters, and counts the steps of skipped rows as not gated', async () => {
    const value = await filled(mean, [...rows, null, null]).value(INTERVAL);
    if (value.kind !== 'mean') throw new Error('another kind');
    const gated = steps.filter(({ gate }) => gate === 1).length;
    expect(value).toMatchObject({ steps: steps.length + 4, n: gated, ci: { method: 'cluster' } });
    expect(value.coverage).toBeCloseTo(gated / (steps.length + 4), 12);
    expect(value.value).toBeCloseTo(gatedMean(steps), DIGITS);
    const { low, high } = clusterInterval(steps);
    expect(value.ci!.low).toBeCloseTo(low, DIGITS);
    expect(value.ci!.high).toBeCloseTo(high, DIGITS);
    const file = metricJson(value);
    expect(file).toMatchObject({ mean: value.value, n: steps.length + 4, gatedSteps: gated });
    expect(Object.keys(file)).toEqual(['kind', 'mean', 'n', 'gatedSteps', 'coverage', 'ci']);
  });

  it('has the reference interval by another method, and any level', async () => {
    const normal = await filled(mean, rows).value({ ...INTERVAL, ci: 'normal' });
    expect(normal.ci!.low).toBeCloseTo(normalInterval(steps).low, DIGITS);
    const wide = await filled(mean, rows).value({ ...INTERVAL, level: 0.99 });
    expect(wide.ci!.high).toBeCloseTo(clusterInterval(steps, 0.99).high, DIGITS);
  });

  it('without a gate counts every step', async () => {
    const value = await filled(
      mean,
      rows.map(({ values }) => ({ values })),
    ).value(INTERVAL);
    expect(value).toMatchObject({ n: steps.length, coverage: 1 });
  });

  it('of no step is no measurement, whatever metrics.json says', async () => {
    const nothing = await filled(mean, []).value(INTERVAL);
    const reason = 'no row was measured or skipped';
    expect(nothing).toMatchObject({ value: null, n: 0, coverage: null, ci: null, reason });
    expect(metricJson(nothing)).toEqual({
      kind: 'mean',
      mean: 0,
      n: 0,
      gatedSteps: 0,
      coverage: 0,
      ci: null,
      reason,
    });
    const skipped = await filled(mean, [null]).value(INTERVAL);
    expect(skipped).toMatchObject({ value: null, n: 0, coverage: 0, ci: null });
    expect(metricJson(skipped)).toMatchObject({ mean: 0, gatedSteps: 0 });
    expect(skipped.reason).toMatch(/no step counts/);
  });
});

describe('a share', () => {
  const share: ShareMetric = { ...HEAD, kind: 'share', hit: ({ hit }) => hit as boolean | null };

  it("is hits over the rows that count, with Wilson's interval", async () => {
    const hits = [true, false, true, true, null, false, true, null];
    const value = await filled(share, [...hits.map((hit) => ({ hit })), null]).value(INTERVAL);
    const { low, high } = wilsonInterval(4, 6);
    expect(value).toMatchObject({ kind: 'share', hits: 4, n: 6, ci: { method: 'wilson', level: 0.95 } });
    if (value.kind !== 'share') throw new Error('another kind');
    expect(value.value).toBeCloseTo(4 / 6, 12);
    expect(value.ci!.low).toBeCloseTo(low, DIGITS);
    expect(value.ci!.high).toBeCloseTo(high, DIGITS);
    expect(value).toMatchObject({ n: 6, coverage: null });
  });

  it('of no row is null with a reason, not 0', async () => {
    const value = await filled(share, [{ hit: null }, null]).value(INTERVAL);
    expect(metricJson(value)).toEqual({
      kind: 'share',
      mean: null,
      hits: 0,
      n: 0,
      ci: null,
      reason: 'no row counts',
    });
    expect(value.value).toBeNull();
  });

  it('of none and of all hits has an interval inside 0 and 1', async () => {
    for (const hit of [true, false]) {
      const { ci } = await filled(share, [{ hit }, { hit }]).value(INTERVAL);
      const { low, high } = wilsonInterval(hit ? 2 : 0, 2);
      expect([ci!.low, ci!.high]).toEqual([expect.closeTo(low, DIGITS), expect.closeTo(high, DIGITS)]);
    }
  });
});

describe('a difference between the rows of pairs', () => {
  const difference: DifferenceMetric = {
    ...HEAD,
    kind: 'difference',
    side: ({ pair, side, value }) =>
      pair === null ? null : ({ pair, side, value } as ReturnType<DifferenceMetric['side']>),
  };
  const a = spread(9, 1);
  const b = spread(9, 2);
  const rowsOf = (side: string, values: number[]) =>
    values.map((value, pair) => ({ pair: `p${pair}`, side, value }));

  it('is the mean of a - b, whatever the order of the rows, and counts what has no partner', async () => {
    const rows = [
      ...rowsOf('b', b).reverse(),
      { pair: 'alone', side: 'a', value: 100 },
      { pair: null },
      ...rowsOf('a', a),
      { pair: 'also alone', side: 'b', value: -100 },
    ];
    const value = await filled(difference, [...rows, null]).value(INTERVAL);
    const steps = a.map((x, cluster): Step => ({ value: x - b[cluster]!, gate: 1, cluster }));
    if (value.kind !== 'difference') throw new Error('another kind');
    expect(value).toMatchObject({ n: 9, unpaired: 2 });
    expect(value.value).toBeCloseTo(gatedMean(steps), DIGITS);
    expect(value.ci!.low).toBeCloseTo(clusterInterval(steps).low, DIGITS);
    expect(value.ci!.high).toBeCloseTo(clusterInterval(steps).high, DIGITS);
    expect(value.pValue).toBeCloseTo(clusterPValue(steps), 7);
  });

  it('of no pair, and of one, is null with a reason', async () => {
    const none = await filled(difference, rowsOf('a', a)).value(INTERVAL);
    expect(metricJson(none)).toEqual({
      kind: 'difference',
      mean: null,
      n: 0,
      unpaired: 9,
      ci: null,
      pValue: null,
      reason: 'no two rows make a pair',
    });
    const one = await filled(difference, [...rowsOf('a', [3]), ...rowsOf('b', [1])]).value(INTERVAL);
    expect(one).toMatchObject({ value: 2, n: 1, ci: null, pValue: null, reason: expect.any(String) });
  });
});
