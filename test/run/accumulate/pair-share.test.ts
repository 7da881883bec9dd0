/** The share of pairs of rows that are hits. */
import { describe, expect, it } from 'vitest';
import type { PairShareMetric } from '../../../src/contract/index.ts';
import { accumulatorOf, metricJson } from '../../../src/run/accumulate/index.ts';

const METRIC: PairShareMetric = {
  kind: 'pairShare',
  name: 'likelier',
  label: 'likelier',
  side: ({ pair, side, value }) =>
    side === null ? null : { pair: pair as string, side: side as 'a' | 'b', value: value as number },
  hit: (a, b) => a > b,
};
const OPTIONS = { ci: 'cluster', level: 0.95 } as const;

async function shareOf(rows: [pair: string, side: 'a' | 'b' | null, value: number][]) {
  const accumulator = accumulatorOf(METRIC);
  rows.forEach(([pair, side, value], row) => {
    accumulator.add(row, { pair, side, value }, {});
  });
  accumulator.addSkipped(rows.length);
  return await accumulator.value(OPTIONS);
}

describe('the share of pairs', () => {
  it('counts pairs in any order of rows, and rows without their partner', async () => {
    const value = await shareOf([
      ['x', 'a', 2],
      ['y', 'b', 2],
      ['x', 'b', 1],
      ['z', 'a', 9],
      ['y', 'a', 1],
      ['tie', 'a', 1],
      ['tie', 'b', 1],
      ['none', null, 1],
    ]);
    expect(value).toMatchObject({ kind: 'share', hits: 1, n: 3, unpaired: 1, value: 1 / 3 });
    // Wilson's interval of 1 in 3, by hand.
    const z = 1.959963984540054;
    const centre = (1 / 3 + z ** 2 / 6) / (1 + z ** 2 / 3);
    const half = (z / (1 + z ** 2 / 3)) * Math.sqrt((1 / 3) * (2 / 3) * (1 / 3) + z ** 2 / 36);
    expect(value.ci!.low).toBeCloseTo(centre - half, 10);
    expect(value.ci!.high).toBeCloseTo(centre + half, 10);
  });

  it('is nothing, with a reason, where no row has a partner', async () => {
    expect(metricJson(await shareOf([['x', 'a', 2]]))).toEqual({
      kind: 'share',
      mean: null,
      hits: 0,
      n: 0,
      unpaired: 1,
      ci: null,
      reason: 'no two rows make a pair',
    });
  });
});
