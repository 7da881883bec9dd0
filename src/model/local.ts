/**
 * A GGUF model that llama.cpp runs, in a process of its own or in this one: the queue of windows, and the model's life.
 */
import { AuditError } from '../errors.ts';
import type { EngineSession } from '../native/session.ts';
import type {
  JointTokens,
  Observations,
  ObserveRequest,
  TokenizeOptions,
  Tokenizer,
} from '../observation.ts';
import type { Backend, ChatTemplateInfo, ModelInfo, ObserveOptions } from './backend.ts';
import { ChatRenderer } from './chat.ts';
import { checkRequests } from './check.ts';
import { Containment } from './contain.ts';
import type { SystemInfo } from './engine.ts';
import { type MeasureInput, toAnswers, toRawMeasure } from './raw.ts';
import { inPlace, type RenderedWindow, renderWindow } from './rendered.ts';
import { observeStream, type StreamOptions } from './stream.ts';
import { tokenIds } from './token-ids.ts';

export class LocalModel implements Backend, Tokenizer {
  readonly info: ModelInfo;
  /** The build and the devices that the model runs on. */
  readonly system: SystemInfo;
  readonly goesOn = true;
  readonly #session: EngineSession;
  readonly #chats: ChatRenderer;
  readonly #containment = new Containment();
  /**
   * Settle, without a fault, when the last window and the one before it have ended. The engine has two at a time: it
   * decodes one and makes the next ready.
   */
  #last: Promise<unknown> = Promise.resolve();
  #lastButOne: Promise<unknown> = Promise.resolve();
  /** Windows that the engine has. */
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | null = null;

  constructor(session: EngineSession) {
    this.#session = session;
    this.info = session.info;
    this.system = session.system;
    this.#chats = new ChatRenderer(session.info);
  }

  get tokenizer(): Tokenizer {
    return this;
  }

  get vocabSize(): number {
    return this.info.vocabSize;
  }

  get chatTemplate(): ChatTemplateInfo | null {
    return this.#chats.template;
  }

  /** Process that runs the model, for diagnostics: null while none does, another one after a crash. */
  get pid(): number | null {
    return this.#session.pid;
  }

  /**
   * Token ids of a text, in front the model's BOS where it wants one and `bos` is not false. With `special` the text is
   * a rendered chat: special tokens in it are special, and a BOS that it brings is the only one.
   */
  async tokenize(text: string, options: TokenizeOptions = {}): Promise<Int32Array> {
    const [tokens] = await this.tokenizeAll([text], options);
    return tokens!;
  }

  /** Token ids of each text, in one call. */
  tokenizeAll(
    texts: readonly string[],
    { bos = true, special = false }: TokenizeOptions = {},
  ): Promise<Int32Array[]> {
    return this.#session.tokenizeAll(texts, bos, special);
  }

  /** Tokenizes `prompt + continuation` as one text and says where the continuation's tokens begin. */
  tokenizeJoint(
    prompt: string,
    continuation: string,
    { bos = true, special = false }: TokenizeOptions = {},
  ): Promise<JointTokens> {
    return this.#session.tokenizeJoint(prompt, continuation, bos, special);
  }

  /** The text of each token. Throws `out_of_range` for what is no id of the vocabulary. */
  async pieces(tokens: ArrayLike<number>): Promise<string[]> {
    return this.#session.pieces(tokenIds(tokens, this.vocabSize));
  }

  /** The text of one token. Throws `out_of_range`. */
  async piece(token: number): Promise<string> {
    const [piece] = await this.pieces([token]);
    return piece!;
  }

  /** The text of token ids, special tokens left out. Throws `out_of_range`. */
  async detokenize(tokens: ArrayLike<number>): Promise<string> {
    return this.#session.detokenize(tokenIds(tokens, this.vocabSize));
  }

  /**
   * Observes any number of requests, a window of 128 at a time: while the caller has one, the next is decoded and the
   * one after that is gathered, and no more. Leaving the loop early cancels what is running. A prompt that is a chat,
   * {messages}, is rendered with the model's own template. A request that cannot be rendered or observed is listed under
   * `failures` of its window. Throws `bad_argument`, `out_of_range`, `cancelled`,
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
    this.#closing ??= Promise.allSettled(this.#running).then(() => this.#session.close());
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
    // Rendered while the window before is decoded; the turn is taken at once, in the order of the calls.
    const rendering = renderWindow(requests, this.#chats, signal);
    rendering.catch(() => undefined);
    const observed = this.#lastButOne.then(async () => {
      if (this.#closing) throw new AuditError('engine_closed', 'the model is closed');
      const now = this.#observeNow(rendering, measure, signal);
      this.#running.add(now);
      try {
        return await now;
      } finally {
        this.#running.delete(now);
      }
    });
    this.#lastButOne = this.#last;
    this.#last = observed.catch(() => undefined);
    return { ...(await observed), firstRequest };
  }

  async #observeNow(
    rendering: Promise<RenderedWindow>,
    measure: MeasureInput,
    signal: AbortSignal | undefined,
  ): Promise<Observations> {
    if (signal?.aborted) throw new AuditError('cancelled', 'the observation was cancelled before it began');
    const window = await rendering;
    const rawMeasure = toRawMeasure(measure);
    const answers = await this.#containment.observe(window.requests, async (own) => {
      const raw = await this.#session.observe([...own], rawMeasure, signal);
      return toAnswers(raw, own.length, measure.pairTopK ?? []);
    });
    return inPlace(answers, window);
  }
}
