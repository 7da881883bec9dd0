/**
 * From the numbers of many steps to results: which steps count, their mean with an interval, and comparisons between
 * runs. Part of `logit-audit/metrics`; definitions and sources are in docs/metrics.md.
 */
import { checkArgument, checkObject, type Fields } from '../native/arguments.ts';
import { inPlace, withCopies } from '../native/memory.ts';
import { callingAsync, callingSync, type MetricsAddon } from '../native/metrics.ts';

type Input<Name extends keyof MetricsAddon, Index extends number> = MetricsAddon[Name] extends (
  ...inputs: infer Inputs
) => unknown
  ? NonNullable<Inputs[Index & keyof Inputs]>
  : never;
type Output<
  Name extends
    | 'aggregate'
    | 'pairedDifference'
    | 'signFlip'
    | 'correlation'
    | 'kruskalWallis'
    | 'gate'
    | 'wilson'
    | 'share'
    | 'tango'
    | 'mcnemar',
> = Awaited<ReturnType<MetricsAddon[Name]>>;

/** Weights, clusters and interval of a mean. */
export type AggregateOptions = Input<'aggregate', 1>;
/** A gated mean with its coverage and interval. */
export type AggregateResult = Output<'aggregate'>;
/** An interval, the method that made it, and its level. */
export type ConfidenceInterval = NonNullable<AggregateResult['ci']>;
/** The mean of paired differences with its interval and p-value. */
export type PairedDifferenceResult = Output<'pairedDifference'>;
/** Clusters and draws of a test by exchanging signs. */
export type SignFlipOptions = Input<'signFlip', 1>;
/** The p-value of a test by exchanging signs, and how many exchanges it rests on. */
export type SignFlipResult = Output<'signFlip'>;
/** Method, level and ties of a correlation. */
export type CorrelationOptions = Input<'correlation', 2>;
/** A correlation with its interval and p-value. */
export type CorrelationResult = Output<'correlation'>;
/** Which correlation is computed. */
export type CorrelationMethod = CorrelationResult['method'];
/** The statistic of Kruskal and Wallis with its p-value and effect size. */
export type KruskalWallisResult = Output<'kruskalWallis'>;
export type GateOptions = Input<'gate', 0>;
/** Which steps are gated, by which trigger. */
export type GateResult = Output<'gate'>;
/** Wilson's interval of a share. */
export type WilsonInterval = Output<'wilson'>;
/** Level and clusters of the interval of a share. */
export type ShareOptions = Input<'share', 1>;
/** A share with its interval. */
export type ShareResult = Output<'share'>;
/** An interval of a share. */
export type ShareInterval = NonNullable<ShareResult['ci']>;
/** The difference of two paired shares with its interval. */
export type SharesDifference = Output<'tango'>;
/** McNemar's test of paired shares. */
export type McNemarResult = Output<'mcnemar'>;
/** Method, level, seed and number of resamples of an interval. */
export type IntervalOptions = Omit<AggregateOptions, 'gate' | 'cluster' | 'cluster2'>;
/** How an interval of a mean is made. */
export type IntervalMethod = NonNullable<AggregateOptions['ci']>;
/** Which interval is made of resampled values. */
export type BootstrapKind = NonNullable<AggregateOptions['bootstrap']>;

/** What the options of an interval must be. */
export const INTERVAL_FIELDS: Fields = {
  ci: 'string',
  bootstrap: 'string',
  level: 'number',
  range: { listOf: 'number' },
  resamples: 'number',
  seed: 'number',
  threads: 'number',
};

/** What a bootstrap rests on, with nothing left out. */
export type BootstrapSettings = Required<Pick<IntervalOptions, 'level' | 'resamples' | 'seed'>>;

/**
 * Throws the `bad_argument` that measuring with these options would, before there is anything to measure. With `columns`, for numbers
 * that are made of so many ratios, as `bootstrapRatios` and `percentileInterval` make them, whatever `ci` says; without,
 * for the mean of one quantity.
 */
export function checkInterval(options?: IntervalOptions, columns?: number): void {
  callingSync((addon) => {
    if (columns !== undefined) checkArgument('columns', columns, 'number');
    addon.checkInterval(checkObject('options', options, {}, INTERVAL_FIELDS), columns);
  });
}

