/**
 * A GGUF model that llama.cpp runs in this process. It only translates: requests into sequences, the addon's
 * flat columns into the shapes of src/observation.ts, faults into AuditErrors.
 */
import { z } from 'zod';
import { AuditError, type ErrorCode, toAuditError } from '../errors.ts';
import {
  calling,
  type EngineOptions,
  engineAddon,
  type RawMeasure,
  type RawModel,
  type RawObservations,
  type RawRequest,
} from '../native/engine.ts';
import type {
  JointTokens,
  Measure,
  Observations,
  ObserveRequest,
  PairTopKColumns,
  Tokenizer,
} from '../observation.ts';
import type { Backend, ModelInfo, ObserveOptions } from './backend.ts';

/** Groups, likeliest tokens and top-K forms; what is left out is not computed. */
export type MeasureInput = Partial<Measure>;

function toRawRequest(request: ObserveRequest): RawRequest {
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
      };
    case 'score':
      return { kind: 'score', texts: [request.prompt, ...request.continuations], special };
  }
}

function toRawMeasure({ groups = [], topK = 0, pairTopK = [] }: MeasureInput): RawMeasure {
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

function toObservations(raw: RawObservations, ks: readonly number[]): Observations {
  return {
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
    targets: { targets: raw.targets.request.length, ...raw.targets },
    sequences: { sequences: raw.sequences.request.length, ...raw.sequences },
    failures: raw.failures.map((failure) => ({ ...failure, code: failure.code as ErrorCode })),
    decodedTokens: raw.decodedTokens,
    naiveTokens: raw.naiveTokens,
  };
}

const texts = z.array(z.string()).min(1);
const positions = z.union([z.literal(['last', 'all']), z.array(z.int().min(0)).min(1)]);
const special = z.boolean().optional();
/** The one place where requests are checked; what comes from TypeScript callers passes as it is. */
const requestSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('probe'), text: z.string(), positions: positions.optional(), special }),
  z.strictObject({
    kind: z.literal('pair'),
    text: z.string(),
    textSwap: z.string(),
    steps: z.literal(['last', 'aligned']).optional(),
    special,
  }),
  z.strictObject({ kind: z.literal('score'), prompt: z.string(), continuations: texts, special }),
]);

/** Throws `bad_argument` naming the request and the key. */
function checkRequests(requests: readonly ObserveRequest[]): void {
  requests.forEach((request, index) => {
    const parsed = requestSchema.safeParse(request);
    if (parsed.success) return;
    const [issue] = parsed.error.issues;
    const key = issue?.path.join('.') ?? '';
    throw new AuditError('bad_argument', `request ${index}: ${key || 'the request'}: ${issue?.message}`, {
      request: index,
      key,
    });
  });
}

export class LocalModel implements Backend, Tokenizer {
  readonly info: ModelInfo;
  readonly #raw: RawModel;
  /** Ends when the window before has ended: windows wait here, not on a thread of the pool that files need. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(raw: RawModel) {
    this.#raw = raw;
    this.info = raw.info();
  }

  get tokenizer(): Tokenizer {
    return this;
  }

  get vocabSize(): number {
    return this.info.vocabSize;
  }

  /** Token ids of a text, in front the model's BOS where it wants one and `bos` is not false. */
  tokenize(text: string, { bos = true }: { bos?: boolean } = {}): Int32Array {
    return this.#sync(() => this.#raw.tokenize(text, bos));
  }

  /** Tokenizes `prompt + continuation` as one text and says where the continuation's tokens begin. */
  tokenizeJoint(prompt: string, continuation: string, { bos = true }: { bos?: boolean } = {}): JointTokens {
    return this.#sync(() => this.#raw.tokenizeJoint(prompt, continuation, bos));
  }

  piece(token: number): string {
    return this.#sync(() => this.#raw.piece(token));
  }

  /** The text of token ids, special tokens left out. */
  detokenize(tokens: Int32Array | readonly number[]): string {
    return this.#sync(() => this.#raw.detokenize(Int32Array.from(tokens)));
  }

  /**
   * Observes one window of requests in one call off the event loop. A request that cannot be observed is listed
   * under `failures`. Throws `bad_argument`, `out_of_range`, `cancelled`, `engine_failed`, `engine_closed`.
   */
  async observe(
    requests: readonly ObserveRequest[],
    measure: MeasureInput,
    { signal }: ObserveOptions = {},
  ): Promise<Observations> {
    checkRequests(requests);
    const observed = this.#turn.then(() => this.#observeNow(requests, measure, signal));
    this.#turn = observed.catch(() => undefined);
    return observed;
  }

  async #observeNow(
    requests: readonly ObserveRequest[],
    measure: MeasureInput,
    signal: AbortSignal | undefined,
  ): Promise<Observations> {
    if (signal?.aborted) throw new AuditError('cancelled', 'the observation was cancelled before it began');
    const flag = new (engineAddon().CancelFlag)();
    const onAbort = () => flag.cancel();
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const raw = await calling(() =>
        this.#raw.observe(requests.map(toRawRequest), toRawMeasure(measure), flag),
      );
      return toObservations(raw, measure.pairTopK ?? []);
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Frees the model once running work has ended. Safe to call twice; every other call then throws `engine_closed`. */
  async close(): Promise<void> {
    await calling(() => this.#raw.close());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #sync<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      throw toAuditError(error);
    }
  }
}

/**
 * Opens a GGUF model. Throws `file_not_found`, `file_unreadable`, `not_gguf`, `model_invalid`, `bad_argument`
 * (an option), `engine_failed` (memory) or `addon_missing`.
 */
export async function openModel(path: string, options: EngineOptions = {}): Promise<LocalModel> {
  return new LocalModel(await calling(() => engineAddon().openModel(path, options)));
}
