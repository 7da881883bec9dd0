/** The matrix of similarities, written block by block. */
import { createHash } from 'node:crypto';
import { AuditError } from '../../../../errors.ts';
import { openAtomic } from '../../../../files/atomic.ts';
import { innerProductsHalf } from '../../../../numbers/index.ts';
import type { VectorStore } from './vector-store.ts';

const HALF_BYTES = Uint16Array.BYTES_PER_ELEMENT;
const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;

/** What a block of finished rows and a block of candidates may take each. */
const ROWS_BYTES = 16 * 1024 * 1024;
const CANDIDATES_BYTES = 4 * 1024 * 1024;
/** More rows at a time earn nothing. */
const MOST_ROWS = 1024;

export interface MatrixOptions {
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** After every block: rows that are written, of all. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Rows of queries and of candidates at a time; the matrix does not depend on them. */
  readonly blocks?: { readonly rows: number; readonly columns: number };
}

interface Sides {
  /** Rows of the store. */
  readonly queries: Uint32Array;
  readonly candidates: Uint32Array;
}

/**
 * Writes the cosines of all queries with all candidates to `path`: half precision, little-endian, query after query. In
 * memory are a block of rows and a block of candidates, whatever the splits hold. Returns the file's size and checksum.
 */
export async function writeMatrix(
  path: string,
  store: VectorStore,
  { queries, candidates }: Sides,
  { threads, signal, onProgress, blocks }: MatrixOptions,
): Promise<{ bytes: number; sha256: string }> {
  const dimension = store.dimension!;
  const { rows, columns } = blocks ?? blockSizes(candidates.length, dimension);
  const options = { dimension, ...(threads === undefined ? {} : { threads }) };
  const hash = createHash('sha256');
  const file = await openAtomic(path);
  // One buffer for all blocks: what V8 would let lie of so many is more than all else.
  const finished = new Uint16Array(Math.min(rows, queries.length) * candidates.length);
  let bytes = 0;
  try {
    for (let row = 0; row < queries.length; row += rows) {
      const block = queries.subarray(row, row + rows);
      const left = await store.read(block);
      const out = finished.subarray(0, block.length * candidates.length);
      for await (const { first, vectors } of ahead(store, candidates, columns)) {
        if (signal?.aborted) throw new AuditError('cancelled', `cancelled after ${row} rows of the matrix`);
        const halves = await innerProductsHalf(left, vectors, options);
        place(out, candidates.length, halves, first, vectors.length / dimension);
      }
      const piece = new Uint8Array(out.buffer, 0, out.byteLength);
      hash.update(piece);
      await file.write(piece);
      bytes += piece.length;
      onProgress?.(row + block.length, queries.length);
    }
  } catch (thrown) {
    await file.discard();
    throw thrown;
  }
  await file.commit();
  return { bytes, sha256: hash.digest('hex') };
}

function blockSizes(candidates: number, dimension: number): { rows: number; columns: number } {
  return {
    rows: Math.min(MOST_ROWS, Math.max(1, Math.floor(ROWS_BYTES / (candidates * HALF_BYTES)))),
    columns: Math.max(1, Math.floor(CANDIDATES_BYTES / (dimension * FLOAT_BYTES))),
  };
}

/** The vectors of all candidates, block by block; the next one is read while the caller works on one. */
async function* ahead(
  store: VectorStore,
  candidates: Uint32Array,
  columns: number,
): AsyncGenerator<{ first: number; vectors: Float32Array }, void, undefined> {
  const read = (first: number) => store.read(candidates.subarray(first, first + columns));
  let next: Promise<Float32Array> | null = read(0);
  for (let first = 0; next !== null; first += columns) {
    const vectors: Float32Array = await next;
    next = first + columns < candidates.length ? read(first + columns) : null;
    // A fault of a block that nobody comes to ask for must not end the process.
    next?.catch(() => undefined);
    yield { first, vectors };
  }
}

/** Puts a block of `across` columns to its place in rows of `stride`. */
function place(out: Uint16Array, stride: number, block: Uint16Array, first: number, across: number): void {
  for (let row = 0; row * across < block.length; row += 1) {
    out.set(block.subarray(row * across, (row + 1) * across), row * stride + first);
  }
}