const GATE_FIELDS: Fields = {
  topKHits: Uint8Array,
  occupation: Uint8Array,
  pronounOrName: Uint8Array,
  window: 'number',
  stepsAfter: 'number',
};
const PAIR_FIELDS: Fields = { method: 'string', level: 'number', approximate: 'boolean' };
const CLUSTER_FIELDS: Fields = { cluster: Uint32Array, cluster2: Uint32Array };
const SHARE_FIELDS: Fields = { ...CLUSTER_FIELDS, level: 'number', against: 'number' };
const SIGN_FLIP_FIELDS: Fields = {
  cluster: Uint32Array,
  level: 'number',
  resamples: 'number',
  seed: 'number',
};
const AGGREGATE_FIELDS: Fields = { gate: Uint8Array, ...CLUSTER_FIELDS, ...INTERVAL_FIELDS };

/**
 * Which steps of a text count. All three inputs hold 0 or 1 a step. A top-K hit opens its own step and the
 * `stepsAfter` ones that follow; an occupation word and a pronoun or name within `window` tokens open the `stepsAfter`
 * ones that follow.
 *
 * Throws `empty_input` for no steps, `length_mismatch`, `bad_argument` for an entry that is neither 0 nor 1
 * (`data.row` is its step) and for a window of 0.
 */
export function gate(options: GateOptions): GateResult {
  return callingSync((addon) => {
    const inputs = inPlace({ options: checkObject('options', options, GATE_FIELDS) });
    return addon.gate(inputs.options);
  });
}

/**
 * The mean of `values` over the steps whose gate is 1, in the unit of the values, with coverage and interval. Steps
 * without a value have gate 0 and may be NaN. With too few clusters (or steps), and where all values are equal, `ci` is null
 * and `reason` says why; with no gated step `mean` is 0 and `gatedSteps` 0 shows that it is no measurement.
 *
 * `ci`: `cluster` (the default; Student t on the ratio estimator), `bootstrap` (clusters drawn anew, `bca` or
 * `percentile`; the seed alone decides, never the threads), `normal` (1.96 population standard errors over steps).
 *
 * `cluster2`: a second way in which steps belong together (the occupation beside the template); the variance is that of
 * Cameron, Gelbach and Miller (2011), never below that of one way alone. `range`: the least and the greatest value that the
 * quantity can have, infinities allowed; the interval is made on the logit or log `scale` and never leaves it.
 *
 * Rejects with `empty_input`, `length_mismatch`, `bad_argument`, and `not_finite` (`data.row` is the step).
 */
export function aggregate(values: Float64Array, options?: AggregateOptions): Promise<AggregateResult> {
  return callingAsync((addon) => {
    return withCopies({ values: column('values', values), options: stepOptions(options) }, (inputs) =>
      addon.aggregate(inputs.values, inputs.options),
    );
  });
}

/** {@link aggregate} at once, on the event loop. */
export function aggregateSync(values: Float64Array, options?: AggregateOptions): AggregateResult {
  return callingSync((addon) => {
    const inputs = inPlace({ values: column('values', values), options: stepOptions(options) });
    return addon.aggregateSync(inputs.values, inputs.options);
  });
}

/**
 * The mean of a - b over steps that belong together (two runs over the same rows), with the intervals of
 * {@link aggregate} and the two-sided p-value, in [0, 1], of a mean difference of 0 by the same method: Student t over
 * clusters, the bootstrap interval inverted, or the normal one. Null with a `reason` where the data do not give one.
 *
 * Rejects as `aggregate` does; `not_finite` names `a` or `b` in `data.input`.
 */
export function pairedDifference(
  a: Float64Array,
  b: Float64Array,
  options?: AggregateOptions,
): Promise<PairedDifferenceResult> {
  return callingAsync((addon) => {
    return withCopies({ a: column('a', a), b: column('b', b), options: stepOptions(options) }, (inputs) =>
      addon.pairedDifference(inputs.a, inputs.b, inputs.options),
    );
  });
}

/** {@link pairedDifference} at once, on the event loop. */
export function pairedDifferenceSync(
  a: Float64Array,
  b: Float64Array,
  options?: AggregateOptions,
): PairedDifferenceResult {
  return callingSync((addon) => {
    const inputs = inPlace({ a: column('a', a), b: column('b', b), options: stepOptions(options) });
    return addon.pairedDifferenceSync(inputs.a, inputs.b, inputs.options);
  });
}

