/** The aggregator: what it gives for parts is what `aggregate` gives for the whole, through JSON and across merges. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AggregateResult, Aggregator, aggregateSync } from '../../src/numbers/index.ts';
import { expectNear, uniforms } from './helpers.ts';

/** Parts and whole differ by the last rounding alone. */
const WHOLE = 1e-12;

const METHODS = [
  { ci: 'normal' },
  { ci: 'cluster' },
  { ci: 'bootstrap', resamples: 99, seed: 4 },
  { ci: 'bootstrap', bootstrap: 'percentile', resamples: 99 },
] as const;

interface Row {
  readonly value: number;
  readonly open: boolean;
  readonly id: number;
}

const rows = fc.array(
  fc.record({
    value: fc.double({ min: -100, max: 100, noNaN: true }),
    open: fc.boolean(),
    id: fc.integer({ min: 0, max: 7 }),
  }),
  { minLength: 1, maxLength: 40 },
);

type Ids = 'none' | 'numbers' | 'names';

function columns(of: readonly Row[], ids: Ids) {
  return {
    values: Float64Array.from(of, (row) => row.value),
    gate: Uint8Array.from(of, (row) => (row.open ? 1 : 0)),
    ...(ids === 'numbers' && { cluster: Uint32Array.from(of, (row) => row.id) }),
    ...(ids === 'names' && { cluster: of.map((row) => `prompt ${row.id}`) }),
  };
}

function expectSame(got: AggregateResult, want: AggregateResult): void {
  const near = (a: number, b: number): void => expectNear(a, b, WHOLE, WHOLE * 100);
  near(got.mean, want.mean);
  if (got.ci && want.ci) {
    near(got.ci.low, want.ci.low);
    near(got.ci.high, want.ci.high);
  }
  const rest = ({ mean: _, ci, ...others }: AggregateResult) => ({ ...others, clusters: ci?.clusters });
  expect(rest(got)).toEqual(rest(want));
}

function throughJson(aggregator: Aggregator): Aggregator {
  return Aggregator.fromJSON(JSON.parse(JSON.stringify(aggregator)));
}

describe('parts and whole', () => {
  test.each(['none', 'numbers', 'names'] as const)('clusters: %s', (ids) => {
    fc.assert(
      fc.property(rows, fc.array(fc.nat(40), { maxLength: 4 }), fc.boolean(), (all, cuts, backwards) => {
        const bounds = [0, ...cuts.map((cut) => Math.min(cut, all.length)).sort((a, b) => a - b), all.length];
        const parts = bounds
          .slice(1)
          .map((end, i) => throughJson(new Aggregator().add(columns(all.slice(bounds[i], end), ids))));
        if (backwards) parts.reverse();
        const merged = parts.reduce((whole, part) => whole.merge(part), new Aggregator());
        // Names are in the order of the numbers, so that a bootstrap draws alike.
        const { values, gate, cluster } = columns(all, ids === 'names' ? 'numbers' : ids);
        for (const options of METHODS) {
          const whole = aggregateSync(values, {
            gate,
            ...(cluster && { cluster: cluster as Uint32Array }),
            ...options,
          });
          expectSame(merged.resultSync(options), whole);
        }
      }),
    );
  });
});

test('JSON keeps everything', () => {
  for (const ids of ['none', 'numbers', 'names'] as const) {
    const all = uniforms(3, 200).map((value, i) => ({ value: value / 3, open: i % 3 > 0, id: i % 17 }));
    const aggregator = new Aggregator().add(columns(all, ids));
    expect(throughJson(aggregator).toJSON()).toEqual(aggregator.toJSON());
    for (const options of METHODS) {
      expect(throughJson(aggregator).resultSync(options)).toEqual(aggregator.resultSync(options));
    }
  }
  expect(new Aggregator().toJSON()).toEqual({
    format: 'logit-audit/aggregator',
    version: 1,
    steps: 0,
    squares: [0, 0],
    values: null,
    clusters: null,
  });
});

test('memory is bounded by the clusters, not by the steps', () => {
  const aggregator = new Aggregator();
  const values = Float64Array.from(uniforms(8, 10_000));
  const cluster = Uint32Array.from(values, (_, i) => i % 10);
  for (let i = 0; i < 20; i += 1) aggregator.add({ values, cluster });
  const state = aggregator.toJSON();
  expect(state.steps).toBe(200_000);
  expect(state.clusters).toMatchObject({ ids: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] });
  expect(JSON.stringify(state).length).toBeLessThan(2000);
});

test('a result under way does not see what is added after its call', async () => {
  const aggregator = new Aggregator().add({ values: Float64Array.of(1, 2, 4) });
  const before = aggregator.resultSync();
  const promised = aggregator.result();
  aggregator.add({ values: Float64Array.of(100) });
  expect(await promised).toEqual(before);
  expect(aggregator.resultSync().n).toBe(4);
});

test('an aggregator merged into itself counts twice, and others stay as they are', () => {
  const one = new Aggregator().add({ values: Float64Array.of(1, 2), cluster: ['a', 'b'] });
  const other = new Aggregator().add({ values: Float64Array.of(3), cluster: ['b'] });
  one.merge(one).merge(other);
  expect(one.toJSON().clusters).toEqual({
    by: 'name',
    ids: ['a', 'b'],
    weights: [2, 3],
    sums: [2, 7],
    rests: [0, 0],
  });
  expect(other.resultSync()).toMatchObject({ mean: 3, n: 1 });
});

test('an added batch that is refused leaves no trace', () => {
  const aggregator = new Aggregator().add({ values: Float64Array.of(1, 2) });
  const before = aggregator.toJSON();
  expect(() => aggregator.add({ values: Float64Array.of(5, Number.NaN) })).toThrow('`values`');
  expect(() => aggregator.add({ values: Float64Array.of(5), cluster: ['a'] })).toThrow('`cluster`');
  expect(aggregator.toJSON()).toEqual(before);
});
