/** One request to the endpoint, in one attempt or several: the client, its time limit, and what it answers. */
import OpenAI from 'openai';
import { type EmbeddingBody, type EmbeddingReply, readEmbeddings, withoutHope } from './embeddings.ts';
import { AttemptFault, toFault } from './fault.ts';
import { gather } from './gather.ts';
import type { Api, ResolvedApiOptions } from './options.ts';
import { type Reply, readChatReply, readTextReply } from './reply.ts';
import { type Tried, withRetries } from './retry.ts';
import type { Runtime } from './runtime.ts';
import type { Secret } from './secret.ts';

/** A request as it is sent, without how it is sent (`stream`). */
export interface ApiRequest {
  readonly api: Api;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface AskOptions {
  readonly signal: AbortSignal;
  /** Statuses after which there is no other attempt. */
  readonly final?: ReadonlySet<number>;
  /** An answer without text is one too. Default: it is asked for again. */
  readonly mayBeEmpty?: boolean;
}

/** Where a request goes below the address. */
type Route = '/chat/completions' | '/completions' | '/embeddings';

/** The client has a time limit of its own; ours ends sooner, and covers the body too. */
const NO_LIMIT_MS = 2 ** 31 - 1;

type EndpointOptions = Pick<ResolvedApiOptions, 'baseUrl' | 'attempts' | 'timeoutMs' | 'stream'>;

export class Endpoint {
  readonly #client: OpenAI;
  readonly #options: EndpointOptions;
  readonly #secret: Secret;
  readonly #runtime: Runtime;

  constructor(options: EndpointOptions, secret: Secret, runtime: Runtime) {
    this.#options = options;
    this.#secret = secret;
    this.#runtime = runtime;
    this.#client = new OpenAI({
      baseURL: options.baseUrl,
      apiKey: secret.reveal(),
      maxRetries: 0,
      timeout: NO_LIMIT_MS,
      // It would write bodies to the console where OPENAI_LOG says so.
      logLevel: 'off',
    });
  }

  /** Throws `endpoint_failed`, `endpoint_refused`, `cancelled`. */
  ask(request: ApiRequest, { signal, final, mayBeEmpty = false }: AskOptions): Promise<Tried<Reply>> {
    const { api, body } = request;
    const attempt = async () => {
      const raw = (own: AbortSignal) => this.#send(request, own);
      const read = (answer: unknown) =>
        api === 'chat' ? readChatReply(answer) : readTextReply(answer, { echo: body.echo === true });
      const reply = await this.#attempt(raw, read, signal).catch((thrown) => {
        const ends = thrown instanceof AttemptFault && thrown.status !== null && final?.has(thrown.status);
        throw ends ? new AttemptFault(thrown.message, { ...thrown, mayPass: false }) : thrown;
      });
      if (reply.text === '' && reply.finish !== 'length' && !mayBeEmpty) {
        throw new AttemptFault('the endpoint answered without any text');
      }
      return reply;
    };
    return withRetries(attempt, this.#options.attempts, this.#runtime, signal);
  }

  /** Vectors of texts, in their order. Throws `endpoint_failed`, `endpoint_refused`, `cancelled`. */
  embed(body: EmbeddingBody, signal: AbortSignal): Promise<Tried<EmbeddingReply>> {
    const attempt = () => {
      const raw = (own: AbortSignal) => this.#post('/embeddings', body, own);
      const read = (answer: unknown) => readEmbeddings(answer, body.input.length);
      return this.#attempt(raw, read, signal).catch((thrown) => {
        throw withoutHope(thrown);
      });
    };
    return withRetries(attempt, this.#options.attempts, this.#runtime, signal);
  }

  async #attempt<T>(
    send: (signal: AbortSignal) => Promise<unknown>,
    read: (raw: unknown) => T,
    signal: AbortSignal,
  ): Promise<T> {
    const { timeoutMs } = this.#options;
    const deadline = this.#runtime.deadline(timeoutMs);
    try {
      const raw = await send(AbortSignal.any([signal, deadline.signal]));
      // A stream that is aborted ends without a fault.
      if (deadline.signal.aborted) throw new AttemptFault('late');
      return read(raw);
    } catch (thrown) {
      if (deadline.signal.aborted && !signal.aborted) {
        throw new AttemptFault(`the endpoint did not answer within ${timeoutMs / 1000} s`);
      }
      throw toFault(thrown, this.#secret, this.#runtime.now());
    } finally {
      deadline.clear();
    }
  }

  #post(route: Route, body: object, signal: AbortSignal): Promise<unknown> {
    return this.#client.post(route, { body, signal });
  }

  async #send({ api, body }: ApiRequest, signal: AbortSignal): Promise<unknown> {
    const route: Route = api === 'chat' ? '/chat/completions' : '/completions';
    if (!this.#options.stream) return this.#post(route, body, signal);
    const streamed = { ...body, stream: true, stream_options: { include_usage: true } };
    return gather(
      await this.#client.post<AsyncIterable<unknown>>(route, { body: streamed, signal, stream: true }),
    );
  }
}