/**
 * The sign-flip (permutation) test that the mean of `values` is 0, where each value is the difference of two sides that could as well be
 * exchanged: the values of a cluster change sign together. Up to 16 clusters all flips are counted (`exact`), beyond that
 * `resamples` drawn ones by `seed`, and p = (k + 1) / (resamples + 1). `pValue` is two-sided, in (0, 1]; `nullHigh` is the size of the mean, in
 * the unit of the values, below which the share `level` of all flips lies. Null with a `reason` for a single cluster.
 *
 * Rejects with `empty_input`, `length_mismatch`, `bad_argument`, and `not_finite` (`data.row`). Source: Fisher 1935, section 21.
 */
export function signFlip(values: Float64Array, options?: SignFlipOptions): Promise<SignFlipResult> {
  return callingAsync((addon) =>
    withCopies(signFlipInputs(values, options), (inputs) => addon.signFlip(inputs.values, inputs.options)),
  );
}

/** {@link signFlip} at once, on the event loop. */
export function signFlipSync(values: Float64Array, options?: SignFlipOptions): SignFlipResult {
  return callingSync((addon) => {
    const inputs = inPlace(signFlipInputs(values, options));
    return addon.signFlipSync(inputs.values, inputs.options);
  });
}

function signFlipInputs(values: Float64Array, options: SignFlipOptions | undefined) {
  return {
    values: column('values', values),
    options: checkObject('options', options, {}, SIGN_FLIP_FIELDS),
  };
}

/**
 * The correlation r, in [-1, 1], of two columns whose entries belong to the same rows: of the values (`method: 'pearson'`,
 * the default) or of their ranks (`'spearman'`; equal values share the mean of theirs). `ci` is Fisher's interval, and
 * `pValue` the two-sided p-value of a correlation of 0: Student's t with n - 2 degrees of freedom, for ranks an
 * approximation; ranks of up to 9 pairs are tried in all orders instead (`test` says which), unless `approximate` is true.
 *
 * Null with a `reason`: `r` where a column is constant, `ci` for fewer than 4 pairs, and both `ci` and Student's
 * `pValue` where all pairs lie on a line, as nothing then says how they scatter.
 *
 * Rejects with `empty_input`, `length_mismatch`, `bad_argument`, and `not_finite` (`data.input`, `data.row`).
 */
export function correlation(
  x: Float64Array,
  y: Float64Array,
  options?: CorrelationOptions,
): Promise<CorrelationResult> {
  return callingAsync((addon) => {
    return withCopies(pairInputs(x, y, options), (inputs) =>
      addon.correlation(inputs.x, inputs.y, inputs.options),
    );
  });
}

/** {@link correlation} at once, on the event loop. */
export function correlationSync(
  x: Float64Array,
  y: Float64Array,
  options?: CorrelationOptions,
): CorrelationResult {
  return callingSync((addon) => {
    const inputs = inPlace(pairInputs(x, y, options));
    return addon.correlationSync(inputs.x, inputs.y, inputs.options);
  });
}

/**
 * The test of Kruskal and Wallis: whether the `values` of several groups lie alike, by their ranks; `group` names the group of
 * each value by a number. `h` is corrected for ties, `pValue` the probability of an H as large under chi-squared (rough where
 * groups have fewer than some five values), `epsilonSquared` the share of the ranks' variance that lies between groups, less
 * what chance gives: 1 at most, and below 0 where groups differ less than chance lets them.
 *
 * All three are null with a `reason` for a single group, for groups of one value each, and where all values are equal.
 *
 * Rejects with `empty_input`, `length_mismatch` and `not_finite` (`data.row`).
 */
export function kruskalWallis(values: Float64Array, group: Uint32Array): Promise<KruskalWallisResult> {
  return callingAsync((addon) => {
    return withCopies(groupInputs(values, group), (inputs) =>
      addon.kruskalWallis(inputs.values, inputs.group),
    );
  });
}

/** {@link kruskalWallis} at once, on the event loop. */
export function kruskalWallisSync(values: Float64Array, group: Uint32Array): KruskalWallisResult {
  return callingSync((addon) => {
    const inputs = inPlace(groupInputs(values, group));
    return addon.kruskalWallisSync(inputs.values, inputs.group);
  });
}

/**
 * Wilson's score interval, in [0, 1], of `successes` out of `n` trials (whole numbers); `level` is 0.95 when left out.
 *
 * Throws `empty_input` for an n of 0, `bad_argument` for more successes than trials or a level outside (0, 1).
 */
