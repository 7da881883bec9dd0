/** Gates, means, intervals and tests against the float64 oracle, which shares no code with the product. */
import { describe, expect, test } from 'vitest';
import {
  aggregateSync,
  benjaminiHochberg,
  gate,
  holm,
  mcnemar,
  pairedDifference,
  pairedDifferenceSync,
  wilson,
} from '../../src/numbers/index.ts';
import {
  bcaInterval,
  benjaminiHochbergAdjusted,
  clusterInterval,
  clusterPValue,
  type Ends,
  gatedMean,
  gateOf,
  holmAdjusted,
  mcnemarExact,
  normalCdf,
  normalInterval,
  percentileInterval,
  resampledMeans,
  type Step,
  wilsonInterval,
} from '../oracle/statistics.ts';
import { expectColumn, expectNear, FLOAT64, NOISE, uniforms } from './helpers.ts';

/** The oracle's quantiles are integrated and bisected: ten digits of them are safe. */
const INTEGRATED = 1e-8;

/** Skewed values, two thirds of them gated, in clusters whose ids are neither in order nor next to each other. */
function steps(seed: number, count: number, clusters: number): Step[] {
  const [values, gates, ids] = [uniforms(seed, count), uniforms(seed + 1, count), uniforms(seed + 2, count)];
  return values.map((u, i) => ({
    value: u * u + 0.1 * Math.floor(ids[i]! * clusters),
    gate: gates[i]! < 2 / 3 ? 1 : 0,
    cluster: 1000 - 7 * Math.floor(ids[i]! * clusters),
  }));
}

function columns(of: readonly Step[]) {
  return {
    values: Float64Array.from(of, (step) => step.value),
    gate: Uint8Array.from(of, (step) => step.gate),
    cluster: Uint32Array.from(of, (step) => step.cluster),
  };
}

function expectEnds(got: Ends | null, want: Ends, tolerance: number): void {
  expect(got).not.toBeNull();
  expectNear(got!.low, want.low, tolerance, NOISE, 'low');
  expectNear(got!.high, want.high, tolerance, NOISE, 'high');
}

const samples = [
  ['few', steps(1, 9, 3)],
  ['some', steps(5, 120, 11)],
  ['many', steps(9, 2000, 90)],
] as const;

describe('means and intervals', () => {
  test.each(samples)('normal and cluster: %s', (_, sample) => {
    const { values, gate: gates, cluster } = columns(sample);
    const normal = aggregateSync(values, { gate: gates, cluster, ci: 'normal' });
    expectNear(normal.mean, gatedMean(sample));
    expectEnds(normal.ci, normalInterval(sample), FLOAT64);
    for (const level of [0.5, 0.95, 0.99]) {
      const got = aggregateSync(values, { gate: gates, cluster, level });
      expectEnds(got.ci, clusterInterval(sample, level), INTEGRATED);
      expect(got.ci).toMatchObject({ method: 'cluster', level });
    }
  });

  test.each(samples)('bootstrap, resample by resample: %s', (_, sample) => {
    const { values, gate: gates, cluster } = columns(sample);
    for (const seed of [0, 5, 2 ** 40 + 3]) {
      const means = resampledMeans(sample, 99, seed);
      const options = { gate: gates, cluster, ci: 'bootstrap', resamples: 99, seed } as const;
      const percentile = aggregateSync(values, { ...options, bootstrap: 'percentile' });
      expectEnds(percentile.ci, percentileInterval(means), FLOAT64);
      const bca = aggregateSync(values, options);
      expectEnds(bca.ci, bcaInterval(sample, means), INTEGRATED);
      expect(bca.ci).toMatchObject({ method: 'bootstrap', bootstrap: 'bca', resamples: 99, seed });
    }
  });

  test.each([1, 2, 3, 8, 1000])('the seed alone decides, on %i threads as on one', (threads) => {
    const { values, gate: gates, cluster } = columns(steps(20, 5000, 400));
    const options = { gate: gates, cluster, ci: 'bootstrap', seed: 17 } as const;
    expect(aggregateSync(values, { ...options, threads })).toEqual(aggregateSync(values, options));
    const other = aggregateSync(values, { ...options, threads, seed: 18 });
    expect(other.ci).not.toEqual(aggregateSync(values, options).ci);
  });

  test('too little data gives null and a reason, never an interval', () => {
    const one = Float64Array.of(0.5);
    for (const ci of ['normal', 'cluster', 'bootstrap'] as const) {
      expect(aggregateSync(one, { ci })).toMatchObject({
        mean: 0.5,
        ci: null,
        reason: expect.stringContaining('only 1'),
      });
      const none = aggregateSync(Float64Array.of(Number.NaN), { gate: Uint8Array.of(0), ci });
      expect(none).toEqual({ mean: 0, n: 1, gatedSteps: 0, coverage: 0, ci: null, reason: 'no step counts' });
    }
  });

  test('Wilson', () => {
    for (const [successes, n] of [
      [0, 3],
      [1, 1],
      [12, 40],
      [99_999, 100_000],
    ] as const) {
      expectEnds(wilson(successes, n), wilsonInterval(successes, n), FLOAT64);
    }
  });
});

