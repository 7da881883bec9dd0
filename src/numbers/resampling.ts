/**
 * The bootstrap of numbers that are made of several ratios: a score of means, a perplexity, a difference of accuracies.
 * Part of `logit-audit/metrics`; definitions and sources are in docs/metrics.md.
 */
import { checkArgument, checkObject, type Fields } from '../native/arguments.ts';
import { inPlace, withCopies } from '../native/memory.ts';
import { callingAsync, callingSync, type MetricsAddon } from '../native/metrics.ts';

/** How ratios of sums are resampled. */
export type RatioOptions = Parameters<MetricsAddon['bootstrapRatios']>[0];
/** Intervals of ratios of sums. */
export type BootstrapRatiosResult = Awaited<ReturnType<MetricsAddon['bootstrapRatios']>>;
/** How groups are resampled. */
export type GroupOptions = Parameters<MetricsAddon['bootstrapGroups']>[0];
/** Intervals of the means of groups and of their differences. */
export type BootstrapGroupsResult = Awaited<ReturnType<MetricsAddon['bootstrapGroups']>>;
/** Level of a percentile interval. */
export type PercentileOptions = NonNullable<Parameters<MetricsAddon['percentileInterval']>[1]>;
/** A percentile interval, or why there is none. */
export type PercentileResult = Awaited<ReturnType<MetricsAddon['percentileInterval']>>;
/** An interval between two percentiles of resampled values. */
export type PercentileInterval = NonNullable<PercentileResult['ci']>;

const RATIO_INPUTS: Fields = { numerators: Float64Array, denominators: Float64Array, columns: 'number' };
const RATIO_OPTIONS: Fields = {
  cluster: Uint32Array,
  cluster2: Uint32Array,
  resamples: 'number',
  seed: 'number',
  threads: 'number',
};

/**
 * The ratios sum(numerators) / sum(denominators), one a column, of the data (`ratios`) and of every resample of its
 * clusters (`resampled`: resamples x columns, resample after resample). Inputs hold rows x `columns` numbers, row after
 * row; denominators are 0 or more. A ratio is NaN where all its denominators are 0, in the data or in a resample.
 * `resampled` is null, with a `reason`, for a single cluster.
 *
 * Clusters are drawn by ascending id, as many as there are, whatever their denominators. Calls with the same seed and the
 * same ids draw the same clusters in each resample: two runs over the same rows can be compared resample by resample.
 * Make the number that is wanted of each resample's ratios, and give those to {@link percentileInterval}.
 *
 * Rejects with `empty_input`, `length_mismatch`, `bad_argument` (a negative denominator has `data.row` and
 * `data.column`), and `not_finite` (so has a NaN).
 */
export function bootstrapRatios(options: RatioOptions): Promise<BootstrapRatiosResult> {
  return callingAsync((addon) => {
    return withCopies({ options: checkObject('options', options, RATIO_INPUTS, RATIO_OPTIONS) }, (inputs) =>
      addon.bootstrapRatios(inputs.options),
    );
  });
}

/** {@link bootstrapRatios} at once, on the event loop. */
export function bootstrapRatiosSync(options: RatioOptions): BootstrapRatiosResult {
  return callingSync((addon) => {
    const inputs = inPlace({ options: checkObject('options', options, RATIO_INPUTS, RATIO_OPTIONS) });
    return addon.bootstrapRatiosSync(inputs.options);
  });
}

const GROUP_INPUTS: Fields = { ...RATIO_INPUTS, group: Uint32Array, groups: 'number' };
const GROUP_OPTIONS: Fields = {
  memberships: 'number',
  draws: Uint32Array,
  resamples: 'number',
  seed: 'number',
  level: 'number',
  threads: 'number',
};

/**
 * The ratios sum(numerators) / sum(denominators) of every group of rows, column by column, with the percentile interval of
 * each over resamples of all rows: a cell for every group and column, group after group. A row may be in several groups. Rows are drawn whatever their
 * group, so calls with the same seed and as many rows are measured on the same draws. A ratio is NaN where all
 * denominators of the group are 0; `missing` counts resamples in which they are, on which the interval does not rest.
 *
 * Rejects with `empty_input`, `length_mismatch`, `bad_argument` and `not_finite`, with `data.input`, `data.row` and
 * `data.column`.
 */
export function bootstrapGroups(options: GroupOptions): Promise<BootstrapGroupsResult> {
  return callingAsync((addon) => {
    return withCopies({ options: checkObject('options', options, GROUP_INPUTS, GROUP_OPTIONS) }, (inputs) =>
      addon.bootstrapGroups(inputs.options),
    );
  });
}

/** {@link bootstrapGroups} at once, on the event loop. */
export function bootstrapGroupsSync(options: GroupOptions): BootstrapGroupsResult {
  return callingSync((addon) => {
    const inputs = inPlace({ options: checkObject('options', options, GROUP_INPUTS, GROUP_OPTIONS) });
    return addon.bootstrapGroupsSync(inputs.options);
  });
}

/**
 * The percentile interval, in the unit of `values`, of a number of which they hold one a resample, in any order; and the
 * two-sided p-value, 2/(B + 1) to 1, of the number being 0: 1 - level of the widest interval that leaves 0 out. NaN
 * stands for a resample that does not have the number; `missing` counts them, and more than 1 % of them give null with a
 * `reason`. Equal resamples give an interval of width 0 and no p-value.
 *
 * Rejects with `empty_input`, `not_finite` (an infinity; `data.row` is its index) and `bad_argument` (a level outside
 * (0, 1), fewer than 2/(1 - level) - 1 values).
 */
export function percentileInterval(
  values: Float64Array,
  options?: PercentileOptions,
): Promise<PercentileResult> {
  return callingAsync((addon) => {
    return withCopies(valueInputs(values, options), (inputs) =>
      addon.percentileInterval(inputs.values, inputs.options),
    );
  });
}

/** {@link percentileInterval} at once, on the event loop. */
export function percentileIntervalSync(values: Float64Array, options?: PercentileOptions): PercentileResult {
  return callingSync((addon) => {
    const inputs = inPlace(valueInputs(values, options));
    return addon.percentileIntervalSync(inputs.values, inputs.options);
  });
}

function valueInputs(values: Float64Array, options: PercentileOptions | undefined) {
  return {
    values: checkArgument('values', values, Float64Array),
    options: checkObject('options', options, {}, { level: 'number' }),
  };
}
