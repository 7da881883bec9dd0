/** Ranges, two ways to cluster, shares and effects through the public functions; their numbers are tested in the core. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../src/contract/index.ts';
import {
  Aggregator,
  aggregate,
  aggregateSync,
  checkInterval,
  cohenD,
  cohenH,
  type IntervalOptions,
  meanEquivalence,
  minimumDetectableEffect,
  oddsRatio,
  pairedDifferenceSync,
  pairedOddsRatio,
  share,
  shareEquivalence,
  signFlip,
  signFlipSync,
  tango,
} from '../../src/numbers/index.ts';
import { findSuite, suiteNames } from '../../src/suites/registry.ts';
import { fault, faultOf } from '../fault.ts';
import { logInterval, logitInterval, type Step, tangoInterval } from '../oracle/statistics.ts';

const VALUES = [0.02, 0.4, 0.11, 0.05, 0.3, 0.01, 0.2, 0.08];
const COLUMN = Float64Array.from(VALUES);
const CLUSTER = Uint32Array.of(0, 0, 1, 1, 2, 2, 3, 3);
const SECOND = Uint32Array.of(0, 1, 0, 1, 0, 1, 0, 1);
const STEPS = VALUES.map((value, at): Step => ({ value, gate: 1, cluster: CLUSTER[at]! }));

interface SignFlipCase {
  readonly values: readonly number[];
  readonly cluster: readonly number[] | null;
  readonly level: number;
  readonly pValue: number;
  readonly nullHigh: number;
  readonly clusters: number;
}

describe('a range', () => {
  it('puts the interval on the logit or log scale, as textbooks have it', async () => {
    const { ci } = await aggregate(COLUMN, { cluster: CLUSTER, range: [0, 1] });
    const { low, high } = logitInterval(STEPS, [0, 1]);
    expect(ci).toMatchObject({ scale: 'logit', low: expect.closeTo(low, 9), high: expect.closeTo(high, 9) });
    const half = aggregateSync(COLUMN, { cluster: CLUSTER, range: [0, Number.POSITIVE_INFINITY] }).ci;
    const log = logInterval(STEPS);
    expect(half).toMatchObject({
      scale: 'log',
      low: expect.closeTo(log.low, 9),
      high: expect.closeTo(log.high, 9),
    });
  });

  it('is known to an aggregator, and cuts the interval that is defined by its formula', () => {
    const parts = new Aggregator().add({ values: COLUMN, cluster: CLUSTER });
    const whole = aggregateSync(COLUMN, { cluster: CLUSTER, range: [0, 1] });
    expect(parts.resultSync({ range: [0, 1] })).toEqual(whole);
    const few = Float64Array.of(0, 0.01, 0.5);
    const normal = aggregateSync(few, { ci: 'normal', range: [0, 1] }).ci;
    expect(normal).toMatchObject({ scale: 'identity', clipped: true, low: 0 });
    expect(aggregateSync(few, { ci: 'normal' }).ci).not.toHaveProperty('clipped');
  });

  it('that is none, and a mean outside it, are refused', async () => {
    for (const range of [[1, 0], [0, 0], [0], [0, 1, 2], [Number.NaN, 1]]) {
      const fault = await faultOf(() => aggregateSync(COLUMN, { range: range as never }));
      expect(fault.code).toBe('bad_argument');
    }
    expect((await faultOf(() => aggregateSync(COLUMN, { range: [0.5, 1] }))).code).toBe('bad_argument');
    expect((await faultOf(() => aggregateSync(COLUMN, { range: '01' as never }))).code).toBe('bad_argument');
  });
});

describe('values that are all equal', () => {
  it('have no interval, whatever the method, and the reason', () => {
    for (const ci of ['cluster', 'normal', 'bootstrap'] as const) {
      const found = aggregateSync(new Float64Array(396), { ci });
      expect(found).toMatchObject({
        mean: 0,
        ci: null,
        reason: expect.stringMatching(/all values are equal/),
      });
      const difference = pairedDifferenceSync(COLUMN, COLUMN, { ci });
      expect(difference).toMatchObject({ mean: 0, ci: null, pValue: null });
    }
  });

  it('of yes and no have a score interval', () => {
    const { ci } = share(new Uint8Array(396));
    expect(ci).toMatchObject({ method: 'wilson', low: 0 });
    expect(ci!.high).toBeGreaterThan(0.005);
    expect(tango(0, 0, 396)).toMatchObject({ mean: 0, high: expect.closeTo(3.8414588 / 399.8414588, 8) });
  });
});

describe('two ways to cluster', () => {
  it('count both, and need a first', async () => {
    const found = aggregateSync(COLUMN, { cluster: CLUSTER, cluster2: SECOND });
    expect(found.ci).toMatchObject({ clusters: 4, clusters2: 2 });
    const one = aggregateSync(COLUMN, { cluster: CLUSTER }).ci!;
    expect(found.ci!.high - found.ci!.low).toBeGreaterThan(one.high - one.low);
    expect((await faultOf(() => aggregateSync(COLUMN, { cluster2: SECOND }))).code).toBe('bad_argument');
    const hits = Uint8Array.from(VALUES, (value) => Number(value > 0.1));
    expect(share(hits, { cluster: CLUSTER, cluster2: SECOND }).ci).toMatchObject({
      method: 'clusterWilson',
      clusters: 4,
      clusters2: 2,
    });
  });
});

describe('a difference of shares', () => {
  it.each([
    [12, 2, 50],
    [0, 0, 9],
    [7, 0, 7],
    [1, 7, 21],
    [300, 280, 2000],
  ])('of %i and %i disagreements in %i rows has the ends of a score test', (b, c, n) => {
    const { low, high } = tango(b, c, n);
    const want = tangoInterval(b, c, n);
    expect(low).toBeCloseTo(want.low, 6);
    expect(high).toBeCloseTo(want.high, 6);
  });
});

describe('sign flips', () => {
  const { cases } = JSON.parse(
    readFileSync(new URL('../vectors/sign-flip.json', import.meta.url), 'utf8'),
  ) as { cases: SignFlipCase[] };

  it.each(cases)('give what SciPy counts: $pValue', async ({ values, cluster, level, ...expected }) => {
    const options = { level, ...(cluster === null ? {} : { cluster: Uint32Array.from(cluster) }) };
    const found = await signFlip(Float64Array.from(values), options);
    expect(found.pValue).toBe(expected.pValue);
    expect(found.nullHigh).toBeCloseTo(expected.nullHigh, 12);
    expect(found).toMatchObject({ clusters: expected.clusters, n: values.length, exact: true });
    expect(signFlipSync(Float64Array.from(values), options)).toEqual(found);
  });

  it('are drawn by the seed where clusters are many, and need two', async () => {
    const values = Float64Array.from({ length: 60 }, (_, at) => Math.sin(at * 7) + 0.2);
    const found = await signFlip(values);
    expect(found).toMatchObject({ clusters: 60, exact: false });
    expect(await signFlip(values)).toEqual(found);
    expect((await signFlip(values, { seed: 1 })).nullHigh).not.toBe(found.nullHigh);
    // Under flips the mean has the variance sum(x^2) / n^2.
    const spread = Math.sqrt(values.reduce((sum, x) => sum + x * x, 0)) / 60;
    expect(Math.abs(found.nullHigh! / (1.96 * spread) - 1)).toBeLessThan(0.05);
    const one = signFlipSync(Float64Array.of(1, 2), { cluster: Uint32Array.of(4, 4) });
    expect(one).toMatchObject({ mean: 1.5, pValue: null, nullHigh: null });
    expect(one.reason).toContain('one cluster');
  });
});

describe('effects', () => {
  it('are found by their names', () => {
    const b = COLUMN.map((value) => value / 2);
    expect(cohenD(COLUMN, b, { paired: true }).d).toMatchObject({ level: 0.95 });
    expect(cohenD(COLUMN, COLUMN, { paired: true })).toMatchObject({ d: null, reason: expect.any(String) });
    expect(oddsRatio(30, 10, 18, 22)).toMatchObject({ value: expect.closeTo(11 / 3, 12), corrected: false });
    expect(pairedOddsRatio(12, 2).value).toBe(6);
    expect(cohenH(1, 2, 1, 2).value).toBe(0);
    const equivalent = meanEquivalence(COLUMN, b, 0.5, { cluster: CLUSTER });
    expect(equivalent.pEquivalence).toBeLessThan(0.05);
    expect(shareEquivalence(12, 9, 100, 0.15).pNonInferiority).toBeCloseTo(2.1552607e-4, 10);
    expect(minimumDetectableEffect(50).d).toBeCloseTo(0.404183002, 8);
  });

  it('refuse what is none', async () => {
    const wrong = [
      () => cohenD(COLUMN, new Float64Array(2), { paired: true }),
      () => oddsRatio(-1, 1, 1, 1),
      () => pairedOddsRatio(0.5, 1),
      () => cohenH(3, 2, 1, 2),
      () => meanEquivalence(COLUMN, COLUMN, 0),
      () => shareEquivalence(1, 1, 9, 2),
      () => minimumDetectableEffect(1),
      () => tango(3, 3, 5),
      () => share(Uint8Array.of(2)),
    ];
    for (const call of wrong) {
      expect(['bad_argument', 'length_mismatch']).toContain((await faultOf(call)).code);
    }
  });
});

/** Suites whose metrics follow from their options alone. */
const PLAIN = suiteNames().filter((name) => findSuite(name).lexicon === 'none');

