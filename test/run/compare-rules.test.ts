/** Every rule by which rows become a number, compared: rows given by hand, against the oracle. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fields, MetricDefinition, Ratio } from '../../src/contract/index.ts';
import { compareMetric } from '../../src/run/compare/outcome.ts';
import { Collector } from '../../src/run/compare/values.ts';
import { clusterInterval, percentileInterval, ratiosOf, resampledRatios } from '../oracle/statistics.ts';

const CLUSTER = { ci: 'cluster', level: 0.95, seed: 3, resamples: 400 } as const;

function collected(metric: MetricDefinition, rows: readonly (Fields | null)[]): Collector {
  const collector = new Collector(metric);
  rows.forEach((row, at) => {
    if (row) collector.add(at, row, {});
  });
  return collector;
}

const MEAN: MetricDefinition = {
  kind: 'mean',
  name: 'mean',
  label: 'mean',
  skippedSteps: 0,
  steps: ({ values, gate }) => ({ values: values as number[], gate: gate as number[] }),
};
const SHARE: MetricDefinition = {
  kind: 'share',
  name: 'share',
  label: 'share',
  hit: ({ hit }) => hit as boolean | null,
};
const DIFFERENCE: MetricDefinition = {
  kind: 'difference',
  name: 'difference',
  label: 'difference',
  side: ({ pair, side, value }) => ({
    pair: pair as string,
    side: side as 'a' | 'b',
    value: value as number,
  }),
};
/** A perplexity: the mean over tokens, with the rows of one text drawn together. */
const COMPOSITE: MetricDefinition = {
  kind: 'composite',
  name: 'composite',
  label: 'composite',
  parts: ({ parts }) => parts as readonly Ratio[] | null,
  combine: ([first, second]) => Math.exp(first!) * second!,
  cluster: { by: 'text', of: ({ text }) => text as string },
};

describe('a mean of steps', () => {
  const rows = (gates: number[][], values: number[][]) =>
    values.map((own, at) => ({ values: own, gate: gates[at]! }));

  it('compares the means of the rows over the steps that each run opened', async () => {
    const a = collected(MEAN, rows([[1, 0, 1], [1], [0, 0], [1]], [[1, 50, 3], [4], [7, 7], [2]]));
    const b = collected(MEAN, rows([[0, 1, 0], [1], [1, 1], [1]], [[9, 1, 9], [5], [7, 7], [4]]));
    const found = await compareMetric(a, b, CLUSTER);
    // Row 2 has no open step in the first run.
    const differences = [2 - 1, 4 - 5, 2 - 4];
    expect(found).toMatchObject({ n: 3, unmatched: 1 });
    expect(found.a).toBeCloseTo((2 + 4 + 2) / 3, 12);
    expect(found.difference).toBeCloseTo(-2 / 3, 12);
    const { low, high } = clusterInterval(differences.map((value, cluster) => ({ value, gate: 1, cluster })));
    expect(found.ci!.low).toBeCloseTo(low, 9);
    expect(found.ci!.high).toBeCloseTo(high, 9);
  });
});

describe('a difference between the rows of a pair', () => {
  it('is compared pair by pair', async () => {
    const side = (pair: string, of: 'a' | 'b', value: number) => ({ pair, side: of, value });
    const a = collected(DIFFERENCE, [
      side('x', 'a', 5),
      side('x', 'b', 1),
      side('y', 'b', 2),
      side('y', 'a', 3),
      side('alone', 'a', 9),
      side('z', 'a', 1),
      side('z', 'b', 1),
    ]);
    const b = collected(DIFFERENCE, [
      side('x', 'a', 2),
      side('x', 'b', 1),
      side('y', 'b', 2),
      side('y', 'a', 2),
      null as never,
      side('z', 'a', 4),
    ]);
    const found = await compareMetric(a, b, CLUSTER);
    // x: 4 against 1, y: 1 against 0; z has one side in the second run, alone in neither.
    expect(found).toMatchObject({ a: 2.5, b: 0.5, difference: 2, n: 2, unmatched: 1 });
  });
});

