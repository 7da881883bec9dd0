/**
 * Observations of several requests, one window after the other, as those of one window. Each function names every
 * column of its type, so that a new column does not compile before it is merged.
 */
import type { Observations, PairColumns, PairTopKColumns, RowColumns, TokenColumns } from '../observation.ts';

type Column = Uint8Array | Uint32Array | Int32Array | Float64Array;

/** Columns one after the other. */
function joined<C extends Column>(columns: readonly C[]): C {
  const length = columns.reduce((sum, column) => sum + column.length, 0);
  const out = new (columns[0]!.constructor as new (length: number) => C)(length);
  let at = 0;
  for (const column of columns) {
    out.set(column, at);
    at += column.length;
  }
  return out;
}

/** Request indices, each counted from the first request of its own window. */
function shifted(columns: readonly Uint32Array[], bases: readonly number[]): Uint32Array {
  return joined(columns.map((column, part) => column.map((request) => request + bases[part]!)));
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Merges at least one part. `firstRequest` is that of the first. */
export function mergeObservations(parts: readonly Observations[]): Observations {
  const bases: number[] = [];
  let requests = 0;
  for (const part of parts) {
    bases.push(requests);
    requests += part.requests;
  }
  return {
    firstRequest: parts[0]!.firstRequest,
    requests,
    rows: mergeRows(
      parts.map(({ rows }) => rows),
      bases,
    ),
    pairs: mergePairs(
      parts.map(({ pairs }) => pairs),
      bases,
    ),
    tokens: mergeTokens(parts.map(({ tokens }) => tokens)),
    failures: parts.flatMap(({ failures }, part) =>
      failures.map((failure) => ({ ...failure, request: failure.request + bases[part]! })),
    ),
    decodedTokens: sum(parts.map(({ decodedTokens }) => decodedTokens)),
  };
}

function mergeRows(parts: readonly RowColumns[], bases: readonly number[]): RowColumns {
  return {
    rows: sum(parts.map(({ rows }) => rows)),
    request: shifted(
      parts.map(({ request }) => request),
      bases,
    ),
    side: joined(parts.map(({ side }) => side)),
    position: joined(parts.map(({ position }) => position)),
    logsumexp: joined(parts.map(({ logsumexp }) => logsumexp)),
    entropy: joined(parts.map(({ entropy }) => entropy)),
    masses: joined(parts.map(({ masses }) => masses)),
    topKIds: joined(parts.map(({ topKIds }) => topKIds)),
    topKProbs: joined(parts.map(({ topKProbs }) => topKProbs)),
  };
}

function mergePairs(parts: readonly PairColumns[], bases: readonly number[]): PairColumns {
  return {
    pairs: sum(parts.map(({ pairs }) => pairs)),
    request: shifted(
      parts.map(({ request }) => request),
      bases,
    ),
    jsd: joined(parts.map(({ jsd }) => jsd)),
    klPQ: joined(parts.map(({ klPQ }) => klPQ)),
    klQP: joined(parts.map(({ klQP }) => klQP)),
    totalVariation: joined(parts.map(({ totalVariation }) => totalVariation)),
    topK: parts[0]!.topK.map((_, index) => mergeTopK(parts.map(({ topK }) => topK[index]!))),
  };
}

function mergeTopK(parts: readonly PairTopKColumns[]): PairTopKColumns {
  return {
    k: parts[0]!.k,
    unionSize: joined(parts.map(({ unionSize }) => unionSize)),
    partial: joined(parts.map(({ partial }) => partial)),
    lower: joined(parts.map(({ lower }) => lower)),
    upper: joined(parts.map(({ upper }) => upper)),
  };
}

function mergeTokens(parts: readonly TokenColumns[]): TokenColumns {
  const ids = joined(parts.map((part) => part.ids));
  const rows = sum(parts.map(({ offsets }) => offsets.length - 1));
  const offsets = new Uint32Array(rows + 1);
  let row = 0;
  let base = 0;
  for (const part of parts) {
    for (const offset of part.offsets.subarray(1)) {
      row += 1;
      offsets[row] = base + offset;
    }
    base += part.ids.length;
  }
  return { ids, offsets };
}
