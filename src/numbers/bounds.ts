/**
 * Bounds from lists: what the likeliest tokens of a row, as an endpoint lists them, tell of numbers over the whole
 * vocabulary. Each number lies in [lower, upper] for certain; docs/design/bounds.md has the proofs.
 */
import { checkObject } from '../native/arguments.ts';
import { inPlace, withCopies } from '../native/memory.ts';
import { callingAsync, callingSync, type MetricsAddon } from '../native/metrics.ts';

type RowInputs = Parameters<MetricsAddon['listedRowMetrics']>;

/** Distributions of which only the likeliest tokens are listed. */
export type ListedRows = RowInputs[0];
export type ListedOptions = NonNullable<RowInputs[1]>;
/** Bounds of the mass of groups in distributions of which only the likeliest tokens are listed. */
export type ListedRowMetrics = Awaited<ReturnType<MetricsAddon['listedRowMetrics']>>;
/** Bounds of the divergence of pairs of distributions of which only the likeliest tokens are listed. */
export type ListedPairMetrics = Awaited<ReturnType<MetricsAddon['listedPairMetrics']>>;
/** Lower and upper bounds of a number, a value a row. */
export type BoundColumns = ListedRowMetrics['rest'];

const LISTS = {
  offsets: Uint32Array,
  keys: Int32Array,
  logProbs: Float64Array,
  mostUnlisted: Float64Array,
} as const;

/**
 * Bounds of group masses, of the gap between groups, and of what all unlisted tokens have, row by row. Throws
 * `bad_argument` (a list that is none of one distribution), `length_mismatch`, `out_of_range`, `not_finite`.
 */
export function listedRowMetrics(lists: ListedRows, options?: ListedOptions): Promise<ListedRowMetrics> {
  return callingAsync((addon) => {
    return withCopies(rowInputs(lists, options), (inputs) =>
      addon.listedRowMetrics(inputs.lists, inputs.options),
    );
  });
}

/** {@link listedRowMetrics} at once, on the event loop. */
export function listedRowMetricsSync(lists: ListedRows, options?: ListedOptions): ListedRowMetrics {
  return callingSync((addon) => {
    const inputs = inPlace(rowInputs(lists, options));
    return addon.listedRowMetricsSync(inputs.lists, inputs.options);
  });
}

/**
 * Bounds of the Jensen-Shannon divergence in nats, in [0, ln 2], pair by pair. Keys of both sides are of one vocabulary.
 * Errors as of {@link listedRowMetrics}.
 */
export function listedPairMetrics(a: ListedRows, b: ListedRows): Promise<ListedPairMetrics> {
  return callingAsync((addon) => {
    return withCopies(pairInputs(a, b), (inputs) => addon.listedPairMetrics(inputs.a, inputs.b));
  });
}

/** {@link listedPairMetrics} at once, on the event loop. */
export function listedPairMetricsSync(a: ListedRows, b: ListedRows): ListedPairMetrics {
  return callingSync((addon) => {
    const inputs = inPlace(pairInputs(a, b));
    return addon.listedPairMetricsSync(inputs.a, inputs.b);
  });
}

function rowInputs(lists: ListedRows, options: ListedOptions | undefined) {
  return {
    lists: listInput('lists', lists),
    options: checkObject('options', options, {}, { groups: { listOf: Int32Array }, complete: 'boolean' }),
  };
}

function pairInputs(a: ListedRows, b: ListedRows) {
  return { a: listInput('a', a), b: listInput('b', b) };
}

function listInput(name: string, lists: ListedRows): ListedRows {
  return checkObject(name, lists, LISTS, { error: 'number' });
}
