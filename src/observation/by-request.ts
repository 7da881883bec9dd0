/** Columns of a window, sorted by request, as the suites read them: small objects a request, none a token of the vocabulary. */

import { AuditError } from '../errors.ts';
import type { GenerationColumns, Observations } from './observation.ts';
import type {
  ObservedGeneration,
  ObservedPair,
  ObservedRequest,
  ObservedScore,
  ObservedStep,
  ObservedTarget,
  ObservedText,
} from './observed.ts';

function stepAt({ rows }: Observations, row: number): ObservedStep {
  const groups = rows.rows === 0 ? 0 : rows.masses.length / rows.rows;
  const topK = rows.rows === 0 ? 0 : rows.topKIds.length / rows.rows;
  return {
    side: rows.side[row]!,
    position: rows.position[row]!,
    masses: [...rows.masses.subarray(row * groups, (row + 1) * groups)],
    entropy: rows.entropy[row]!,
    topKIds: [...rows.topKIds.subarray(row * topK, (row + 1) * topK)],
  };
}

function pairAt({ pairs }: Observations, pair: number): ObservedPair {
  return {
    jsd: pairs.jsd[pair]!,
    klPQ: pairs.klPQ[pair]!,
    klQP: pairs.klQP[pair]!,
    totalVariation: pairs.totalVariation[pair]!,
    topK: pairs.topK.map(({ k, unionSize, partial, lower, upper }) => ({
      k,
      unionSize: unionSize[pair]!,
      partial: partial[pair]!,
      lower: lower[pair]!,
      upper: upper[pair]!,
    })),
  };
}

function textAt({ sequences }: Observations, sequence: number): ObservedText {
  const { ids, offsets, backedOff } = sequences;
  return {
    tokenIds: [...ids.subarray(offsets[sequence], offsets[sequence + 1])],
    backedOff: backedOff[sequence] === 1,
  };
}

function targetAt({ targets }: Observations, target: number): ObservedTarget {
  return {
    side: targets.side[target]!,
    position: targets.position[target]!,
    token: targets.token[target]!,
    logProb: targets.logProb[target]!,
    rank: targets.rank[target]!,
  };
}

function scoreAt({ scores }: Observations, score: number): ObservedScore {
  return {
    side: scores.side[score]!,
    logProb: scores.logProb[score]!,
    tokens: scores.tokens[score]!,
    logProbPerToken: scores.logProbPerToken[score]!,
    logProbPerByte: scores.logProbPerByte[score]!,
  };
}

function generationAt(columns: GenerationColumns, generation: number): ObservedGeneration {
  const { texts, finish, logProb, counts, ids, offsets } = columns;
  const tokenIds = [...ids.subarray(offsets[generation], offsets[generation + 1])];
  return {
    text: texts[generation]!,
    finish: finish[generation]!,
    tokens: counts ? toldOrNull(counts[generation]!) : tokenIds.length,
    tokenIds,
    logProb: toldOrNull(logProb[generation]!),
  };
}

function toldOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

function embeddingAt({ embeddings }: Observations, embedding: number): Float32Array {
  const { values, dimensions } = embeddings;
  return values.slice(embedding * dimensions, (embedding + 1) * dimensions);
}

/** Sorts the entries of a table by the request that each belongs to. */
function byRequest<T>(requests: number, owner: Uint32Array, at: (index: number) => T): T[][] {
  const sorted: T[][] = Array.from({ length: requests }, () => []);
  owner.forEach((request, index) => {
    sorted[request]!.push(at(index));
  });
  return sorted;
}

/** One entry per request of the window: what was observed, or why not. */
export function readObservations(
  observations: Observations,
  requests: number,
): (ObservedRequest | AuditError)[] {
  const { sequences, rows, pairs, scores, targets, generations, followed, embeddings, asked, failures } =
    observations;
  const texts = byRequest(requests, sequences.request, (index) => textAt(observations, index));
  const steps = byRequest(requests, rows.request, (index) => stepAt(observations, index));
  const compared = byRequest(requests, pairs.request, (index) => pairAt(observations, index));
  const scored = byRequest(requests, scores.request, (index) => scoreAt(observations, index));
  const tokens = byRequest(requests, targets.request, (index) => targetAt(observations, index));
  const generated = byRequest(requests, generations.request, (index) => generationAt(generations, index));
  const behind = byRequest(requests, followed.request, (index) => generationAt(followed, index));
  const embedded = byRequest(requests, embeddings.request, (index) => embeddingAt(observations, index));
  const answers: (ObservedRequest | AuditError)[] = texts.map((own, request) => ({
    texts: own,
    steps: steps[request]!,
    pairs: compared[request]!,
    scores: scored[request]!,
    targets: tokens[request]!,
    generation: generated[request]![0] ?? null,
    embedding: embedded[request]![0] ?? null,
    ...(behind[request]![0] ? { followed: behind[request]![0] } : {}),
    ...(asked[request] ? { asked: asked[request] } : {}),
  }));
  for (const { request, steps: listed } of observations.lists ?? []) {
    answers[request] = { ...(answers[request] as ObservedRequest), lists: listed };
  }
  for (const { request, notes, reasoning } of observations.remarks ?? []) {
    answers[request] = { ...(answers[request] as ObservedRequest), remarks: { notes, reasoning } };
  }
  for (const { request, code, message, data } of failures) {
    answers[request] = new AuditError(code, message, data);
  }
  return answers;
}

interface RemarkFields {
  readonly answer_notes?: readonly string[];
  readonly reasoning?: string | readonly string[];
}

/**
 * What a row keeps of what came beside its texts: notes on answers that were not as they should be, and thoughts that a model
 * gives apart from its text. Nothing where there is neither.
 */
export function remarksOf(answers: readonly ObservedRequest[]): RemarkFields {
  const remarks = answers.flatMap(({ remarks: own }) => own ?? []);
  const notes = [...new Set(remarks.flatMap(({ notes: own }) => own))];
  const reasoning = remarks.flatMap(({ reasoning: own }) => (own === '' ? [] : [own]));
  return {
    ...(notes.length === 0 ? {} : { answer_notes: notes }),
    ...(reasoning.length === 0 ? {} : { reasoning: reasoning.length === 1 ? reasoning[0]! : reasoning }),
  };
}
