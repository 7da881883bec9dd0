/**
 * A model behind an OpenAI-compatible endpoint. It answers requests for texts, and where the endpoint echoes
 * log-probabilities those for scores; several at a time, each journalled before it is given on.
 */
import { existsSync } from 'node:fs';
import { AuditError, toAuditError } from '../../errors.ts';
import type {
  ListedStep,
  Measure,
  Observations,
  ObserveRequest,
  ScoreRequest,
  Tokenizer,
} from '../../observation/observation.ts';
import type { Backend, ModelInfo, ObserveOptions } from '../backend.ts';
import { checkRequests } from '../check.ts';
import { isChat } from '../prompts.ts';
import type { Usage } from '../usage.ts';
import { Answers, requestKey } from './answers.ts';
import { FailureCount, isOfRequest } from './blame.ts';
import { type Capabilities, type Extra, findExtra, mayHave } from './capabilities.ts';
import { type Outcome, toObservations } from './columns.ts';
import type { Endpoint } from './endpoint.ts';
import { imageUrl } from './images.ts';
import { listedStep, tieList } from './lists.ts';
import type { ResolvedApiOptions } from './options.ts';
import { faultOfReply, type Reply } from './reply.ts';
import {
  hasSystemMessage,
  refuse,
  type WiredRequest,
  wireGeneration,
  wireList,
  wireScore,
} from './requests.ts';
import { scoreEcho } from './score.ts';
import { askTogether, Limiter } from './together.ts';
import { UsageCounter } from './usage.ts';

/** What a manifest keeps of an endpoint. */
export interface ApiDescription extends Omit<ResolvedApiOptions, 'answers' | 'imageRoot' | 'maxImageBytes'> {
  readonly capabilities: Capabilities;
}

function infoOf({ model, baseUrl, api }: ResolvedApiOptions): ModelInfo {
  return {
    path: `openai:${model}`,
    parts: [],
    adapters: [],
    devices: [baseUrl],
    description: `${api} at ${baseUrl}`,
    architecture: 'api',
    parameters: null,
    sizeBytes: null,
    vocabSize: null,
    contextLength: null,
    trainedContextLength: null,
    metricsImpl: 'none',
    metricsWarning: null,
    metricsMemory: 0,
    tokenizer: 'unknown',
    addsBos: false,
    bosToken: null,
    eosToken: null,
    bosText: null,
    eosText: null,
    controlTokens: [],
    chatTemplate: null,
  };
}

/** Endpoints do not give theirs away. */
function noTokenizer(model: string): Tokenizer {
  const refused = async () => {
    throw new AuditError(
      'not_supported',
      `openai:${model} has no tokenizer that could be asked, and this needs token ids; run it on a GGUF model`,
      { model, missing: 'tokenizer' },
    );
  };
  return { vocabSize: 0, tokenize: refused, tokenizeAll: refused, pieces: refused };
}

/** What a request needs of the endpoint that not every request does. */
function extrasOf(request: ObserveRequest, { systemRole }: ResolvedApiOptions): Extra[] {
  const { kind } = request;
  if (kind === 'list') return ['topLogProbs'];
  if (kind === 'score') return ['echo'];
  if (kind !== 'generate') return [];
  return [
    ...(request.images?.length ? (['images'] as const) : []),
    ...(systemRole === 'auto' && hasSystemMessage(request) ? (['systemRole'] as const) : []),
  ];
}

/** A list in a journal of an earlier version does not say what was written, and proves nothing. */
function isEnough({ top, written }: Reply, { body }: WiredRequest['request']): boolean {
  const asksList = typeof body.logprobs !== 'undefined' && body.echo !== true;
  return !asksList || (top.length > 0 && written.length > 0);
}

export class ApiModel implements Backend {
  readonly info: ModelInfo;
  readonly tokenizer: Tokenizer;
  readonly chatTemplate = null;
  readonly takesChats: boolean;
  readonly #options: ResolvedApiOptions;
  readonly #endpoint: Endpoint;
  readonly #limiter: Limiter;
  readonly #usage: UsageCounter;
  readonly #onAnswer: ((usage: Usage) => void) | undefined;
  #answers: Promise<Answers> | null = null;
  /** Requests on their way, by their keys: two that are the same are asked once. */
  readonly #asking = new Map<string, Promise<Reply>>();
  readonly #failures = new FailureCount();
  #capabilities: Capabilities;
  /** What is found out, or is being found out, of what not every request needs. */
  readonly #extras = new Map<Extra, Promise<void>>();
  #closed = false;

