/**
 * Answers to several requests, one window after the other, as those of one window. Each function names every
 * column of its type, so that a new column does not compile before it is merged.
 */

import type {
  Answers,
  EmbeddingColumns,
  GenerationColumns,
  PairColumns,
  PairTopKColumns,
  RowColumns,
  ScoreColumns,
  SequenceColumns,
  TargetColumns,
} from './observation.ts';

type Column = Uint8Array | Uint32Array | Int32Array | Float32Array | Float64Array;

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

/** How much stands before each part. */
function basesOf(counts: readonly number[]): number[] {
  let before = 0;
  return counts.map((count) => {
    const base = before;
    before += count;
    return base;
  });
}

/** Indices that each part counts from its own first one. */
function shifted(columns: readonly Uint32Array[], bases: readonly number[]): Uint32Array {
  return joined(columns.map((column, part) => column.map((index) => index + bases[part]!)));
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Merges at least one part. `firstRequest` is that of the first. */
export function mergeAnswers(parts: readonly Answers[]): Answers {
  const bases = basesOf(parts.map(({ requests }) => requests));
  const rowBases = basesOf(parts.map(({ rows }) => rows.rows));
  return {
    firstRequest: parts[0]!.firstRequest,
    requests: sum(parts.map(({ requests }) => requests)),
    rows: mergeRows(
      parts.map(({ rows }) => rows),
      bases,
    ),
    pairs: mergePairs(
      parts.map(({ pairs }) => pairs),
      bases,
      rowBases,
    ),
    scores: mergeScores(
      parts.map(({ scores }) => scores),
      bases,
    ),
    targets: mergeTargets(
      parts.map(({ targets }) => targets),
      bases,
    ),
    generations: mergeGenerations(
      parts.map(({ generations }) => generations),
      bases,
    ),
    followed: mergeGenerations(
      parts.map(({ followed }) => followed),
      bases,
    ),
    embeddings: mergeEmbeddings(
      parts.map(({ embeddings }) => embeddings),
      bases,
    ),
    sequences: mergeSequences(
      parts.map(({ sequences }) => sequences),
      bases,
    ),
    failures: parts.flatMap(({ failures }, part) =>
      failures.map((failure) => ({ ...failure, request: failure.request + bases[part]! })),
    ),
    decodedTokens: sum(parts.map(({ decodedTokens }) => decodedTokens)),
    naiveTokens: sum(parts.map(({ naiveTokens }) => naiveTokens)),
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

function mergePairs(
  parts: readonly PairColumns[],
  bases: readonly number[],
  rowBases: readonly number[],
): PairColumns {
  return {
    pairs: sum(parts.map(({ pairs }) => pairs)),
    request: shifted(
      parts.map(({ request }) => request),
      bases,
    ),
    row: shifted(
      parts.map(({ row }) => row),
      rowBases,
    ),
    rowSwap: shifted(
      parts.map(({ rowSwap }) => rowSwap),
      rowBases,
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

function mergeTargets(parts: readonly TargetColumns[], bases: readonly number[]): TargetColumns {
  return {
    targets: sum(parts.map(({ targets }) => targets)),
    request: shifted(
      parts.map(({ request }) => request),
      bases,
    ),
    side: joined(parts.map(({ side }) => side)),
    position: joined(parts.map(({ position }) => position)),
    token: joined(parts.map(({ token }) => token)),
    logProb: joined(parts.map(({ logProb }) => logProb)),
    rank: joined(parts.map(({ rank }) => rank)),
  };
}

function mergeScores(parts: readonly ScoreColumns[], bases: readonly number[]): ScoreColumns {
  return {
    scores: sum(parts.map(({ scores }) => scores)),
    request: shifted(
      parts.map(({ request }) => request),
      bases,
    ),
    side: joined(parts.map(({ side }) => side)),
    logProb: joined(parts.map(({ logProb }) => logProb)),
    tokens: joined(parts.map(({ tokens }) => tokens)),
    bytes: joined(parts.map(({ bytes }) => bytes)),
    logProbPerToken: joined(parts.map(({ logProbPerToken }) => logProbPerToken)),
    logProbPerByte: joined(parts.map(({ logProbPerByte }) => logProbPerByte)),
  };
}

function mergeGenerations(parts: readonly GenerationColumns[], bases: readonly number[]): GenerationColumns {
  return {
    generations: sum(parts.map(({ generations }) => generations)),
    request: shifted(
      parts.map(({ request }) => request),
      bases,
    ),
    texts: parts.flatMap(({ texts }) => texts),
    finish: parts.flatMap(({ finish }) => finish),
    logProb: joined(parts.map(({ logProb }) => logProb)),
    ids: joined(parts.map(({ ids }) => ids)),
    offsets: joinedOffsets(parts),
  };
}

function mergeEmbeddings(parts: readonly EmbeddingColumns[], bases: readonly number[]): EmbeddingColumns {
  return {
    embeddings: sum(parts.map(({ embeddings }) => embeddings)),
    // A part without embeddings has no dimensions.
    dimensions: Math.max(...parts.map(({ dimensions }) => dimensions)),
    request: shifted(
      parts.map(({ request }) => request),
      bases,
    ),
    values: joined(parts.map(({ values }) => values)),
  };
}

/** Every part has one offset more than entries; its last one is the next part's first. */
function joinedOffsets(
  parts: readonly { readonly ids: Int32Array; readonly offsets: Uint32Array }[],
): Uint32Array {
  const ends = parts.map(({ offsets }) => offsets.subarray(1));
  return joined([Uint32Array.of(0), shifted(ends, basesOf(parts.map(({ ids }) => ids.length)))]);
}

function mergeSequences(parts: readonly SequenceColumns[], bases: readonly number[]): SequenceColumns {
  return {
    sequences: sum(parts.map(({ sequences }) => sequences)),
    request: shifted(
      parts.map(({ request }) => request),
      bases,
    ),
    side: joined(parts.map(({ side }) => side)),
    backedOff: joined(parts.map(({ backedOff }) => backedOff)),
    ids: joined(parts.map(({ ids }) => ids)),
    offsets: joinedOffsets(parts),
  };
}