describe('a number made of ratios', () => {
  const draw = (seed: number) => {
    let state = seed;
    const next = () => {
      state = (state * 48271) % 2147483647;
      return state / 2147483647;
    };
    return Array.from({ length: 40 }, (_, row) => ({
      text: `text ${row % 11}`,
      parts: [
        [next() * 9, 1 + Math.floor(next() * 5)],
        [Math.round(next()), 1],
      ] as Ratio[],
    }));
  };

  it('has the interval of the differences of the same resamples', async () => {
    const [first, second] = [draw(5), draw(77)];
    const found = await compareMetric(collected(COMPOSITE, first), collected(COMPOSITE, second), CLUSTER);
    const combine = ([x, y]: number[]) => Math.exp(x!) * y!;
    const oracle = [first, second].map((rows) => {
      const given = rows.map(({ text, parts }) => ({
        cluster: Number(text.split(' ')[1]),
        above: parts.map(([above]) => above),
        below: parts.map(([, below]) => below),
      }));
      return {
        value: combine(ratiosOf(given, 2)),
        draws: resampledRatios(given, 2, CLUSTER.resamples, CLUSTER.seed).map(combine),
      };
    });
    const differences = oracle[0]!.draws.map((value, at) => value - oracle[1]!.draws[at]!);
    const { low, high } = percentileInterval(differences.sort((x, y) => x - y));
    expect(found.n).toBe(40);
    expect(found.a).toBeCloseTo(oracle[0]!.value, 9);
    expect(found.b).toBeCloseTo(oracle[1]!.value, 9);
    expect(found.difference).toBeCloseTo(oracle[0]!.value - oracle[1]!.value, 9);
    expect(found.ci!.low).toBeCloseTo(low, 9);
    expect(found.ci!.high).toBeCloseTo(high, 9);
    expect(found.pValue).toBeGreaterThan(0);
  });

  it('tells the side that has a value where the other has nothing below the line', async () => {
    const whole = [
      {
        text: 'x',
        parts: [
          [1, 2],
          [1, 1],
        ],
      },
      {
        text: 'y',
        parts: [
          [1, 2],
          [1, 1],
        ],
      },
    ];
    const empty = whole.map((row) => ({
      ...row,
      parts: [
        [0, 0],
        [1, 1],
      ],
    }));
    const found = await compareMetric(collected(COMPOSITE, whole), collected(COMPOSITE, empty), CLUSTER);
    expect(found).toMatchObject({ b: null, difference: null, ci: null, pValue: null, n: 2 });
    expect(found.a).toBeCloseTo(Math.exp(0.5), 12);
    expect(found.reason).toContain('nothing below the line');
  });

  it('has no interval for a single text', async () => {
    const one = draw(5).map((row) => ({ ...row, text: 'one' }));
    const found = await compareMetric(collected(COMPOSITE, one), collected(COMPOSITE, one), CLUSTER);
    expect(found).toMatchObject({ difference: 0, ci: null, pValue: null });
    expect(found.reason).toContain('only 1 text or row that counts');
  });
});

describe('whatever the rows', () => {
  const value = fc.double({ min: -1e3, max: 1e3, noNaN: true });
  const missing = <T>(row: fc.Arbitrary<T>) => fc.option(row, { freq: 4 });
  const columns: [MetricDefinition, fc.Arbitrary<Fields | null>][] = [
    [MEAN, missing(fc.array(value, { minLength: 1, maxLength: 3 }).map((values) => ({ values })))],
    [SHARE, missing(fc.record({ hit: fc.constantFrom(true, false, null) }))],
    [
      DIFFERENCE,
      missing(fc.record({ pair: fc.constantFrom('x', 'y', 'z'), side: fc.constantFrom('a', 'b'), value })),
    ],
    [
      COMPOSITE,
      missing(
        fc.record({
          text: fc.constantFrom('x', 'y', 'z'),
          parts: fc.tuple(fc.double({ min: 0, max: 4, noNaN: true }), fc.nat({ max: 3 })).map(
            ([above, below]) =>
              [
                [above, below],
                [1, 1],
              ] as Ratio[],
          ),
        }),
      ),
    ],
  ];

  it.each(columns)('B against A is A against B with the signs turned: $kind', async (metric, row) => {
    const rows = fc.array(fc.tuple(row, row), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(rows, async (drawn) => {
        // What is drawn together is a matter of the data, not of the run.
        const both = drawn.map(([x, y]) => [x, x?.text && y?.text ? { ...y, text: x.text } : y] as const);
        const [a, b] = [0, 1].map((run) =>
          collected(
            metric,
            both.map((pair) => pair[run as 0 | 1]),
          ),
        );
        const there = await compareMetric(a!, b!, { ...CLUSTER, resamples: 79 });
        const back = await compareMetric(b!, a!, { ...CLUSTER, resamples: 79 });
        expect([back.a, back.b, back.n, back.unmatched]).toEqual([
          there.b,
          there.a,
          there.n,
          there.unmatched,
        ]);
        expect(back.reason).toBe(there.reason);
        expect(back.difference === null).toBe(there.difference === null);
        expect(back.difference ?? 0).toBeCloseTo(-(there.difference ?? 0), 9);
        expect(back.pValue ?? 2).toBeCloseTo(there.pValue ?? 2, 9);
        if (there.ci) expect(there.ci.low).toBeLessThanOrEqual(there.ci.high);
        // What is not there has a reason.
        if (there.ci === null || there.pValue === null) expect(there.reason).toBeTruthy();
      }),
      { numRuns: 60 },
    );
  });

  it.each(columns)('a run differs from itself by nothing: $kind', async (metric, row) => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), async (rows) => {
        const run = () => collected(metric, rows);
        const { difference, pValue, ci, unmatched } = await compareMetric(run(), run(), {
          ...CLUSTER,
          resamples: 79,
        });
        expect([0, null]).toContain(difference);
        expect([1, null]).toContain(pValue);
        expect(unmatched).toBe(0);
        // Equal differences say nothing of how they scatter; a share has a score interval all the same.
        if (metric.kind === 'share' && difference !== null) {
          expect(ci!.high).toBeGreaterThan(0);
          expect(ci!.low).toBeCloseTo(-ci!.high, 12);
        } else expect(ci).toBeNull();
      }),
      { numRuns: 40 },
    );
  });
});