  constructor(
    options: ResolvedApiOptions,
    endpoint: Endpoint,
    capabilities: Capabilities,
    onAnswer?: (usage: Usage) => void,
  ) {
    this.info = infoOf(options);
    this.tokenizer = noTokenizer(options.model);
    this.takesChats = options.api === 'chat';
    this.#capabilities = capabilities;
    this.#options = options;
    this.#endpoint = endpoint;
    this.#limiter = new Limiter(options.concurrency);
    this.#usage = new UsageCounter(options.prices, options.model);
    this.#onAnswer = onAnswer;
  }

  get capabilities(): Capabilities {
    return this.#capabilities;
  }

  get seesImages(): boolean {
    return this.#capabilities.images;
  }

  /** Finds out what the endpoint can do besides, where it was not found out yet. Throws `cancelled`. */
  async findExtras(extras: readonly Extra[], signal: AbortSignal, needed = false): Promise<void> {
    for (const extra of extras) {
      if (!mayHave(extra, this.#options)) continue;
      const before = this.#extras.get(extra) ?? this.#findExtra(extra, signal, needed);
      this.#extras.set(extra, before);
      await before;
    }
  }

  async #findExtra(extra: Extra, signal: AbortSignal, needed: boolean): Promise<void> {
    const asking = { endpoint: this.#endpoint, options: this.#options, needed };
    try {
      this.#capabilities = await findExtra(extra, this.#capabilities, asking, signal);
    } catch (thrown) {
      this.#extras.delete(extra);
      throw thrown;
    }
  }

  /** What these requests need of the endpoint beside an answer is found out, each once. Throws `cancelled`. */
  async prepare(requests: readonly ObserveRequest[], { signal }: ObserveOptions = {}): Promise<void> {
    const extras = new Set(requests.flatMap((request) => extrasOf(request, this.#options)));
    if (extras.size === 0) return;
    await this.findExtras([...extras], signal ?? new AbortController().signal, true);
  }

  /** Opens the journal of answers that is there already: what is wrong with it is better found before a run begins. */
  async openAnswers(): Promise<void> {
    const { answers } = this.#options;
    if (answers !== null && existsSync(answers)) await this.#journal();
  }

  /** For manifests: how the endpoint is asked, and what it can do. */
  describe(): ApiDescription {
    const { answers: _, imageRoot: _root, maxImageBytes: _most, ...options } = this.#options;
    return { ...options, capabilities: this.capabilities };
  }

  /** What was asked so far, and what it cost. */
  get usage(): Usage {
    return this.#usage.usage;
  }

  /** Why a request like this one cannot be asked of this endpoint; null where it can. */
  refusal(request: ObserveRequest): AuditError | null {
    return refuse(request, { options: this.#options, capabilities: this.capabilities });
  }

  /**
   * Answers one window. A request that the endpoint refuses or fails at is a failure of its own. Throws `bad_argument`,
   * `cancelled`, `engine_closed`; `endpoint_refused` where the key, the model or the account is refused;
   * `endpoint_failed` where one request after the other fails; and faults of the journal.
   */
  async observeWindow(
    requests: readonly ObserveRequest[],
    _measure: Partial<Measure>,
    { signal }: ObserveOptions = {},
  ): Promise<Observations> {
    checkRequests(requests, 0);
    if (this.#closed) throw new AuditError('engine_closed', 'the model is closed');
    if (signal?.aborted) throw new AuditError('cancelled', 'the observation was cancelled');
    const asked: (readonly string[])[] = requests.map(() => []);
    await this.prepare(requests, signal ? { signal } : {});
    const before = this.#tokens();
    const answers = await askTogether(requests, signal, async (request, both, place): Promise<Outcome> => {
      try {
        return await this.#answer(request, both, (texts) => {
          asked[place] = texts;
        });
      } catch (thrown) {
        const error = toAuditError(thrown);
        if (!isOfRequest(error)) throw error;
        return { kind: 'failure', failure: error.toJSON() };
      }
    });
    return toObservations(
      answers,
      asked.map((texts) => ({ texts, special: false, chats: [] })),
      this.#tokens() - before,
    );
  }

  /**
   * What the endpoint lists of the distribution behind each text (in chats: of the first token of the answer to it).
   * `listedRows` makes bounds of it; exact numbers there are none. Throws `not_supported` where it lists nothing, and what
   * {@link observeWindow} throws, for the first text that fails.
   */
  async likeliest(texts: readonly string[], { signal }: ObserveOptions = {}): Promise<ListedStep[]> {
    const own = signal ? { signal } : {};
    await this.prepare([{ kind: 'list', texts }], own);
    const stop = new AbortController();
    const both = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    const asked = texts.map((text) => this.#lists([text], both));
    try {
      return (await Promise.all(asked)).flat();
    } catch (thrown) {
      stop.abort();
      await Promise.allSettled(asked);
      throw thrown;
    }
  }

  /** Waits for what is on its way to be journalled. Safe to call twice. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#asking.values());
    const answers = this.#answers;
    this.#answers = null;
    await (await answers)?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #answer(
    request: ObserveRequest,
    signal: AbortSignal,
    onTexts: (texts: readonly string[]) => void,
  ): Promise<Outcome> {
    const refusal = this.refusal(request);
    if (refusal) throw refusal;
    const asking = { options: this.#options, capabilities: this.capabilities };
    if (request.kind === 'score') {
      onTexts([request.prompt as string, ...request.continuations]);
      return { kind: 'scores', scores: await this.#score(request, signal) };
    }
    if (request.kind === 'list') {
      onTexts(request.texts);
      return { kind: 'lists', steps: await this.#lists(request.texts, signal) };
    }
    if (request.kind !== 'generate') throw new AuditError('internal', `no way to ask for ${request.kind}`);
    const images = request.images ?? [];
    const urls = await Promise.all(images.map((image) => imageUrl(image, this.#options)));
    const wired = wireGeneration(request, urls, asking);
    onTexts(wired.texts);
    const reply = await this.#reply(wired, signal);
    // What was answered is journalled whatever it is worth, so that it is asked once.
    const fault = faultOfReply(reply);
    if (fault) throw fault.toError(1);
    return { kind: 'text', reply };
  }

  #lists(texts: readonly string[], signal: AbortSignal): Promise<ListedStep[]> {
    const asking = { options: this.#options, capabilities: this.capabilities };
    const { spellings, topLogProbs } = this.capabilities;
    return Promise.all(
      texts.map(async (text) => {
        const reply = await this.#reply(wireList(text, asking), signal);
        const tied = tieList(reply, spellings, this.#options.sampling === 'asked');
        if (typeof tied !== 'string') return listedStep(tied.top, topLogProbs);
        throw new AuditError('endpoint_refused', tied, { blame: 'request', text });
      }),
    );
  }

  #score({ prompt, continuations }: ScoreRequest, signal: AbortSignal) {
    if (isChat(prompt)) throw new AuditError('internal', 'a chat is scored');
    const { maxTokens } = this.capabilities.echo!;
    return Promise.all(
      continuations.map(async (continuation) => {
        const wired = wireScore(prompt + continuation, maxTokens, this.#options);
        return scoreEcho(await this.#reply(wired, signal), prompt, continuation, maxTokens);
      }),
    );
  }

  /** From the journal, from a request of the same key that is on its way, or from the endpoint. */
  #reply(wired: WiredRequest, signal: AbortSignal): Promise<Reply> {
    const key = requestKey(this.#options.baseUrl, wired.request, wired.draw);
    const known = this.#asking.get(key);
    if (known) return known;
    const reply = this.#limiter.run(() => this.#ask(key, wired, signal));
    this.#asking.set(key, reply);
    const forget = () => this.#asking.delete(key);
    reply.then(forget, forget);
    return reply;
  }

  async #ask(key: string, { request, mayBeEmpty }: WiredRequest, signal: AbortSignal): Promise<Reply> {
    if (signal.aborted) throw new AuditError('cancelled', 'the observation was cancelled');
    const journal = await this.#journal();
    const known = await journal?.find(key);
    if (known && isEnough(known, request)) {
      this.#usage.addReused(known);
      this.#onAnswer?.(this.usage);
      return known;
    }
    try {
      const { value: whole, attempts } = await this.#endpoint.ask(request, { signal, mayBeEmpty });
      const { echoTops: _, ...value } = whole;
      await journal?.add(key, value);
      this.#failures.answered();
      this.#usage.addAsked(value, attempts);
      this.#onAnswer?.(this.usage);
      return value;
    } catch (thrown) {
      const { answers } = this.#options;
      const kept = answers === null ? '' : `; its answers so far are in ${answers} (--answers takes them up)`;
      throw this.#failures.failed(toAuditError(thrown), kept);
    }
  }

  #journal(): Promise<Answers> | null {
    const { answers } = this.#options;
    if (answers === null) return null;
    this.#answers ??= Answers.open(answers);
    return this.#answers;
  }

  #tokens(): number {
    const { asked, reused } = this.usage;
    const all = [asked.inputTokens, asked.outputTokens, reused.inputTokens, reused.outputTokens];
    return all.reduce<number>((sum, tokens) => sum + (tokens ?? 0), 0);
  }
}
