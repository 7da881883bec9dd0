/**
 * An OpenAI-compatible server on loopback, for tests: chats and completions, whole or as streams, with log-probabilities
 * where its brain has them, and with faults where a test wants them. It shares no code with the client that it tests.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Draft, type Oddity, type SentBody, type SentRequest, sendDraft } from './draft.ts';

export interface ListedLogProb {
  readonly id?: number;
  readonly token: string;
  readonly bytes?: readonly number[] | null;
  readonly logprob: number;
}

/** What the brain says to a request. */
export interface Said {
  readonly text: string;
  readonly finish?: 'stop' | 'length' | 'content_filter';
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedTokens?: number;
  /** Of the first generated token. */
  readonly top?: readonly ListedLogProb[];
  /** With `echo`: the tokens of prompt and answer; the first has none. */
  readonly echo?: readonly { readonly token: string; readonly logprob: number | null }[];
}

export type { SentBody, SentRequest };

/** Throws a {@link Refusal} to answer with a status. */
export type Brain = (request: SentRequest) => Said | Promise<Said>;

export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly error: Readonly<Record<string, unknown>>,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(String(error.message));
  }
}

/**
 * `hang`: no answer at all. `cut`: the connection ends in the middle of the answer. `cutHead`: before it. `malformed`:
 * JSON that ends too soon. `empty`: an answer without text. `html`: something else than an answer.
 */
export type Fault =
  | 'hang'
  | 'cut'
  | 'cutHead'
  | 'malformed'
  | 'empty'
  | 'html'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly error?: object };

export interface LoopbackOptions {
  readonly brain?: Brain;
  /** The fault of a request, by its number from 0 among those that are no probes. */
  readonly faultAt?: (number: number, request: SentRequest) => Fault | null;
  /** Is this one of the tiny requests by which a client finds out what the server can do? */
  readonly isProbe?: (request: SentRequest) => boolean;
  readonly style?: 'vllm' | 'llama';
  /** The vectors of texts, in their order; throws a {@link Refusal}. Default: there are none. */
  readonly vectors?: (request: SentRequest) => readonly unknown[] | Promise<readonly unknown[]>;
  /** What it does otherwise than others, one after the other (oddities.ts): to answers of every kind, whole or streamed, probes included. */
  readonly oddities?: readonly Oddity[];
  /** The limits of tokens that it knows; what it does not know it reads past. Default: both. */
  readonly limits?: readonly string[];
}

const says = ({ body }: SentRequest): string =>
  body.prompt ?? body.messages?.map(({ content }) => JSON.stringify(content)).join('\n') ?? '';

export type { Oddity };

type OddContext = Parameters<Oddity>[1];

/** A brain that knows how to say back how long its question was. */
export const parrot: Brain = (request) => ({
  text: `The answer is ${says(request).length}.`,
  inputTokens: says(request).length,
  outputTokens: 5,
});

export class LoopbackServer implements AsyncDisposable {
  /** Every request, in the order of arrival, probes left out. */
  readonly requests: SentRequest[] = [];
  readonly probes: SentRequest[] = [];
  /** Those on their way now, and the most that ever were. */
  inFlight = 0;
  mostInFlight = 0;
  /** Called when a request hangs: the test goes on from there. */
  onHang: () => void = () => undefined;
  readonly #options: LoopbackOptions;
  readonly #server: Server;

  private constructor(options: LoopbackOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      this.inFlight += 1;
      this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
      response.once('close', () => {
        this.inFlight -= 1;
      });
      this.#serve(request, response).catch((thrown) => {
        response.destroy(thrown as Error);
      });
    });
  }

  static async start(options: LoopbackOptions = {}): Promise<LoopbackServer> {
    const loopback = new LoopbackServer(options);
    await new Promise<void>((resolve) => loopback.#server.listen(0, '127.0.0.1', resolve));
    return loopback;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
    const request: SentRequest = {
      path: message.url!,
      body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
      authorization: message.headers.authorization,
    };
    const { brain = parrot, faultAt, isProbe = isTinyRequest, limits = LIMITS } = this.#options;
    const probe = isProbe(request);
    const number = this.requests.length;
    (probe ? this.probes : this.requests).push(request);
    const fault = probe ? null : (faultAt?.(number, request) ?? null);
    if (fault === 'hang') return this.onHang();
    if (fault === 'cutHead') return void response.destroy();
    if (fault === 'html') return send(response, 200, '<html>hello</html>', { 'content-type': 'text/html' });
    if (fault !== null && typeof fault === 'object') {
      const error = fault.error ?? { message: `made to fail with ${fault.status}` };
      return send(response, fault.status, JSON.stringify({ error }), fault.headers);
    }
    try {
      const odd = { request, probe, number };
      if (request.path.endsWith('/embeddings')) return await this.#embed(request, fault, response, odd);
      const said = cut(await brain(request), request.body, limits);
      await this.#reply(request, fault === 'empty' ? { ...said, text: '' } : said, fault, response, odd);
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      send(response, thrown.status, JSON.stringify({ error: thrown.error }), thrown.headers);
    }
  }

  /** The draft, changed by every oddity in turn, sent. */
  async #send(draft: Draft, odd: OddContext, response: ServerResponse): Promise<void> {
    const { oddities = [] } = this.#options;
    await sendDraft(
      oddities.reduce((own, oddity) => oddity(own, odd) ?? own, draft),
      response,
    );
  }

  /** In another order than they were asked for: their numbers tell which they are. */
  async #embed(
    request: SentRequest,
    fault: Fault | null,
    response: ServerResponse,
    odd: OddContext,
  ): Promise<void> {
    const { vectors } = this.#options;
    if (!vectors) throw new Refusal(404, { message: 'there are no embeddings here' });
    const data = (await vectors(request)).map((embedding, index) =>
      isItem(embedding) ? embedding : { object: 'embedding', index, embedding },
    );
    const tokens = request.body.input!.reduce((sum, text) => sum + text.length, 0);
    const usage = { prompt_tokens: tokens, total_tokens: tokens };
    const whole = { object: 'list', data: data.reverse(), model: `${request.body.model}-2026`, usage };
    if (fault === null) return this.#send({ status: 200, whole }, odd, response);
    const text = JSON.stringify(whole);
    if (fault === 'cut') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
      response.write(text.slice(0, text.length / 2), () => response.destroy());
      return;
    }
    send(response, 200, fault === 'malformed' ? text.slice(0, text.length / 2) : text);
  }

  async #reply(
    { path, body }: SentRequest,
    said: Said,
    fault: Fault | null,
    response: ServerResponse,
    odd: OddContext,
  ): Promise<void> {
    const chat = path.endsWith('/chat/completions');
    const { style = 'vllm' } = this.#options;
    if (fault === null || fault === 'empty') {
      const draft: Draft = body.stream
        ? { status: 200, pieces: streamPieces(chat, body, said, style) }
        : { status: 200, whole: chat ? chatReply(body, said) : textReply(body, said, style) };
      return this.#send(draft, odd, response);
    }
    if (!body.stream) {
      const text = JSON.stringify(chat ? chatReply(body, said) : textReply(body, said, style));
      if (fault !== 'cut') {
        send(response, 200, fault === 'malformed' ? text.slice(0, text.length / 2) : text);
        return;
      }
      // More is promised than comes.
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
      response.write(text.slice(0, text.length / 2), () => response.destroy());
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const pieces = streamPieces(chat, body, said, style).map((piece) => `data: ${JSON.stringify(piece)}\n\n`);
    if (fault === 'malformed') return void response.end(`${pieces[0]}data: {"choices": [\n\n`);
    if (fault === 'cut') return void response.write(pieces[0]!, () => response.destroy());
    response.end(`${pieces.join('')}data: [DONE]\n\n`);
  }
}

