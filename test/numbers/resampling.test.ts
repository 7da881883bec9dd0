/** The bootstrap of ratios against the float64 oracle, resample by resample, and what holds of it for all inputs. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  aggregateSync,
  bootstrapRatios,
  bootstrapRatiosSync,
  percentileInterval,
  percentileIntervalSync,
} from '../../src/numbers/index.ts';
import {
  percentileInterval as oracleInterval,
  type RatioRow,
  ratiosOf,
  resampledRatios,
} from '../oracle/statistics.ts';
import { expectColumn, expectNear, FLOAT64, uniforms } from './helpers.ts';

/** Shares of a distribution go through the normal quantile, there and back. */
const NORMAL_ROUNDING = 1e-9;

/** Rows of three columns in clusters whose ids do not ascend: a mean, a token-weighted mean, a mean that few clusters have. */
function rows(seed: number, count: number, clusters: number): RatioRow[] {
  const [ids, u, v] = [uniforms(seed, count), uniforms(seed + 1, count), uniforms(seed + 2, count)];
  return ids.map((id, i) => {
    const cluster = 1000 - 7 * Math.floor(id * clusters);
    const [weight, rare] = [Math.floor(10 * v[i]!), cluster % 3 === 0 ? 1 : 0];
    return { cluster, above: [u[i]! < 0.6 ? 1 : 0, -weight * u[i]!, rare * u[i]!], below: [1, weight, rare] };
  });
}

function inputs(of: readonly RatioRow[]) {
  return {
    numerators: Float64Array.from(of.flatMap((row) => row.above)),
    denominators: Float64Array.from(of.flatMap((row) => row.below)),
    cluster: Uint32Array.from(of, (row) => row.cluster),
    columns: 3,
  };
}

/** One number a resample, made of its ratios. */
function each(resampled: Float64Array, make: (...ratios: [number, number, number]) => number): Float64Array {
  return Float64Array.from({ length: resampled.length / 3 }, (_, i) => {
    const [a, b, c] = resampled.subarray(3 * i, 3 * i + 3);
    return make(a!, b!, c!);
  });
}

const samples = [
  ['few', rows(1, 9, 3)],
  ['some', rows(5, 120, 11)],
  ['many', rows(9, 900, 90)],
] as const;

