/**
 * Effect sizes, margins, detectable differences and distances to an unbiased value, against SciPy and statsmodels
 * (compare-golden/make.py made compare-golden/golden.json).
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CompositeMetric, MeanMetric, MetricDefinition, ShareMetric } from '../../src/contract/index.ts';
import { aggregateRows } from '../../src/run/aggregate.ts';
import { distanceDifference } from '../../src/run/compare/distance.ts';
import { marginsOf } from '../../src/run/compare/margin.ts';
import { compareMetric, type Outcome } from '../../src/run/compare/outcome.ts';
import { Collector } from '../../src/run/compare/values.ts';
import type { JournalEntry } from '../../src/run/journal.ts';

/** Roots and quantiles of two programs. */
const CLOSE = 7;
const INTERVAL = { ci: 'cluster', level: 0.95, seed: 3, resamples: 400 } as const;

type Three = [value: number, low: number, high: number];
interface Golden {
  readonly a: number[];
  readonly b: number[];
  readonly cluster: number[] | null;
  readonly mde: number;
  readonly unbiased: number;
  readonly margin: number;
  readonly dz: Three;
  readonly h: Three;
  readonly ratio: Three;
  readonly oddsRatio: Three;
  readonly pairedOddsRatio: Three;
  readonly distance?: { difference: number; ci: [number, number]; pValue: number };
  readonly within?: { pEquivalence: number; pNonInferiority: number; ci: [number, number] };
  readonly own: { ci?: [number, number]; pValue: number };
}
const golden: Record<'means' | 'positives' | 'shares', Golden[]> = JSON.parse(
  readFileSync(new URL('compare-golden/golden.json', import.meta.url), 'utf8'),
);

const meanOf = (head: Partial<MeanMetric> = {}): MeanMetric => ({
  kind: 'mean',
  name: 'mean',
  label: 'mean',
  skippedSteps: 0,
  steps: ({ value }) => ({ values: [value as number] }),
  ...head,
});
const SHARE: ShareMetric = {
  kind: 'share',
  name: 'share',
  label: 'share',
  shown: 'percent',
  range: [0, 1],
  unbiased: 0.5,
  hit: ({ value }) => value === 1,
};

const clustersOf = (cluster: number[] | null, row: number) =>
  cluster ? { by: ['group'], ids: [cluster[row]!] } : { by: [], ids: [row] };

function collected(metric: MetricDefinition, values: number[], cluster: number[] | null): Collector {
  const collector = new Collector(metric);
  values.forEach((value, row) => {
    collector.add(row, { value }, {}, clustersOf(cluster, row));
  });
  return collector;
}

const compared = (metric: MetricDefinition, { a, b, cluster = null, margin }: Golden): Promise<Outcome> =>
  compareMetric(collected(metric, a, cluster), collected(metric, b, cluster), INTERVAL, { margin });

function expectEffect(found: Outcome, name: keyof Outcome['effects'], want: Three): void {
  const { value, low, high } = found.effects[name]!;
  for (const [at, number] of [value, low!, high!].entries())
    expect(number, name).toBeCloseTo(want[at]!, CLOSE);
}

function expectDistanceAndMargin({ distance, margin }: Outcome, want: Golden): void {
  expect(distance!.difference).toBeCloseTo(want.distance!.difference, CLOSE);
  expect(distance!.ci!.low).toBeCloseTo(want.distance!.ci[0], 6);
  expect(distance!.ci!.high).toBeCloseTo(want.distance!.ci[1], 6);
  expect(distance!.pValue).toBeCloseTo(want.distance!.pValue, CLOSE);
  expect(margin!.pEquivalence).toBeCloseTo(want.within!.pEquivalence, CLOSE);
  expect(margin!.pNonInferiority).toBeCloseTo(want.within!.pNonInferiority, CLOSE);
  expect(margin!.low).toBeCloseTo(want.within!.ci[0], 6);
  expect(margin!.high).toBeCloseTo(want.within!.ci[1], 6);
  expect(margin!.equivalent).toBe(want.within!.pEquivalence < 0.05);
}