/** A vector with a number of its own. */
function isItem(embedding: unknown): embedding is object {
  return typeof embedding === 'object' && embedding !== null && 'index' in embedding;
}

const LIMITS = ['max_completion_tokens', 'max_tokens'];

/** Counts no more tokens than are allowed. */
function cut(said: Said, body: SentBody, limits: readonly string[]): Said {
  const given = limits.map((name) => body[name]).filter((most) => typeof most === 'number');
  return { ...said, outputTokens: Math.min(said.outputTokens ?? 1, ...given) };
}

/** What this project's own probes look like: one token or none, or a text that counts. */
function isTinyRequest(request: SentRequest): boolean {
  const { body } = request;
  const most = body.max_completion_tokens ?? body.max_tokens;
  return most === 1 || most === 0 || says(request).includes('Count from one to one hundred');
}

function send(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(text);
}

function usageOf(said: Said): object {
  const { inputTokens = 3, cachedTokens } = said;
  const outputTokens = said.outputTokens ?? 1;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cachedTokens === undefined ? {} : { prompt_tokens_details: { cached_tokens: cachedTokens } }),
  };
}

const head = (body: SentBody) => ({ id: 'r', model: `${body.model}-2026`, system_fingerprint: 'fp_1' });

function chatLogProbs(said: Said): object | null {
  if (!said.top) return null;
  const [first] = said.top;
  return { content: [{ ...first, top_logprobs: said.top }] };
}

function chatReply(body: SentBody, said: Said): object {
  return {
    ...head(body),
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: said.text },
        finish_reason: said.finish ?? 'stop',
        logprobs: body.logprobs ? chatLogProbs(said) : null,
      },
    ],
    usage: usageOf(said),
  };
}

function textLogProbs(body: SentBody, said: Said, style: 'vllm' | 'llama'): object | null {
  if (body.logprobs === undefined) return null;
  if (style === 'llama') return chatLogProbs(said);
  const top = said.top && Object.fromEntries(said.top.map(({ token, logprob }) => [token, logprob]));
  const echo = body.echo ? said.echo : undefined;
  const tokens = echo ?? [{ token: said.text, logprob: said.top?.[0]?.logprob ?? null }];
  return {
    tokens: tokens.map(({ token }) => token),
    token_logprobs: tokens.map(({ logprob }) => logprob),
    top_logprobs: echo ? tokens.map(() => null) : top ? [top] : null,
    text_offset: tokens.map(() => 0),
  };
}

function textReply(body: SentBody, said: Said, style: 'vllm' | 'llama'): object {
  return {
    ...head(body),
    object: 'text_completion',
    choices: [
      {
        index: 0,
        text: body.echo ? `${body.prompt}${said.text}` : said.text,
        finish_reason: said.finish ?? 'stop',
        logprobs: textLogProbs(body, said, style),
      },
    ],
    usage: usageOf(said),
  };
}

/** One character a piece; then why it ended; then the counts, in a piece without choices. */
function streamPieces(chat: boolean, body: SentBody, said: Said, style: 'vllm' | 'llama'): object[] {
  const piece = (own: object) => ({ ...head(body), choices: [{ index: 0, finish_reason: null, ...own }] });
  const text = [...said.text].map((content) => piece(chat ? { delta: { content } } : { text: content }));
  const logprobs = chat ? (body.logprobs ? chatLogProbs(said) : null) : textLogProbs(body, said, style);
  return [
    piece(chat ? { delta: { role: 'assistant', content: '' } } : { text: '' }),
    ...text,
    piece({ ...(chat ? { delta: {} } : { text: '' }), logprobs, finish_reason: said.finish ?? 'stop' }),
    { ...head(body), choices: [], usage: usageOf(said) },
  ];
}