describe('ratios', () => {
  test.each(samples)('resample by resample: %s', async (_, sample) => {
    for (const seed of [0, 5, 2 ** 40 + 3]) {
      const options = { ...inputs(sample), resamples: 60, seed };
      const got = bootstrapRatiosSync(options);
      expect(await bootstrapRatios(options)).toEqual(got);
      expectColumn(got.ratios, ratiosOf(sample, 3), 'ratios');
      expectColumn(got.resampled!, resampledRatios(sample, 3, 60, seed).flat(), 'resampled');
      expect(got.clusters).toBe(new Set(sample.map((row) => row.cluster)).size);
      expect(got.reason).toBeUndefined();
    }
  });

  test.each([1, 2, 3, 8, 1000])('the seed alone decides, on %i threads as on one', (threads) => {
    const options = { ...inputs(samples[2][1]), seed: 17, threads: 1 };
    const got = bootstrapRatiosSync({ ...options, threads });
    expect(got).toEqual(bootstrapRatiosSync(options));
    expect(got.resampled).toHaveLength(30_000);
    expect(bootstrapRatiosSync({ ...options, seed: 18 }).resampled).not.toEqual(got.resampled);
  });

  test('two runs over the same rows draw alike, whatever their numbers', () => {
    const sample = samples[1][1];
    const first = inputs(sample);
    // The second run is twice the first plus 1: so is each of its resamples, to the rounding.
    const second = first.numerators.map((x, i) => 2 * x + first.denominators[i]!);
    const options = { ...first, resamples: 200, seed: 3 };
    const a = bootstrapRatiosSync(options).resampled!;
    const b = bootstrapRatiosSync({ ...options, numerators: second }).resampled!;
    expectColumn(
      b,
      [...a].map((x) => 2 * x + 1),
      'second',
    );
    // Other clusters are other draws.
    const cluster = first.cluster.map((id, i) => (i === 0 ? 2000 : id));
    expect(bootstrapRatiosSync({ ...options, cluster }).resampled).not.toEqual(a);
  });

  test('a number that is a single ratio has the interval of aggregate', () => {
    const sample = samples[2][1];
    const { numerators, cluster } = inputs(sample);
    const values = numerators.filter((_, i) => i % 3 === 0);
    const ones = new Float64Array(values.length).fill(1);
    const options = { cluster, resamples: 999, seed: 4 };
    const found = bootstrapRatiosSync({ numerators: values, denominators: ones, columns: 1, ...options });
    const want = aggregateSync(values, { ...options, ci: 'bootstrap', bootstrap: 'percentile' });
    expectNear(found.ratios[0]!, want.mean);
    const { ci } = percentileIntervalSync(found.resampled!);
    expectNear(ci!.low, want.ci!.low);
    expectNear(ci!.high, want.ci!.high);
  });

  test('a single cluster gives its ratios and a reason', () => {
    const one = samples[0][1].map((row) => ({ ...row, cluster: 8 }));
    const got = bootstrapRatiosSync(inputs(one));
    expect(got).toMatchObject({ resampled: null, clusters: 1, reason: expect.stringContaining('only 1') });
    expectColumn(got.ratios, ratiosOf(one, 3));
  });

  test('any rows: means lie among their values, and NaN stands for no denominator alone', () => {
    const number = fc.integer({ min: -64, max: 64 }).map((n) => n / 8);
    const row = fc.record({
      cluster: fc.nat(5),
      above: fc.tuple(number, number),
      below: fc.tuple(fc.constant(1), fc.nat(1)),
    });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), fc.nat(1000), (list, seed) => {
        const gated = list.map(({ cluster, above, below }) => ({
          cluster,
          above: [above[0], above[1] * below[1]],
          below,
        }));
        const got = bootstrapRatiosSync({
          numerators: Float64Array.from(gated.flatMap((r) => r.above)),
          denominators: Float64Array.from(gated.flatMap((r) => r.below)),
          cluster: Uint32Array.from(gated, (r) => r.cluster),
          columns: 2,
          resamples: 20,
          seed,
        });
        const want = resampledRatios(gated, 2, 20, seed).flat();
        expectColumn(got.ratios, ratiosOf(gated, 2));
        expect(got.resampled === null).toBe(got.clusters < 2);
        if (got.resampled === null) return;
        expectColumn(got.resampled, want);
        const [low, high] = [
          Math.min(...list.map((r) => r.above[0])),
          Math.max(...list.map((r) => r.above[0])),
        ];
        for (let i = 0; i < got.resampled.length; i += 2) {
          expect(got.resampled[i]!).toBeGreaterThanOrEqual(low - FLOAT64);
          expect(got.resampled[i]!).toBeLessThanOrEqual(high + FLOAT64);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('percentile intervals', () => {
  test.each(samples.slice(1))('of a number made of ratios: %s', async (_, sample) => {
    const { resampled } = bootstrapRatiosSync({ ...inputs(sample), resamples: 999, seed: 2 });
    const scores = each(resampled!, (a, b) => Math.exp(b) * (Math.min(a, 1 - a) / 0.5));
    const want = resampledRatios(sample, 3, 999, 2).map(
      ([a, b]) => Math.exp(b!) * (Math.min(a!, 1 - a!) / 0.5),
    );
    const ascending = want.sort((a, b) => a - b);
    for (const level of [0.5, 0.9, 0.95]) {
      const got = percentileIntervalSync(scores, { level });
      expect(await percentileInterval(scores, { level })).toEqual(got);
      const ends = oracleInterval(ascending, level);
      expectNear(got.ci!.low, ends.low, NORMAL_ROUNDING);
      expectNear(got.ci!.high, ends.high, NORMAL_ROUNDING);
      expect(got.ci).toMatchObject({ method: 'percentile', level, resamples: 999 });
      expect(got).toMatchObject({ missing: 0 });
    }
    const centre = ascending[200]!;
    const p = percentileIntervalSync(scores.map((x) => x - centre)).pValue!;
    expectNear(p, (2 * 200.5) / 999, NORMAL_ROUNDING);
  });

  test('resamples without the number are counted, and too many of them give no interval', () => {
    const { resampled } = bootstrapRatiosSync({ ...inputs(samples[0][1]), resamples: 999 });
    const rare = each(resampled!, (_, __, c) => c);
    const missing = rare.filter(Number.isNaN).length;
    expect(missing).toBeGreaterThan(100);
    const got = percentileIntervalSync(rare);
    expect(got).toMatchObject({ ci: null, pValue: null, missing });
    expect(got.reason).toContain(`${missing} of 999 resamples`);
    const few = Float64Array.from({ length: 1000 }, (_, i) => (i < 10 ? Number.NaN : i));
    expect(percentileIntervalSync(few)).toMatchObject({ missing: 10, ci: { resamples: 990 } });
  });

  test('ends ascend with the level, p-values agree with intervals, and order does not show', () => {
    const value = fc.integer({ min: -500, max: 800 }).map((n) => n / 16);
    fc.assert(
      fc.property(fc.array(value, { minLength: 79, maxLength: 400 }), (list) => {
        const values = Float64Array.from(list);
        const [narrow, wide] = [
          percentileIntervalSync(values, { level: 0.9 }),
          percentileIntervalSync(values),
        ];
        expect(percentileIntervalSync(values.toReversed())).toEqual(wide);
        expect(wide.ci!.low).toBeLessThanOrEqual(narrow.ci!.low);
        expect(wide.ci!.high).toBeGreaterThanOrEqual(narrow.ci!.high);
        expect(Math.min(...list)).toBeLessThanOrEqual(wide.ci!.low);
        if (wide.pValue === null) return;
        expect(wide.pValue).toBeGreaterThanOrEqual((2 / (list.length + 1)) * (1 - NORMAL_ROUNDING));
        expect(wide.pValue).toBeLessThanOrEqual(1);
        // One resample more or less on a side may tip the two apart.
        if (wide.pValue < 0.05 - 2 / list.length) expect(wide.ci!.low > 0 || wide.ci!.high < 0).toBe(true);
        if (wide.pValue > 0.05 + 2 / list.length) expect(wide.ci!.low <= 0 && wide.ci!.high >= 0).toBe(true);
      }),
    );
  });
});
