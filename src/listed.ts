/**
 * Bounds from lists: what the likeliest tokens of a row, as an endpoint lists them, tell of numbers over the whole
 * vocabulary. Each number lies in [lower, upper] for certain; docs/design/bounds.md has the proofs.
 */
import { checkObject } from './native/arguments.ts';
import { callingAsync, callingSync, type MetricsAddon } from './native/metrics.ts';

type RowInputs = Parameters<MetricsAddon['listedRowMetrics']>;
type PairInputs = Parameters<MetricsAddon['listedPairMetrics']>;

export type ListedRows = RowInputs[0];
export type ListedRowMetrics = Awaited<ReturnType<MetricsAddon['listedRowMetrics']>>;
export type ListedPairMetrics = Awaited<ReturnType<MetricsAddon['listedPairMetrics']>>;
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
export function listedRowMetrics(...inputs: RowInputs): Promise<ListedRowMetrics> {
  return callingAsync((addon) => addon.listedRowMetrics(...rowInputs(inputs)));
}

/** {@link listedRowMetrics} at once, on the event loop. */
export function listedRowMetricsSync(...inputs: RowInputs): ListedRowMetrics {
  return callingSync((addon) => addon.listedRowMetricsSync(...rowInputs(inputs)));
}

/**
 * Bounds of the Jensen-Shannon divergence in nats, in [0, ln 2], pair by pair. Keys of both sides are of one vocabulary.
 * Errors as of {@link listedRowMetrics}.
 */
export function listedPairMetrics(...inputs: PairInputs): Promise<ListedPairMetrics> {
  return callingAsync((addon) => addon.listedPairMetrics(...pairInputs(inputs)));
}

/** {@link listedPairMetrics} at once, on the event loop. */
export function listedPairMetricsSync(...inputs: PairInputs): ListedPairMetrics {
  return callingSync((addon) => addon.listedPairMetricsSync(...pairInputs(inputs)));
}

function rowInputs(inputs: RowInputs): RowInputs {
  const [lists, options] = inputs;
  checkObject('lists', lists, LISTS, { error: 'number' });
  checkObject('options', options, {}, { groups: { listOf: Int32Array } });
  return inputs;
}

function pairInputs(inputs: PairInputs): PairInputs {
  checkObject('a', inputs[0], LISTS, { error: 'number' });
  checkObject('b', inputs[1], LISTS, { error: 'number' });
  return inputs;
}
