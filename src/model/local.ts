/**
 * A GGUF model that llama.cpp runs, in a process of its own or in this one. It only translates: requests into
 * sequences, the addon's flat columns into the shapes of src/observation.ts.
 */
import { AuditError, type ErrorCode } from '../errors.ts';
import type { RawMeasure, RawObservations, RawSequences } from '../native/engine.ts';
import type { EngineSession } from '../native/session.ts';
import type {
  JointTokens,
  Measure,
  Observations,
  ObserveRequest,
  PairTopKColumns,
  Tokenizer,
} from '../observation.ts';
import type { Backend, ModelInfo, ObserveOptions } from './backend.ts';
import { Containment } from './contain.ts';
import type { SystemInfo } from './engine.ts';
import { observeStream, type StreamOptions } from './stream.ts';
import { tokenIds } from './token-ids.ts';

/** Groups, likeliest tokens and top-K forms; what is left out is not computed. */
export type MeasureInput = Partial<Measure>;

function toRawSequences(requests: readonly ObserveRequest[]): RawSequences {
  const texts: string[] = [];
  const request: number[] = [];
  const side: number[] = [];
  requests.forEach((entry, index) => {
    texts.push(entry.text);
    request.push(index);
    side.push(0);
    if (entry.kind === 'pair') {
      texts.push(entry.textSwap);
      request.push(index);
      side.push(1);
    }
  });
  return { texts, request: Uint32Array.from(request), side: Uint8Array.from(side) };
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

function toObservations(raw: RawObservations, requests: number, ks: readonly number[]): Observations {
  return {
    firstRequest: 0,
    requests,
    rows: { rows: raw.rows.request.length, ...raw.rows },
    pairs: {
      pairs: raw.pairs.request.length,
      request: raw.pairs.request,
      jsd: raw.pairs.jsd,
      klPQ: raw.pairs.klPQ,
      klQP: raw.pairs.klQP,
      totalVariation: raw.pairs.totalVariation,
      topK: splitTopK(raw.pairs, ks),
    },
    tokens: raw.tokens,
    failures: raw.failures.map((failure) => ({ ...failure, code: failure.code as ErrorCode })),
    decodedTokens: raw.decodedTokens,
  };
}

function checkRequests(requests: readonly ObserveRequest[], firstRequest: number): void {
  requests.forEach((request, offset) => {
    const index = firstRequest + offset;
    const texts = request.kind === 'pair' ? [request.text, request.textSwap] : [request.text];
    if (
      (request.kind !== 'pair' && request.kind !== 'probe') ||
      texts.some((text) => typeof text !== 'string')
    ) {
      throw new AuditError(
        'bad_argument',
        `request ${index} is neither {kind: "probe", text} nor {kind: "pair", text, textSwap}`,
        { request: index },
      );
    }
  });
}

export class LocalModel implements Backend, Tokenizer {
  readonly info: ModelInfo;
  /** The build and the devices that the model runs on. */
  readonly system: SystemInfo;
  readonly #session: EngineSession;
  readonly #containment = new Containment();
  /** Ends when the window before has ended: the engine decodes one at a time. */
  #turn: Promise<unknown> = Promise.resolve();
  /** The window that is being observed, settled without a fault. */
  #running: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | null = null;

  constructor(session: EngineSession) {
    this.#session = session;
    this.info = session.info;
    this.system = session.system;
  }

  get tokenizer(): Tokenizer {
    return this;
  }

  get vocabSize(): number {
    return this.info.vocabSize;
  }

  /** Process that runs the model, for diagnostics: null while none does, another one after a crash. */
  get pid(): number | null {
    return this.#session.pid;
  }

  /** Token ids of a text, in front the model's BOS where it wants one and `bos` is not false. */
  async tokenize(text: string, options: { bos?: boolean } = {}): Promise<Int32Array> {
    const [tokens] = await this.tokenizeAll([text], options);
    return tokens!;
  }

  /** Token ids of each text, in one call. */
  tokenizeAll(texts: readonly string[], { bos = true }: { bos?: boolean } = {}): Promise<Int32Array[]> {
    return this.#session.tokenizeAll(texts, bos);
  }

  /** Tokenizes `prompt + continuation` as one text and says where the continuation's tokens begin. */
  tokenizeJoint(
    prompt: string,
    continuation: string,
    { bos = true }: { bos?: boolean } = {},
  ): Promise<JointTokens> {
    return this.#session.tokenizeJoint(prompt, continuation, bos);
  }

  /** The text of each token. Throws `out_of_range` for what is no id of the vocabulary. */
  async pieces(tokens: ArrayLike<number>): Promise<string[]> {
    return this.#session.pieces(tokenIds(tokens, this.vocabSize));
  }

  /** The text of token ids, special tokens left out. Throws `out_of_range`. */
  async detokenize(tokens: ArrayLike<number>): Promise<string> {
    return this.#session.detokenize(tokenIds(tokens, this.vocabSize));
  }

  /**
   * Observes any number of requests, a window of 128 at a time: while the caller has one, the next is decoded and the
   * one after that is gathered, and no more. Leaving the loop early cancels what is running. A request that cannot be
   * observed is listed under `failures` of its window. Throws `bad_argument`, `out_of_range`, `cancelled`,
   * `engine_failed`, `engine_closed`, and what `requests` throws.
   */
  observe(
    requests: Iterable<ObserveRequest> | AsyncIterable<ObserveRequest>,
    { signal, onProgress, ...measure }: MeasureInput & StreamOptions = {},
  ): AsyncGenerator<Observations, void, undefined> {
    return observeStream(
      requests,
      (window, firstRequest, stop) => this.#queue(window, measure, firstRequest, stop),
      { ...(signal ? { signal } : {}), ...(onProgress ? { onProgress } : {}) },
    );
  }

  /** Observes one window of requests in one call: what {@link observe} is made of. */
  async observeWindow(
    requests: readonly ObserveRequest[],
    measure: MeasureInput,
    { signal }: ObserveOptions = {},
  ): Promise<Observations> {
    return this.#queue(requests, measure, 0, signal);
  }

  /** Frees the model once the running window has ended. Safe to call twice; every other call then throws `engine_closed`. */
  close(): Promise<void> {
    this.#closing ??= this.#running.then(() => this.#session.close());
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #queue(
    requests: readonly ObserveRequest[],
    measure: MeasureInput,
    firstRequest: number,
    signal: AbortSignal | undefined,
  ): Promise<Observations> {
    checkRequests(requests, firstRequest);
    const observed = this.#turn.then(() => {
      if (this.#closing) throw new AuditError('engine_closed', 'the model is closed');
      const now = this.#observeNow(requests, measure, signal);
      this.#running = now.catch(() => undefined);
      return now;
    });
    this.#turn = observed.catch(() => undefined);
    return { ...(await observed), firstRequest };
  }

  async #observeNow(
    requests: readonly ObserveRequest[],
    measure: MeasureInput,
    signal: AbortSignal | undefined,
  ): Promise<Observations> {
    if (signal?.aborted) throw new AuditError('cancelled', 'the observation was cancelled before it began');
    const rawMeasure = toRawMeasure(measure);
    return this.#containment.observe(requests, async (own) => {
      const raw = await this.#session.observe(toRawSequences(own), rawMeasure, signal);
      return toObservations(raw, own.length, measure.pairTopK ?? []);
    });
  }
}