export function wilson(successes: number, n: number, options?: { level?: number }): WilsonInterval {
  return callingSync((addon) => {
    checkArgument('successes', successes, 'number');
    checkArgument('n', n, 'number');
    return addon.wilson(successes, n, checkObject('options', options, {}, { level: 'number' }));
  });
}

/**
 * The share, in [0, 1], of `hits` (1, not 0; one a row) with its score interval: Wilson's; where rows belong together
 * (`cluster`, and `cluster2` for a second way) Wilson's at the effective sample size by the cluster-robust variance, with
 * Student's t (after Korn and Graubard 1998). At 0 and 1 a cluster's rows are taken as copies of each other. Fewer than two
 * clusters: `ci` is null with a `reason`.
 *
 * Throws `empty_input`, `length_mismatch`, `bad_argument` for an entry that is neither 0 nor 1 (`data.row`) and for a level
 * outside (0, 1).
 */
export function share(hits: Uint8Array, options?: ShareOptions): ShareResult {
  return callingSync((addon) => {
    const inputs = inPlace({
      hits: checkArgument('hits', hits, Uint8Array),
      options: checkObject('options', options, {}, SHARE_FIELDS),
    });
    return addon.share(inputs.hits, inputs.options);
  });
}

/**
 * The difference, in [-1, 1], of two shares over the same `n` rows, `b` of which only the first has as hits and `c` only the
 * second (whole numbers), with Tango's score interval (1998): it leaves 0 out exactly where McNemar's test without correction
 * rejects. `level` is 0.95 when left out.
 *
 * Throws `empty_input` for an n of 0, `bad_argument` for more disagreements than rows or a level outside (0, 1).
 */
export function tango(b: number, c: number, n: number, options?: { level?: number }): SharesDifference {
  return callingSync((addon) => {
    checkArgument('b', b, 'number');
    checkArgument('c', c, 'number');
    checkArgument('n', n, 'number');
    return addon.tango(b, c, n, checkObject('options', options, {}, { level: 'number' }));
  });
}

/**
 * McNemar's test of two runs that answered the same yes-or-no rows: `b` rows only the first got right, `c` only the
 * second (whole numbers). Two-sided; exact up to 1000 disagreements, chi-squared with continuity correction beyond.
 * `pValue` is null, with a reason, when the runs disagree nowhere.
 *
 * Throws `bad_argument` for what is no count.
 */
export function mcnemar(b: number, c: number): McNemarResult {
  return callingSync((addon) => {
    checkArgument('b', b, 'number');
    checkArgument('c', c, 'number');
    return addon.mcnemar(b, c);
  });
}

/**
 * p-values adjusted by Holm's step-down method, in their order: each may be held against the level that all tests
 * together are to have, whatever the dependence between them.
 *
 * Throws `not_finite` for NaN and `bad_argument` for what lies outside [0, 1] (`data.row` is its index): leave out tests
 * that gave no p-value.
 */
export function holm(pValues: Float64Array): Float64Array {
  return callingSync((addon) => {
    const inputs = inPlace({ pValues: column('pValues', pValues) });
    return addon.holm(inputs.pValues);
  });
}

/**
 * p-values adjusted by the step-up method of Benjamini and Hochberg, in their order: held against a level, they keep
 * the expected share of false alarms among the alarms below it, for independent or positively dependent tests.
 *
 * Throws as {@link holm} does.
 */
export function benjaminiHochberg(pValues: Float64Array): Float64Array {
  return callingSync((addon) => {
    const inputs = inPlace({ pValues: column('pValues', pValues) });
    return addon.benjaminiHochberg(inputs.pValues);
  });
}

function column(name: string, values: Float64Array): Float64Array {
  return checkArgument(name, values, Float64Array);
}

function stepOptions(options: AggregateOptions | undefined): AggregateOptions | undefined {
  return checkObject('options', options, {}, AGGREGATE_FIELDS);
}

function pairInputs(x: Float64Array, y: Float64Array, options: CorrelationOptions | undefined) {
  return { x: column('x', x), y: column('y', y), options: checkObject('options', options, {}, PAIR_FIELDS) };
}

function groupInputs(values: Float64Array, group: Uint32Array) {
  return { values: column('values', values), group: checkArgument('group', group, Uint32Array) };
}
