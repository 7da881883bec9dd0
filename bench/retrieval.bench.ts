/**
 * What comparing the vectors of two splits costs next to plain JavaScript: a block of queries and a block of candidates, as
 * `retrieval build` takes them. All in one process, as ratios of the best rounds' medians.
 */
import os from 'node:os';
import { benchAddon } from './addon.ts';
import { bestMedians } from './best-medians.ts';
import { fillRows, plainProducts } from './plain.ts';
import { round } from './print.ts';

/** Those of small, usual and large embedders. */
const DIMENSIONS = [384, 768, 1024];
const QUERIES = 256;
const CANDIDATES = 1024;
/** JavaScript's turn is a part of that. */
const PLAIN_QUERIES = 2;

export interface RetrievalLine {
  readonly bench: 'retrieval.compare';
  readonly dimension: number;
  readonly threads: number;
  readonly simd: string;
  readonly speedupVsJs: number;
  /** Products of two entries, in 1e9 a second. */
  readonly productsPerSecond: number;
}

export async function* retrievalBench({ root }: { readonly root: string }): AsyncGenerator<RetrievalLine> {
  const addon = benchAddon(root);
  const simd = addon.simd().level;
  const cores = os.availableParallelism();
  for (const dimension of DIMENSIONS) {
    const vectors = new Float32Array((QUERIES + CANDIDATES) * dimension);
    fillRows(vectors, 5);
    const unit = addon.normalizeRowsSync(vectors, { dimension });
    const queries = unit.subarray(0, QUERIES * dimension);
    const candidates = unit.subarray(QUERIES * dimension);
    const few = queries.subarray(0, PLAIN_QUERIES * dimension);
    for (const threads of cores > 1 ? [1, cores] : [1]) {
      const options = { dimension, threads };
      const seconds = await bestMedians({
        native: { rows: QUERIES, run: () => addon.innerProductsHalfSync(queries, candidates, options) },
        js: { rows: PLAIN_QUERIES, run: () => plainProducts(few, candidates, dimension) },
      });
      yield {
        bench: 'retrieval.compare',
        dimension,
        threads,
        simd,
        speedupVsJs: round(seconds.js / seconds.native),
        productsPerSecond: round((CANDIDATES * dimension) / seconds.native / 1e9),
      };
    }
  }
}
