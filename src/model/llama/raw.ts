/** Between the words of src/observation/observation.ts and the addon's: requests there, flat columns back. */
import { AuditError, type ErrorCode } from '../../errors.ts';
import { checkArgument } from '../../native/arguments.ts';
import type {
  RawDecoding,
  RawGenerations,
  RawMeasure,
  RawObservations,
  RawRequest,
} from '../../native/engine.ts';
import { copied } from '../../native/memory.ts';
import type {
  Answers,
  Decoding,
  FinishReason,
  GenerateRequest,
  GenerationColumns,
  Measure,
  ObserveRequest,
  PairTopKColumns,
  ScoreColumns,
} from '../../observation/observation.ts';

/** Groups, likeliest tokens and top-K forms; what is left out is not computed. */
export type MeasureInput = Partial<Measure>;

export const DEFAULT_MAX_TOKENS = 256;
const DEFAULT_DECODE_STEPS = 32;

export function toRawRequest(request: ObserveRequest<string>): RawRequest {
  const special = request.special === true;
  switch (request.kind) {
    case 'probe': {
      const { text, positions = 'last' } = request;
      return {
        kind: 'probe',
        texts: [text],
        special,
        positions: typeof positions === 'string' ? positions : Uint32Array.from(positions),
      };
    }
    case 'pair':
      return {
        kind: 'pair',
        texts: [request.text, request.textSwap],
        special,
        steps: request.steps ?? 'last',
        maxTokens: request.maxTokens ?? DEFAULT_DECODE_STEPS,
      };
    case 'score':
      return {
        kind: 'score',
        texts: [request.prompt, ...request.continuations],
        special,
        perToken: request.perToken === true,
        scoreFirst: request.scoreFirst === true,
      };
    case 'generate':
      return { kind: 'generate', texts: [request.prompt], special, ...toRawGeneration(request) };
    case 'list':
      throw new AuditError(
        'not_supported',
        'a GGUF model gives whole distributions and no lists of them: probe it, or run ctf instead of ctf-bounds',
        { missing: 'list' },
      );
    case 'embed':
      return { kind: 'embed', texts: [request.text], special };
  }
}

function toRawGeneration({
  stepMetrics,
  then: behind,
  ...decoding
}: GenerateRequest<string>): Partial<RawRequest> {
  const then = behind && { text: behind.text, ...toRawDecoding(behind) };
  return { stepMetrics: stepMetrics === true, ...toRawDecoding(decoding), ...(then ? { then } : {}) };
}

function toRawDecoding(decoding: Decoding): RawDecoding {
  return {
    maxTokens: decoding.maxTokens ?? DEFAULT_MAX_TOKENS,
    temperature: decoding.temperature ?? 0,
    topP: decoding.topP ?? 1,
    seed: decoding.seed ?? 0,
    stop: [...(decoding.stop ?? [])],
    grammar: decoding.grammar ?? '',
  };
}

/**
 * The measure with groups of its own, as it is asked for: windows are measured alike, whatever becomes of the caller's
 * arrays. Throws `bad_argument` for groups that are no arrays of ids, or whose memory cannot be read safely.
 */
export function ownMeasure<T extends MeasureInput>(measure: T): T {
  if (measure.groups === undefined) return measure;
  return {
    ...measure,
    ...copied({ groups: checkArgument('groups', measure.groups, { listOf: Int32Array }) }),
  };
}

export function toRawMeasure({ groups = [], topK = 0, pairTopK = [] }: MeasureInput): RawMeasure {
  const groupOffsets = new Uint32Array(groups.length + 1);
  groups.forEach((ids, index) => {
    groupOffsets[index + 1] = groupOffsets[index]! + ids.length;
  });
  const groupIds = new Int32Array(groupOffsets.at(-1)!);
  groups.forEach((ids, index) => {
    groupIds.set(ids, groupOffsets[index]!);
  });
  return { groupIds, groupOffsets, topK, pairTopK: Uint32Array.from(pairTopK) };
}

/** The addon gives pairs x K in one array; a reader wants one column a K. */
function splitTopK(pairs: RawObservations['pairs'], ks: readonly number[]): PairTopKColumns[] {
  const count = pairs.request.length;
  return ks.map((k, offset) => {
    const columns: PairTopKColumns = {
      k,
      unionSize: new Uint32Array(count),
      partial: new Float64Array(count),
      lower: new Float64Array(count),
      upper: new Float64Array(count),
    };
    for (let pair = 0; pair < count; pair += 1) {
      const at = pair * ks.length + offset;
      columns.unionSize[pair] = pairs.unionSize[at]!;
      columns.partial[pair] = pairs.partial[at]!;
      columns.lower[pair] = pairs.lower[at]!;
      columns.upper[pair] = pairs.upper[at]!;
    }
    return columns;
  });
}

/** In the order of the addon's codes. */
const FINISH_REASONS: readonly FinishReason[] = ['end', 'stop', 'length', 'context'];

function toScores(raw: RawObservations['scores']): ScoreColumns {
  return {
    scores: raw.request.length,
    ...raw,
    logProbPerToken: raw.logProb.map((logProb, score) => logProb / raw.tokens[score]!),
    logProbPerByte: raw.logProb.map((logProb, score) => logProb / raw.bytes[score]!),
  };
}

function toGenerations(raw: RawGenerations): GenerationColumns {
  return {
    generations: raw.request.length,
    ...raw,
    finish: Array.from(raw.finish, (code) => FINISH_REASONS[code]!),
  };
}

/** `requests` is how many were asked; `ks` are the measure's `pairTopK`. */
export function toAnswers(raw: RawObservations, requests: number, ks: readonly number[]): Answers {
  return {
    firstRequest: 0,
    requests,
    rows: { rows: raw.rows.request.length, ...raw.rows },
    pairs: {
      pairs: raw.pairs.request.length,
      request: raw.pairs.request,
      row: raw.pairs.row,
      rowSwap: raw.pairs.rowSwap,
      jsd: raw.pairs.jsd,
      klPQ: raw.pairs.klPQ,
      klQP: raw.pairs.klQP,
      totalVariation: raw.pairs.totalVariation,
      topK: splitTopK(raw.pairs, ks),
    },
    scores: toScores(raw.scores),
    targets: { targets: raw.targets.request.length, ...raw.targets },
    generations: toGenerations(raw.generations),
    followed: toGenerations(raw.followed),
    embeddings: {
      embeddings: raw.embeddings.request.length,
      dimensions: raw.embeddings.values.length / Math.max(1, raw.embeddings.request.length),
      ...raw.embeddings,
    },
    sequences: { sequences: raw.sequences.request.length, ...raw.sequences },
    failures: raw.failures.map((failure) => ({ ...failure, code: failure.code as ErrorCode })),
    decodedTokens: raw.decodedTokens,
    naiveTokens: raw.naiveTokens,
  };
}
