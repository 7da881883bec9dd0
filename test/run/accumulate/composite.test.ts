/** Numbers made of ratios of sums, and their bootstrap over clusters, against draws of the oracle's own. */
import { describe, expect, it } from 'vitest';
import type { CompositeMetric, Ratio } from '../../../src/contract/index.ts';
import { metricJson } from '../../../src/run/accumulate/index.ts';
import { drawnClusters, percentileInterval } from '../../oracle/statistics.ts';
import { filled, INTERVAL } from './rows.ts';

const RESAMPLES = 400;
const OPTIONS = { ...INTERVAL, resamples: RESAMPLES, seed: 11 };
const DIGITS = 10;

const product = ([a, b]: readonly number[]) => a! * (1 - b!);
const metric = (more: Partial<CompositeMetric> = {}): CompositeMetric => ({
  kind: 'composite',
  name: 'm',
  label: 'm',
  parts: ({ parts }) => parts as unknown as readonly Ratio[] | null,
  combine: product,
  ...more,
});

/** Two ratios a row, with denominators that differ. */
const rows = Array.from({ length: 20 }, (_, i) => ({
  cluster: `c${(i * 7) % 6}`,
  parts: [
    [(i * 5) % 7, 3 + (i % 4)],
    [i % 3, 2 + (i % 2)],
  ] as [number, number][],
}));

type Part = readonly (readonly [number, number])[];

/** The number over clusters of parts, drawn or not. */
function combined(clusters: readonly Part[], combine = product): number {
  const ratio = (column: number) => {
    const sum = (of: 0 | 1) => clusters.reduce((total, parts) => total + parts[column]![of], 0);
    return sum(0) / sum(1);
  };
  return combine([ratio(0), ratio(1)]);
}

function expectedInterval(clusters: readonly Part[], combine = product) {
  const draws = Array.from({ length: RESAMPLES }, (_, draw) =>
    combined(
      drawnClusters(clusters.length, OPTIONS.seed, draw).map((index) => clusters[index]!),
      combine,
    ),
  );
  return percentileInterval(draws.sort((a, b) => a - b));
}

/** Sums by cluster, clusters in the order in which they came. */
function summed(of: readonly { cluster: string; parts: Part }[]): Part[] {
  const names = [...new Set(of.map(({ cluster }) => cluster))];
  return names.map((name) =>
    [0, 1].map((column) => {
      const own = of.filter(({ cluster }) => cluster === name);
      const sum = (at: 0 | 1) => own.reduce((total, { parts }) => total + parts[column]![at], 0);
      return [sum(0), sum(1)] as const;
    }),
  );
}

function expectValue(value: object, expected: number, { low, high }: { low: number; high: number }) {
  expect(value).toMatchObject({
    value: expect.closeTo(expected, DIGITS),
    ci: { low: expect.closeTo(low, DIGITS), high: expect.closeTo(high, DIGITS), level: 0.95 },
  });
}

describe('a composite', () => {
  it('is made of the ratios of sums; each row is drawn alone unless clusters are named', async () => {
    const value = await filled(metric(), [...rows, { parts: null }, null]).value(OPTIONS);
    expect(value).toMatchObject({ kind: 'composite', n: 20 });
    expect(value).not.toHaveProperty('clusters');
    const alone = rows.map(({ parts }) => parts);
    expectValue(value, combined(alone), expectedInterval(alone));
  });

  it('draws the rows of a cluster together', async () => {
    const clustered = metric({ cluster: { by: 'text', of: ({ cluster }) => cluster as string } });
    const value = await filled(clustered, rows).value(OPTIONS);
    expect(value).toMatchObject({ n: 20, clusters: { by: ['text'], count: 6, counts: [6] } });
    expectValue(value, combined(summed(rows)), expectedInterval(summed(rows)));
  });

  it('with clusters alike is the mean over clusters of their own ratios; one without a ratio is left out of it', async () => {
    const alike = metric({
      cluster: { by: 'text', of: ({ cluster }) => cluster as string },
      clustersAlike: true,
    });
    const odd = [
      ...rows,
      {
        cluster: 'odd',
        parts: [
          [3, 4],
          [0, 0],
        ] as [number, number][],
      },
    ];
    const own = summed(odd).map((parts) =>
      parts.map(([a, b]) => (b === 0 ? ([0, 0] as const) : ([a / b, 1] as const))),
    );
    const value = await filled(alike, odd).value(OPTIONS);
    expect(value).toMatchObject({ n: 21, clusters: { by: ['text'], count: 7 } });
    expectValue(value, combined(own), expectedInterval(own));
    expect(combined(own)).not.toBeCloseTo(combined(summed(odd)), 3);
  });

  it('draws by the seed alone', async () => {
    const at = (seed: number) => filled(metric(), rows).value({ ...OPTIONS, seed });
    expect(await at(11)).toEqual(await filled(metric(), rows).value(OPTIONS));
    expect((await at(12)).ci).not.toEqual((await at(11)).ci);
  });

  it('of a single cluster has a value and no interval, with the reason', async () => {
    const one = metric({ cluster: { by: 'text', of: () => 'all' } });
    const value = await filled(one, rows).value(OPTIONS);
    expect(value).toMatchObject({
      clusters: { by: ['text'], count: 1 },
      ci: null,
      reason: expect.stringMatching(/only 1 text or row/),
    });
    if (value.kind !== 'composite') throw new Error('another kind');
    expect(value.value).toBeCloseTo(combined(rows.map(({ parts }) => parts)), DIGITS);
  });

  it('of no row, and of a ratio without a denominator, is null with a reason', async () => {
    expect(metricJson(await filled(metric(), [{ parts: null }, null]).value(OPTIONS))).toEqual({
      kind: 'composite',
      value: null,
      n: 0,
      ci: null,
      reason: 'no row counts',
    });
    const empty = [
      {
        parts: [
          [1, 2],
          [0, 0],
        ],
      },
      {
        parts: [
          [1, 3],
          [0, 0],
        ],
      },
    ];
    expect(await filled(metric(), empty).value(OPTIONS)).toMatchObject({
      value: null,
      n: 2,
      ci: null,
      reason: 'a ratio has nothing below the line',
    });
  });

  it('has no interval where resamples lack the number, be it by a division in the number itself', async () => {
    const inverse = metric({ combine: ([a]) => 1 / a! });
    // Three rows of nothing and one of something: a good part of the draws has nothing.
    const mostly = [0, 0, 0, 1].map((hit) => ({ parts: [[hit, 1]] }));
    const value = await filled(inverse, mostly).value(OPTIONS);
    expect(value).toMatchObject({ value: 4, ci: null, reason: expect.any(String) });
  });
});