async function runOf(metric: MetricDefinition, { a, cluster }: Golden, slice = (_: number) => 'one') {
  async function* rows(): AsyncGenerator<JournalEntry> {
    for (const [row, value] of a.entries()) {
      const clusters = cluster ? { clusters: { group: `g${cluster[row]}` } } : {};
      const slices = { part: slice(row) };
      yield { row, id: String(row), status: 'ok', slices, ...clusters, result: { value } } as JournalEntry;
    }
  }
  return aggregateRows([metric], ['part'], rows(), INTERVAL);
}

describe.each(golden.means.map((want, at) => [at, want] as const))('means, vector %i', (_, want) => {
  const metric = meanOf({ unbiased: want.unbiased });

  it('have d_z, the detectable difference, the distance and the tests of a margin', async () => {
    const found = await compared(metric, want);
    expectEffect(found, 'dz', want.dz);
    expect(found.mde).toBeCloseTo(want.mde, 5);
    expectDistanceAndMargin(found, want);
  });

  it('of one run are tested against the unbiased value', async () => {
    const [whole] = await runOf(metric, want);
    const { ci, unbiased } = whole!.metrics[0]!.value;
    expect(ci!.low).toBeCloseTo(want.own.ci![0], CLOSE);
    expect(unbiased!.pValue).toBeCloseTo(want.own.pValue, CLOSE);
    expect(unbiased!.pValue! < 0.05).toBe(unbiased!.ci!.low > 0);
  });
});

it('positive means have their ratio', async () => {
  const want = golden.positives[0]!;
  const found = await compared(meanOf({ range: [0, Number.POSITIVE_INFINITY] }), want);
  expectEffect(found, 'ratio', want.ratio);
});

describe.each(golden.shares.map((want, at) => [at, want] as const))('shares, vector %i', (_, want) => {
  it('have odds ratios, h, and the detectable difference', async () => {
    const found = await compared(SHARE, want);
    for (const name of ['h', 'oddsRatio', 'pairedOddsRatio'] as const) expectEffect(found, name, want[name]);
    expect(found.mde).toBeCloseTo(want.mde, 5);
    if (want.distance) expectDistanceAndMargin(found, want);
  });

  it('of one run are tested by the score that their interval inverts', async () => {
    const [whole] = await runOf(SHARE, want);
    const { unbiased } = whole!.metrics[0]!.value;
    expect(unbiased!.pValue).toBeCloseTo(want.own.pValue, CLOSE);
    expect(unbiased!.pValue! < 0.05).toBe(unbiased!.ci!.low > 0);
    expect(unbiased!.distance).toBeCloseTo(
      Math.abs(want.a.reduce((x, y) => x + y) / want.a.length - 0.5),
      12,
    );
  });
});