describe('every metric of', () => {
  it.each(PLAIN)('%s has the range of its quantity', (name) => {
    const suite = findSuite(name);
    const options = resolveOptions(suite.name, suite.options, {});
    const context = { options, compat: null, lexicon: null, mapping: null, occupations: [], addsBos: true };
    const metrics = suite.metrics(context as never);
    expect(metrics.length).toBeGreaterThan(0);
    for (const metric of metrics) expect(metric.range, metric.name).toBeDefined();
  });
});

describe('checkInterval', () => {
  it('refuses what the measurement would refuse, with its words, before there are values', () => {
    const values = Float64Array.of(0, 1, 3);
    const options: IntervalOptions[] = [
      { level: 1.5 },
      { level: Number.NaN },
      { ci: 'exact' as 'normal' },
      { seed: -1 },
      { range: [1, 0] },
      { ci: 'bootstrap', resamples: 10 },
      { ci: 'bootstrap', resamples: 0.5 },
      { ci: 'bootstrap', resamples: 20_000_000 },
      { ci: 'bootstrap', threads: 0 },
    ];
    for (const own of options) {
      const refused = fault(() => aggregateSync(values, own));
      expect(refused.code).toBe('bad_argument');
      expect(fault(() => checkInterval(own))).toMatchObject({
        code: refused.code,
        message: refused.message,
      });
    }
  });

  it('lets pass what can be measured; a method without draws does not look at how many', () => {
    for (const own of [
      undefined,
      {},
      { ci: 'bootstrap', resamples: 39 },
      { ci: 'normal', resamples: 10 },
    ] as const) {
      expect(checkInterval(own)).toBeUndefined();
    }
  });

  it('of numbers made of ratios has draws, whatever the method, and counts them', () => {
    const options = { resamples: 4_000_000 };
    expect(checkInterval(options, 2)).toBeUndefined();
    expect(fault(() => checkInterval({ resamples: 10 }, 1)).message).toMatch(/too few for level 0.95/);
    expect(fault(() => checkInterval(options, 3))).toMatchObject({ data: { input: 'resamples' } });
  });
});
