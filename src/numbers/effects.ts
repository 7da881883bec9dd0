/**
 * How large an effect is, whether it is small enough to count as none, and which effects a test of so many rows finds. Part of
 * `logit-audit/metrics`; definitions and sources are in docs/metrics.md.
 */
import { checkArgument, checkObject, type Fields } from '../native/arguments.ts';
import { inPlace } from '../native/memory.ts';
import { callingSync, type MetricsAddon } from '../native/metrics.ts';

/** Which standard deviation d is divided by. */
export type CohenDOptions = NonNullable<Parameters<MetricsAddon['cohenD']>[2]>;
/** A difference in units of a standard deviation, with its interval. */
export type StandardisedDifference = ReturnType<MetricsAddon['cohenD']>;
/** An effect size with its interval. */
export type Effect = ReturnType<MetricsAddon['cohenH']>;
/** An odds ratio with its interval. */
export type OddsRatio = ReturnType<MetricsAddon['oddsRatio']>;
/** Margin and level of a test of equivalence. */
export type EquivalenceOptions = NonNullable<Parameters<MetricsAddon['meanEquivalence']>[3]>;
/** Two one-sided tests of a difference within a margin. */
export type Equivalence = ReturnType<MetricsAddon['meanEquivalence']>;
/** Level and power of a test. */
export type PowerOptions = NonNullable<Parameters<MetricsAddon['minimumDetectableEffect']>[1]>;
/** The smallest effect that a sample of this size finds. */
export type DetectableEffect = ReturnType<MetricsAddon['minimumDetectableEffect']>;

/** Of an effect's interval; 0.95 when left out. */
export interface EffectOptions {
  readonly level?: number;
}

const LEVEL: Fields = { level: 'number' };

/**
 * Cohen's d: the mean difference of two groups in units of their pooled standard deviation (Cohen 1988), or with `paired` d_z, the mean
 * of a - b in units of the standard deviation of the differences. The interval is that of the noncentral t distribution (Steiger and
 * Fouladi 1997); `hedgesG` is d without its bias in small samples (Hedges 1981). Null with a `reason` where nothing scatters. Rows are taken
 * as independent.
 *
 * Throws `empty_input`, `length_mismatch` for pairs that are none, `not_finite`, `bad_argument` for a level outside (0, 1).
 */
export function cohenD(a: Float64Array, b: Float64Array, options?: CohenDOptions): StandardisedDifference {
  return callingSync((addon) => {
    const inputs = inPlace({
      a: checkArgument('a', a, Float64Array),
      b: checkArgument('b', b, Float64Array),
      options: checkObject('options', options, {}, { paired: 'boolean', ...LEVEL }),
    });
    return addon.cohenD(inputs.a, inputs.b, inputs.options);
  });
}

/**
 * The odds of hits in a first group (`a` hits, `b` misses) over those in a second (`c`, `d`), with the interval of Woolf (1955) on the log
 * scale. Where a cell is 0, half a row is added to each (Haldane 1956, Anscombe 1956), and `corrected` is true.
 *
 * Throws `empty_input` for a group without rows, `bad_argument` for what is no count.
 */
export function oddsRatio(a: number, b: number, c: number, d: number, options?: EffectOptions): OddsRatio {
  return callingSync((addon) => {
    for (const [name, count] of Object.entries({ a, b, c, d })) checkArgument(name, count, 'number');
    return addon.oddsRatio(a, b, c, d, checkObject('options', options, {}, LEVEL));
  });
}

/**
 * The conditional odds ratio b / c of two runs over the same rows, of which `b` only the first has as hits and `c` only the second, with the odds
 * of Wilson's ends of b / (b + c) (Fagerland, Lydersen and Laake 2014). Infinite for a `c` of 0.
 *
 * Throws `empty_input` where the runs disagree nowhere, `bad_argument` for what is no count.
 */
export function pairedOddsRatio(b: number, c: number, options?: EffectOptions): Effect {
  return callingSync((addon) => {
    for (const [name, count] of Object.entries({ b, c })) checkArgument(name, count, 'number');
    return addon.pairedOddsRatio(b, c, checkObject('options', options, {}, LEVEL));
  });
}

/**
 * Cohen's h: the difference of two shares of independent rows on the scale 2 asin(sqrt(p)), where its variance is 1/n1 + 1/n2 whatever the shares
 * (Cohen 1988, chapter 6), with the normal interval. In [-pi, pi].
 *
 * Throws `empty_input` for a group without rows, `bad_argument` for more hits than rows.
 */
export function cohenH(
  hits1: number,
  n1: number,
  hits2: number,
  n2: number,
  options?: EffectOptions,
): Effect {
  return callingSync((addon) => {
    for (const [name, count] of Object.entries({ hits1, n1, hits2, n2 }))
      checkArgument(name, count, 'number');
    return addon.cohenH(hits1, n1, hits2, n2, checkObject('options', options, {}, LEVEL));
  });
}

/**
 * Two one-sided tests (TOST: Schuirmann 1987) of the mean of a - b against `margin`, the largest difference that still counts as none, by Student's t
 * over clusters: `pEquivalence` is small where the mean lies within -margin and margin, `pNonInferiority` where it lies above -margin.
 * `low` and `high` are the interval at 2 level - 1 (90 % for tests at 95 %), within the margins exactly where the tests find equivalence.
 *
 * Throws as `aggregateSync` does, and `bad_argument` for a margin that is not above 0.
 */
export function meanEquivalence(
  a: Float64Array,
  b: Float64Array,
  margin: number,
  options?: EquivalenceOptions,
): Equivalence {
  return callingSync((addon) => {
    checkArgument('margin', margin, 'number');
    const fields = { cluster: Uint32Array, cluster2: Uint32Array, ...LEVEL };
    const inputs = inPlace({
      a: checkArgument('a', a, Float64Array),
      b: checkArgument('b', b, Float64Array),
      options: checkObject('options', options, {}, fields),
    });
    return addon.meanEquivalence(inputs.a, inputs.b, margin, inputs.options);
  });
}

/**
 * The same of the difference of two shares over the same `n` rows (`b` only the first has as hits, `c` only the second), by Tango's score (1998).
 *
 * Throws as `tango` does, and `bad_argument` for a margin outside (0, 1).
 */
export function shareEquivalence(
  b: number,
  c: number,
  n: number,
  margin: number,
  options?: EffectOptions,
): Equivalence {
  return callingSync((addon) => {
    for (const [name, value] of Object.entries({ b, c, n, margin })) checkArgument(name, value, 'number');
    return addon.shareEquivalence(b, c, n, margin, checkObject('options', options, {}, LEVEL));
  });
}

/**
 * The least standardised effect that a two-sided test at `level` (0.95) finds with probability `power` (0.8), for `n` pairs, or with
 * `independent` for two groups of `n` rows each: `d` of the t-test (of pairs d_z), `h` of the normal test of two shares (Cohen 1988). Clustered
 * rows count as their effective number (`share` gives it).
 *
 * Throws `bad_argument` for fewer than 2 rows, and for a level or a power that cannot be.
 */
export function minimumDetectableEffect(n: number, options?: PowerOptions): DetectableEffect {
  return callingSync((addon) => {
    checkArgument('n', n, 'number');
    const fields: Fields = { independent: 'boolean', power: 'number', ...LEVEL };
    return addon.minimumDetectableEffect(n, checkObject('options', options, {}, fields));
  });
}
