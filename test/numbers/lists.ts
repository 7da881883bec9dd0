/** Distributions cut down to what an endpoint lists of them. */
import type { ListedRows } from '../../src/numbers/index.ts';

/** Ids of the K likeliest, ties by lower id. */
export function likeliest(p: readonly number[], k: number): number[] {
  return p
    .map((_, id) => id)
    .sort((a, b) => p[b]! - p[a]! || a - b)
    .slice(0, k);
}

/** The K likeliest tokens of each distribution. */
export function listsOf(rows: readonly (readonly number[])[], k: number, error = 0): ListedRows {
  const ids = rows.map((p) => likeliest(p, k));
  const offsets = new Uint32Array(rows.length + 1);
  ids.forEach((own, row) => {
    offsets[row + 1] = offsets[row]! + own.length;
  });
  return {
    offsets,
    keys: Int32Array.from(ids.flat()),
    logProbs: Float64Array.from(ids.flatMap((own, row) => own.map((id) => Math.log(rows[row]![id]!)))),
    mostUnlisted: Float64Array.from(ids, (own, row) => Math.log(rows[row]![own.at(-1)!]!)),
    error,
  };
}
