/** One request to the endpoint, in one attempt or several: the client, its limits, and what it answers. */
import OpenAI from 'openai';
import { AuditError } from '../../errors.ts';
import { readBody } from './body.ts';
import { type EmbeddingBody, type EmbeddingReply, readEmbeddings, withoutHope } from './embeddings.ts';
import { AttemptFault, ofSaid, ofStatus, toFault } from './fault.ts';
import { gather } from './gather.ts';
import { Optionals, stopped } from './optional.ts';
import type { Api, ResolvedApiOptions } from './options.ts';
import { type Reply, readChatReply, readTextReply } from './reply.ts';
import { type LoadingOptions, type Tried, withRetries } from './retry.ts';
import type { Runtime } from './runtime.ts';
import type { Secret } from './secret.ts';
import { bytesFor, type Received, Wire, type WireLimits, withLimits } from './wire.ts';
import { faultIn, wordsOfText } from './words.ts';

/** A request as it is sent, without how it is sent (`stream`). */
export interface ApiRequest {
  readonly api: Api;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface AskOptions {
  readonly signal: AbortSignal;
  /** Most attempts; default: those of the options. */
  readonly attempts?: number;
  /** Statuses after which there is no other attempt. */
  readonly final?: ReadonlySet<number>;
  /** An answer without text is one too. Default: it is asked for again. */
  readonly mayBeEmpty?: boolean;
}

/** Where a request goes below the address. */
type Route = '/chat/completions' | '/completions' | '/embeddings';

/** The client has a time limit of its own; ours ends sooner, and covers the body too. */
const NO_LIMIT_MS = 2 ** 31 - 1;
/** What a text may hold whatever was asked, and for each token. */
const BASE_CHARACTERS = 2 ** 14;
const CHARACTERS_A_TOKEN = 256;
/** What an endpoint writes by itself where a request says no limit. */
const UNLIMITED_TOKENS = 2 ** 14;

type EndpointOptions = Pick<
  ResolvedApiOptions,
  'baseUrl' | 'attempts' | 'timeoutMs' | 'stream' | 'allowRedirect' | 'loadingTimeoutMs'
> &
  Pick<LoadingOptions, 'onWait'>;

/** What ends a text may be counted too. */
export const UNCOUNTED = 1;
const MORE_TOKENS = 'the endpoint counts more tokens than were asked for at most';
export const KEY_FOUND = 'the key stood in what the endpoint sent, and was taken out';

function tokensOf({ body }: ApiRequest): number {
  const most = body.max_completion_tokens ?? body.max_tokens;
  return typeof most === 'number' ? most : UNLIMITED_TOKENS;
}

/** Of a server that has nothing at the address. */
const NO_ROUTE = new Set([404, 405, 501]);
const NO_PATH = '; the base URL has no path, and most servers answer below /v1';

export class Endpoint {
  readonly #client: OpenAI;
  readonly #wire: Wire;
  readonly #options: EndpointOptions;
  readonly #secret: Secret;
  readonly #runtime: Runtime;
  readonly #loading: LoadingOptions;
  readonly #optionals = new Optionals();

