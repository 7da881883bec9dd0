/**
 * How alike vectors are: rows scaled to length 1, and the products of all pairs of two blocks. Part of
 * `logit-audit/metrics`; definitions are in docs/metrics.md.
 */
import { checkArgument, checkObject } from '../native/arguments.ts';
import { inPlace, withCopies } from '../native/memory.ts';
import { callingAsync, callingSync, type MetricsAddon } from '../native/metrics.ts';

/** The shape of a matrix of vectors. */
export type VectorOptions = Parameters<MetricsAddon['normalizeRows']>[1];
/** Which products of vectors are computed. */
export type ProductOptions = Parameters<MetricsAddon['innerProducts']>[2];

/**
 * Each vector scaled to length 1, in a new array. `vectors` holds vector after vector of `dimension` entries.
 *
 * Rejects with `not_finite` (`data.row`, `data.column`), `bad_argument` (a vector of zeros, which has no direction:
 * `data.row`), `empty_input` and `length_mismatch`.
 */
export function normalizeRows(vectors: Float32Array, options: VectorOptions): Promise<Float32Array> {
  return callingAsync((addon) => {
    return withCopies(vectorInputs(vectors, options), (inputs) =>
      addon.normalizeRows(inputs.vectors, inputs.options),
    );
  });
}

/** {@link normalizeRows} at once, on the event loop. */
export function normalizeRowsSync(vectors: Float32Array, options: VectorOptions): Float32Array {
  return callingSync((addon) => {
    const inputs = inPlace(vectorInputs(vectors, options));
    return addon.normalizeRowsSync(inputs.vectors, inputs.options);
  });
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
  return callingAsync((addon) => {
    return withCopies(productInputs(queries, candidates, options), (inputs) =>
      addon.innerProducts(inputs.queries, inputs.candidates, inputs.options),
    );
  });
}

/** {@link innerProducts} at once, on the event loop. */
export function innerProductsSync(
  queries: Float32Array,
  candidates: Float32Array,
  options: ProductOptions,
): Float32Array {
  return callingSync((addon) => {
    const inputs = inPlace(productInputs(queries, candidates, options));
    return addon.innerProductsSync(inputs.queries, inputs.candidates, inputs.options);
  });
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
  return callingAsync((addon) => {
    return withCopies(productInputs(queries, candidates, options), (inputs) =>
      addon.innerProductsHalf(inputs.queries, inputs.candidates, inputs.options),
    );
  });
}

/** {@link innerProductsHalf} at once, on the event loop. */
export function innerProductsHalfSync(
  queries: Float32Array,
  candidates: Float32Array,
  options: ProductOptions,
): Uint16Array {
  return callingSync((addon) => {
    const inputs = inPlace(productInputs(queries, candidates, options));
    return addon.innerProductsHalfSync(inputs.queries, inputs.candidates, inputs.options);
  });
}

function vectorInputs(vectors: Float32Array, options: VectorOptions) {
  return {
    vectors: checkArgument('vectors', vectors, Float32Array),
    options: checkObject('options', options, { dimension: 'number' }),
  };
}

function productInputs(queries: Float32Array, candidates: Float32Array, options: ProductOptions) {
  return {
    queries: checkArgument('queries', queries, Float32Array),
    candidates: checkArgument('candidates', candidates, Float32Array),
    options: checkObject('options', options, { dimension: 'number' }, { threads: 'number' }),
  };
}