describe('the distance to an unbiased value', () => {
  const tested = (low: number, high: number, pValue = 0.5) => ({
    value: (low + high) / 2,
    n: 9,
    reason: null,
    ci: { low, high, level: 0.95, method: 'cluster' },
    pValue,
  });

  it('has the interval of the difference where both lie on one side, turned round below', () => {
    const above = distanceDifference(0.5, 0.9, 0.8, tested(0.05, 0.15, 0.001), tested(0.6, 0.8, 1e-9));
    expect(above).toMatchObject({ a: 0.4, pValue: 0.001 });
    expect([above.ci!.low, above.ci!.high]).toEqual([0.05, 0.15]);
    const below = distanceDifference(0.5, 0.1, 0.2, tested(-0.15, -0.05), tested(-0.8, -0.6));
    expect([below.ci!.low, below.ci!.high]).toEqual([0.05, 0.15]);
  });

  it('is no difference for mirror images, however far apart they are', () => {
    const found = distanceDifference(0, 0.4, -0.4, tested(0.7, 0.9, 1e-9), tested(-0.1, 0.1, 1));
    expect(found).toMatchObject({ difference: 0, pValue: 1 });
    expect(found.ci!.low).toBeCloseTo(-0.1, 12);
    expect(found.ci!.high).toBeCloseTo(0.1, 12);
  });

  it('of a score made of ratios rests on the same draws, and so do its margin and ratio', async () => {
    const metric: CompositeMetric = {
      kind: 'composite',
      name: 'score',
      label: 'score',
      unbiased: 50,
      range: [0, 100],
      parts: ({ value }) => [[100 * (value as number), 1]],
      combine: ([ratio]) => ratio!,
    };
    const { a, b } = golden.shares[0]!;
    const one = { ...golden.shares[0]!, margin: 90 };
    const found = await compared(metric, one);
    const mean = (values: number[]) => values.reduce((x, y) => x + y) / values.length;
    expect(found.distance!.difference).toBeCloseTo(
      Math.abs(mean(a) - 0.5) * 100 - Math.abs(mean(b) - 0.5) * 100,
      9,
    );
    // No draw lies 90 away: 1 of 401.
    expect(found.margin).toMatchObject({ equivalent: true, pEquivalence: 1 / 401 });
    expect(found.effects.oddsRatio!.value).toBeCloseTo(golden.shares[0]!.oddsRatio[0], 9);
    // Standard deviation of 400 draws, within a fifth of the exact error.
    expect(found.mde! / 100 / golden.shares[0]!.mde).toBeGreaterThan(0.8);
    expect(found.mde! / 100 / golden.shares[0]!.mde).toBeLessThan(1.2);
  });
});

describe('a family of tests', () => {
  it('holds the slices of a run, and nothing without a p-value', async () => {
    const want = golden.means[0]!;
    const summaries = await runOf(meanOf({ unbiased: 0 }), want, (row) => `p${row % 3}`);
    const all = summaries.map(({ metrics }) => metrics[0]!.value.unbiased!);
    expect(all).toHaveLength(4);
    const sorted = [...all].sort((x, y) => x.pValue! - y.pValue!);
    let [most, least] = [0, 1];
    const holm = sorted.map(({ pValue }, at) => {
      most = Math.max(most, Math.min(1, (4 - at) * pValue!));
      return most;
    });
    const bh = sorted.map(({ pValue }, at) => Math.min(1, (4 * pValue!) / (at + 1)));
    for (let at = 3; at >= 0; at -= 1) {
      least = Math.min(least, bh[at]!);
      expect(sorted[at]!.pBH).toBeCloseTo(least, 12);
      expect(sorted[at]!.pHolm).toBeCloseTo(holm[at]!, 12);
    }
  });

  it('has no number where the metric has no unbiased value', async () => {
    const [whole] = await runOf(meanOf(), golden.means[0]!);
    expect(whole!.metrics[0]!.value.unbiased).toBeUndefined();
  });
});

describe('margins', () => {
  const nats = meanOf({ name: 'nats', range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] });

  it('of shares are points, of one metric those given for it', () => {
    expect(marginsOf([{ margin: 5 }], [SHARE])).toEqual(new Map([['share', 0.05]]));
    expect(
      marginsOf(
        [
          { metric: 'nats', margin: 5 },
          { metric: 'share', margin: 2 },
        ],
        [SHARE, nats],
      ),
    ).toEqual(
      new Map([
        ['nats', 5],
        ['share', 0.02],
      ]),
    );
  });

  it('of several units, of what is not compared, and of no size are refused', () => {
    expect(() => marginsOf([{ margin: 5 }], [SHARE, nats])).toThrow(/several units: share .*, nats .*NAME=5/);
    expect(() => marginsOf([{ metric: 'gap', margin: 5 }], [SHARE])).toThrow(
      /"gap", which is not compared.*share/,
    );
    for (const margin of [0, -1, 100, Number.POSITIVE_INFINITY]) {
      expect(() => marginsOf([{ margin }], [SHARE])).toThrow(/give one above 0 and below 100 points/);
    }
  });
});