  constructor(options: EndpointOptions, secret: Secret, runtime: Runtime) {
    const { loadingTimeoutMs, onWait } = options;
    this.#options = options;
    this.#secret = secret;
    this.#runtime = runtime;
    this.#loading = {
      limitMs: loadingTimeoutMs,
      ...(onWait ? { onWait: (reason) => onWait(secret.clean(reason)) } : {}),
    };
    this.#wire = new Wire(options.allowRedirect);
    this.#client = new OpenAI({
      baseURL: options.baseUrl,
      apiKey: secret.reveal(),
      adminAPIKey: null,
      maxRetries: 0,
      timeout: NO_LIMIT_MS,
      fetch: this.#wire.fetch as typeof fetch,
      // It would write bodies to the console where OPENAI_LOG says so.
      logLevel: 'off',
    });
  }

  /** Throws `endpoint_failed`, `endpoint_refused`, `cancelled`. */
  ask(
    request: ApiRequest,
    { signal, attempts, final, mayBeEmpty = false }: AskOptions,
  ): Promise<Tried<Reply>> {
    const { api, body } = request;
    const { stream } = this.#options;
    const whole = stream ? { ...body, stream: true, stream_options: { include_usage: true } } : body;
    const read = (received: Received) => {
      const { raw, notes } = this.#rawOf(received);
      const now = this.#runtime.now();
      const reply =
        api === 'chat' ? readChatReply(raw, now) : readTextReply(raw, { echo: body.echo === true, now });
      return this.#withoutKey(checkedLength(withNotes(reply, notes), request));
    };
    const once = (sent: ApiRequest['body']) =>
      this.#attempt(() => this.#send({ api, body: sent }, signal), read, signal);
    const attempt = async () => {
      const asked = await this.#optionals.ask(whole, once).catch((thrown) => {
        const ends = thrown instanceof AttemptFault && thrown.status !== null && final?.has(thrown.status);
        throw ends ? thrown.with(thrown.message, { mayPass: false }) : thrown;
      });
      const reply = withNotes(stopped(asked.value, body.stop), asked.notes);
      const empty = reply.text === '' && reply.unanswered === null && reply.finish !== 'length';
      if (empty && !mayBeEmpty) {
        throw new AttemptFault('the endpoint answered without any text', { answered: true });
      }
      return reply;
    };
    return withRetries(attempt, attempts ?? this.#options.attempts, this.#runtime, signal, this.#loading);
  }

  /** Vectors of texts, in their order. Throws `endpoint_failed`, `endpoint_refused`, `cancelled`. */
  embed(body: EmbeddingBody, signal: AbortSignal): Promise<Tried<EmbeddingReply>> {
    const texts = body.input.length;
    const bytes = bytesFor(JSON.stringify(body).length, { vectors: texts });
    const send = (sent: object) => (own: AbortSignal) =>
      this.#post('/embeddings', sent, { bytes, streamed: false }, own);
    const read = (received: Received) => {
      const { raw, notes } = this.#rawOf(received);
      const { vectors, ...reply } = readEmbeddings(raw, texts, this.#runtime.now());
      return { ...this.#withoutKey(withNotes(reply, notes)), vectors };
    };
    const once = (sent: object) => this.#attempt(() => this.#withDeadline(send(sent), signal), read, signal);
    const attempt = async () => {
      const asked = await this.#optionals.ask({ ...body }, once).catch((thrown) => {
        throw withoutHope(thrown);
      });
      return withNotes(asked.value, asked.notes);
    };
    return withRetries(attempt, this.#options.attempts, this.#runtime, signal, this.#loading);
  }

  /** Without the key, which is noted. */
  #withoutKey<T extends { readonly notes: readonly string[] }>(given: T): T {
    const reply = this.#secret.hideIn(given);
    const found = JSON.stringify(reply) !== JSON.stringify(given);
    // Cut into tokens, or as their bytes, it is the key all the same.
    const { written = [], echo = [], top = [] } = given as Partial<Reply>;
    const cut = [written, echo, top].some((tokens) =>
      [
        tokens.map(({ text }) => text).join(''),
        Buffer.concat(tokens.map(({ text, bytes }) => Buffer.from(bytes ?? Buffer.from(text)))).toString(
          'utf8',
        ),
      ].some((joined) => this.#secret.hide(joined) !== joined),
    );
    if (!found && !cut) return reply;
    const lists = cut ? { written: [], echo: [], top: [], echoTops: [] } : {};
    return withNotes({ ...reply, ...lists }, [KEY_FOUND]);
  }

  async #attempt<T>(
    send: () => Promise<Received>,
    read: (received: Received) => T,
    signal: AbortSignal,
  ): Promise<T> {
    try {
      return read(await send());
    } catch (thrown) {
      if (signal.aborted) throw new AuditError('cancelled', 'the observation was cancelled');
      throw toFault(thrown, this.#secret);
    }
  }

  /** What came until the time was up counts, where it is whole. */
  async #withDeadline(
    send: (signal: AbortSignal) => Promise<Received>,
    signal: AbortSignal,
  ): Promise<Received> {
    const { timeoutMs } = this.#options;
    const deadline = this.#runtime.deadline(timeoutMs);
    const late = () => new AttemptFault(`the endpoint did not answer within ${timeoutMs / 1000} s`);
    try {
      const received = await send(AbortSignal.any([signal, deadline.signal]));
      return received.cut !== null && deadline.signal.aborted ? { ...received, cut: late() } : received;
    } catch (thrown) {
      throw deadline.signal.aborted && !signal.aborted ? late() : thrown;
    } finally {
      deadline.clear();
    }
  }

  async #post(route: Route, body: object, limits: WireLimits, signal: AbortSignal): Promise<Received> {
    const options = { body, signal, fetchOptions: withLimits(limits) as object };
    return this.#wire.received(await this.#client.post(route, options).asResponse());
  }

  #send(request: ApiRequest, signal: AbortSignal): Promise<Received> {
    const { api, body } = request;
    const { stream } = this.#options;
    const route: Route = api === 'chat' ? '/chat/completions' : '/completions';
    const listed = Number(body.top_logprobs ?? body.logprobs) || 0;
    const length = JSON.stringify(body).length;
    const bytes = bytesFor(length, { tokens: tokensOf(request) + (body.echo === true ? length : 0), listed });
    return this.#withDeadline((own) => this.#post(route, body, { bytes, streamed: stream }, own), signal);
  }

  /** The data of an answer. Throws AttemptFault for a status that is none of an answer, and for what is none. */
  #rawOf({ status, headers, text: given, cut }: Received): { raw: unknown; notes: readonly string[] } {
    // Here too, before anything is cut to a length: half of it would not be found.
    const text = this.#secret.hide(given);
    const notes = text === given ? [] : [KEY_FOUND];
    if (status < 200 || status >= 300) {
      const fault = ofStatus(status, bodyOfFault(text), headers, this.#runtime.now());
      const hint = NO_ROUTE.has(status) && new URL(this.#options.baseUrl).pathname === '/' ? NO_PATH : '';
      throw fault.with(`${fault.message}${hint}`);
    }
    // Of what is cut off, what came before may be whole.
    if (cut?.answered) throw cut;
    let body: ReturnType<typeof readBody>;
    try {
      body = readBody(text);
    } catch (thrown) {
      throw cut ?? thrown;
    }
    if (body.kind === 'whole') return { raw: body.raw, notes };
    if (body.kind === 'text') {
      if (cut) throw cut;
      const said = wordsOfText(body.text);
      throw new AttemptFault(
        `the endpoint answered with something else than an answer: ${said === '' ? 'nothing at all' : said}`,
      );
    }
    const { raw, finished } = gather(body.pieces);
    if (finished || body.ended) return { raw, notes };
    const { choices } = raw as { readonly choices: readonly unknown[] };
    if (choices.length === 0 && cut === null) return { raw, notes };
    const fault = faultIn({ error: (raw as { readonly error?: unknown }).error });
    if (fault) throw ofSaid(fault, raw, this.#runtime.now());
    throw (
      cut ??
      new AttemptFault('the answer does not say how it ended: the connection was cut, or it is damaged')
    );
  }
}

/** Each note once. */
function withNotes<T extends { readonly notes: readonly string[] }>(reply: T, notes: readonly string[]): T {
  return notes.length === 0 ? reply : { ...reply, notes: [...new Set([...reply.notes, ...notes])] };
}

/** JSON where it is some, or the text. */
function bodyOfFault(text: string): unknown {
  try {
    const body = readBody(text);
    if (body.kind === 'whole') return body.raw;
    return body.kind === 'pieces' ? body.pieces[0] : text;
  } catch {
    return text;
  }
}

/** With a note where it has more tokens than were asked for. Throws AttemptFault for a text that no answer to the request can have. */
function checkedLength(reply: Reply, request: ApiRequest): Reply {
  const most =
    BASE_CHARACTERS +
    CHARACTERS_A_TOKEN * tokensOf(request) +
    (request.body.echo ? JSON.stringify(request.body).length : 0);
  const { length } = reply.text;
  const isMore = (reply.counts.output ?? 0) > tokensOf(request) + UNCOUNTED;
  if (length <= most) return isMore ? { ...reply, notes: [...reply.notes, MORE_TOKENS] } : reply;
  throw new AttemptFault(
    `the endpoint sent a text of ${length} characters, and an answer of ${tokensOf(request)} tokens has at most ${most}`,
    { blame: 'request', mayPass: false, answered: true },
  );
}