describe('comparisons', () => {
  test.each(samples)('paired difference: %s', async (_, sample) => {
    const { values, gate: gates, cluster } = columns(sample);
    const other = Float64Array.from(uniforms(77, values.length), (u) => u / 3);
    const differences = sample.map((step, i) => ({ ...step, value: step.value - other[i]! }));
    const options = { gate: gates, cluster };
    const got = pairedDifferenceSync(values, other, options);
    expect(await pairedDifference(values, other, options)).toEqual(got);
    expectNear(got.mean!, gatedMean(differences));
    expectEnds(got.ci, clusterInterval(differences), INTEGRATED);
    expectNear(got.pValue!, clusterPValue(differences), INTEGRATED, 1e-12, 'p');

    const normal = pairedDifferenceSync(values, other, { ...options, ci: 'normal' });
    const { low, high } = normalInterval(differences);
    const z = gatedMean(differences) / ((high - low) / 2 / 1.96);
    expectNear(normal.pValue!, 2 * normalCdf(-Math.abs(z)), INTEGRATED, 1e-12, 'p');
  });

  test('a bootstrap p-value counts resamples beyond 0', () => {
    const sample = steps(30, 60, 12).map((step) => ({ ...step, value: step.value - 0.75 }));
    const { values, gate: gates, cluster } = columns(sample);
    const options = {
      gate: gates,
      cluster,
      ci: 'bootstrap',
      bootstrap: 'percentile',
      resamples: 399,
    } as const;
    const got = pairedDifferenceSync(values, new Float64Array(values.length), options);
    const below = resampledMeans(sample, 399, 0).filter((mean) => mean < 0).length / 399;
    expect(below).toBeGreaterThan(0.01);
    expect(below).toBeLessThan(0.99);
    expectNear(got.pValue!, 2 * Math.min(below, 1 - below), INTEGRATED);
  });

  test('McNemar', () => {
    for (const [b, c] of [
      [0, 1],
      [3, 3],
      [2, 11],
      [40, 70],
      [700, 300],
      [499, 501],
    ] as const) {
      const got = mcnemar(b, c);
      expect(got).toMatchObject({ method: 'exact', n: b + c, statistic: Math.min(b, c) });
      expectNear(got.pValue!, mcnemarExact(b, c));
    }
    const large = mcnemar(2000, 2200);
    expect(large).toMatchObject({ method: 'chi2', statistic: 199 ** 2 / 4200 });
    expectNear(large.pValue!, 2 * normalCdf(-Math.sqrt(199 ** 2 / 4200)), INTEGRATED);
    const none = mcnemar(0, 0);
    expect(none).toEqual({
      statistic: null,
      pValue: null,
      method: 'exact',
      n: 0,
      reason: expect.any(String),
    });
  });

  test('Holm, Benjamini and Hochberg', () => {
    for (const p of [[], [0.5], [0.01, 0.01, 0.2], [0, 1, 0.3], uniforms(50, 40).map((u) => u ** 3)]) {
      expectColumn(holm(Float64Array.from(p)), p.length === 0 ? [] : holmAdjusted(p));
      expectColumn(
        benjaminiHochberg(Float64Array.from(p)),
        p.length === 0 ? [] : benjaminiHochbergAdjusted(p),
      );
    }
  });
});

test('gates', () => {
  for (const [seed, window, stepsAfter] of [
    [60, 1, 0],
    [61, 8, 3],
    [62, 4, 1],
    [63, 50, 60],
  ] as const) {
    const flags = (at: number, share: number): Uint8Array =>
      Uint8Array.from(uniforms(seed + 10 * at, 50), (u) => (u < share ? 1 : 0));
    const [topKHits, occupation, pronounOrName] = [flags(1, 0.05), flags(2, 0.1), flags(3, 0.1)];
    const got = gate({ topKHits, occupation, pronounOrName, window, stepsAfter });
    const want = gateOf([...topKHits], [...occupation], [...pronounOrName], window, stepsAfter);
    expect([...got.gate]).toEqual(want);
    expect(got.coverage).toBe(want.filter((open) => open === 1).length / 50);
  }
});
