/**
 * How alike vectors are: rows scaled to length 1, and the products of all pairs of two blocks. Part of
 * `logit-audit/metrics`; definitions are in docs/metrics.md.
 */
import { checkArgument, checkObject } from './native/arguments.ts';
import { callingAsync, callingSync, type MetricsAddon } from './native/metrics.ts';

export type VectorOptions = Parameters<MetricsAddon['normalizeRows']>[1];
export type ProductOptions = Parameters<MetricsAddon['innerProducts']>[2];

/**
 * Each vector scaled to length 1, in a new array. `vectors` holds vector after vector of `dimension` entries.
 *
 * Rejects with `not_finite` (`data.row`, `data.column`), `bad_argument` (a vector of zeros, which has no direction:
 * `data.row`), `empty_input` and `length_mismatch`.
 */
export function normalizeRows(vectors: Float32Array, options: VectorOptions): Promise<Float32Array> {
  return callingAsync((addon) => addon.normalizeRows(...vectorInputs(vectors, options)));
}

/** {@link normalizeRows} at once, on the event loop. */
export function normalizeRowsSync(vectors: Float32Array, options: VectorOptions): Float32Array {
  return callingSync((addon) => addon.normalizeRowsSync(...vectorInputs(vectors, options)));
}

/**
 * The inner product of every query with every candidate, query after query: cosines in [-1, 1], give or take 2e-7, where
 * the vectors have length 1. A pair's number depends on its two vectors alone: the same bits on any machine, in any block
 * and on any number of threads.
 *
 * Rejects with `empty_input`, `length_mismatch`, `bad_argument`, and `not_finite` with the query as `data.row` and the
 * candidate as `data.column`.
 */
export function innerProducts(
  queries: Float32Array,
  candidates: Float32Array,
  options: ProductOptions,
): Promise<Float32Array> {
  return callingAsync((addon) => addon.innerProducts(...productInputs(queries, candidates, options)));
}

/** {@link innerProducts} at once, on the event loop. */
export function innerProductsSync(
  queries: Float32Array,
  candidates: Float32Array,
  options: ProductOptions,
): Float32Array {
  return callingSync((addon) => addon.innerProductsSync(...productInputs(queries, candidates, options)));
}

/**
 * {@link innerProducts} as the bits of IEEE half precision, each rounded to the nearest half, of two as near to the even
 * one. A product beyond 65504 is `not_finite`.
 */
export function innerProductsHalf(
  queries: Float32Array,
  candidates: Float32Array,
  options: ProductOptions,
): Promise<Uint16Array> {
  return callingAsync((addon) => addon.innerProductsHalf(...productInputs(queries, candidates, options)));
}

/** {@link innerProductsHalf} at once, on the event loop. */
export function innerProductsHalfSync(
  queries: Float32Array,
  candidates: Float32Array,
  options: ProductOptions,
): Uint16Array {
  return callingSync((addon) => addon.innerProductsHalfSync(...productInputs(queries, candidates, options)));
}

function vectorInputs(vectors: Float32Array, options: VectorOptions): [Float32Array, VectorOptions] {
  checkArgument('vectors', vectors, Float32Array);
  checkObject('options', options, { dimension: 'number' });
  return [vectors, options];
}

function productInputs(
  queries: Float32Array,
  candidates: Float32Array,
  options: ProductOptions,
): [Float32Array, Float32Array, ProductOptions] {
  checkArgument('queries', queries, Float32Array);
  checkArgument('candidates', candidates, Float32Array);
  checkObject('options', options, { dimension: 'number' }, { threads: 'number' });
  return [queries, candidates, options];
}
