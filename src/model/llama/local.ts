/**
 * A GGUF model that llama.cpp runs, in a process of its own or in this one; or in several, one for each device, which
 * share the windows.
 */
import { AuditError } from '../../errors.ts';
import { inPlace } from '../../native/memory.ts';
import type { EngineSession } from '../../native/session.ts';
import type {
  JointTokens,
  Observations,
  ObserveRequest,
  TokenizeOptions,
  Tokenizer,
} from '../../observation/observation.ts';
import { WINDOWS_AT_ONCE } from '../ahead.ts';
import type { Backend, ChatDescription, ChatTemplateInfo, ModelInfo, ObserveOptions } from '../backend.ts';
import { checkRequests } from '../check.ts';
import { countedDescription } from '../size.ts';
import type { ThreadChoice } from '../threads.ts';
import { ChatRenderer, type ChatSettings } from './chat.ts';
import type { SystemInfo } from './engine.ts';
import { type MeasureInput, ownMeasure } from './raw.ts';
import { renderWindow } from './rendered.ts';
import { observeStream, type StreamOptions } from './stream.ts';
import { Worker } from './worker.ts';

/** Throws `out_of_range` for what is no whole number in [0, vocabSize), and `bad_argument` for a detached array. */
export function tokenIds(tokens: ArrayLike<number>, vocabSize: number): Int32Array {
  inPlace({ tokens });
  return Int32Array.from(tokens, (token, index) => {
    if (Number.isInteger(token) && token >= 0 && token < vocabSize) return token;
    throw new AuditError(
      'out_of_range',
      `tokens[${index}] is ${token}, and the model's vocabulary has the ids 0 to ${vocabSize - 1}`,
      { index, token, vocabSize },
    );
  });
}

/** Of a model file all is known. */
export interface LocalInfo extends ModelInfo {
  readonly parameters: number;
  readonly sizeBytes: number;
  readonly vocabSize: number;
  readonly contextLength: number;
  readonly trainedContextLength: number;
}

export class LocalModel implements Backend, Tokenizer {
  readonly info: LocalInfo;
  /** The build and the devices that the model runs on. */
  readonly system: SystemInfo;
  readonly goesOn = true;
  /** Windows that keep every worker busy. */
  readonly windowsAtOnce: number;
  /** Answers what is asked of no distribution: tokens, pieces. */
  readonly #session: EngineSession;
  readonly #workers: readonly Worker[];
  /** Windows so far. */
  #windows = 0;
  readonly #chats: ChatRenderer;
  #closing: Promise<void> | null = null;

  /**
   * `sessions` are of the same file, at least one. Throws `bad_argument` where they reduce rows in different ways, and for
   * `chats` that cannot be.
   */
  constructor(sessions: readonly [EngineSession, ...EngineSession[]], chats: ChatSettings = {}) {
    const [first] = sessions;
    this.#session = first;
    this.#workers = sessions.map((session) => new Worker(session));
    this.windowsAtOnce = WINDOWS_AT_ONCE * sessions.length;
    const { threads: _, ...info } = first.info;
    const description = countedDescription(info.description, info.architecture, info.parameters);
    this.info = { ...info, description, devices: sessions.flatMap(({ info }) => info.devices) };
    this.system = first.system;
    this.#chats = new ChatRenderer(first.info, chats);
    checkAlike(sessions);
  }

  get tokenizer(): Tokenizer {
    return this;
  }

  /** How many CPU threads decode, and why: one entry for each process that holds the model, as of its last window. */
  get threads(): readonly ThreadChoice[] {
    return this.#workers.map(({ threads }) => threads);
  }

  get vocabSize(): number {
    return this.info.vocabSize;
  }

  get chatTemplate(): ChatTemplateInfo | null {
    return this.#chats.template;
  }

  /** A first token that is to be scored needs something in front of it. */
  refusal(request: ObserveRequest): AuditError | null {
    const { addsBos, bosToken, eosToken, path } = this.info;
    if (request.kind !== 'score' || request.scoreFirst !== true || request.prompt !== '') return null;
    if (addsBos || bosToken !== null || eosToken !== null) return null;
    return new AuditError(
      'not_supported',
      `${path} has neither BOS nor EOS to put in front of a text, so that the text's first token has no probability; leave ` +
        'it out (--first-token auto)',
      { file: path, missing: 'bos' },
    );
  }

  /** How its chats are rendered; null where it has no chat template. */
  describeChats(): Promise<ChatDescription | null> {
    return this.#chats.describe();
  }

  /** Process that runs the model (of several the first), for diagnostics: null while none does, another after a crash. */
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
    { signal, onProgress, ...asked }: MeasureInput & StreamOptions = {},
  ): AsyncGenerator<Observations, void, undefined> {
    const measure = ownMeasure(asked);
    return observeStream(
      requests,
      (window, firstRequest, stop) => this.#queue(window, measure, firstRequest, stop),
      {
        windowsAtOnce: this.windowsAtOnce,
        ...(signal ? { signal } : {}),
        ...(onProgress ? { onProgress } : {}),
      },
    );
  }

  /** Observes one window of requests in one call: what {@link observe} is made of. */
  async observeWindow(
    requests: readonly ObserveRequest[],
    measure: MeasureInput,
    { signal }: ObserveOptions = {},
  ): Promise<Observations> {
    return this.#queue(requests, ownMeasure(measure), 0, signal);
  }

  /** Frees the model once the running window has ended. Safe to call twice; every other call then throws `engine_closed`. */
  close(): Promise<void> {
    this.#closing ??= Promise.all(this.#workers.map((worker) => worker.close())).then(() =>
      this.#chats.close(),
    );
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
    // Rendered while the window before is decoded; the turn is taken at once, in the order of the calls. Workers take
    // turns, whoever is free: which device computes a window hangs on its place alone.
    const rendering = renderWindow(requests, this.#chats, signal);
    rendering.catch(() => undefined);
    const worker = this.#workers[this.#windows % this.#workers.length]!;
    this.#windows += 1;
    return { ...(await worker.observe(rendering, measure, signal)), firstRequest };
  }
}

function checkAlike(sessions: readonly EngineSession[]): void {
  const places = [...new Set(sessions.map(({ info }) => info.metricsImpl))];
  if (places.length < 2) return;
  throw new AuditError(
    'bad_argument',
    `the devices of one model must reduce logits alike, and these do it by ${places.join(' and ')}; name one for all (metricsImpl, --metrics-impl graph or cpu), or devices of one kind`,
    { key: 'device', metricsImpl: places },
  );
}
