/**
 * What an endpoint can do, found out by asking: a tiny request for each thing that this project would make use of. What is
 * refused is known, with what the endpoint said; nothing is taken from the name of a server or a model.
 */
import { AuditError, toAuditError } from '../../errors.ts';
import type { ListedToken } from '../../observation.ts';
import type { ApiRequest, AskOptions, Endpoint } from './endpoint.ts';
import type { ResolvedApiOptions } from './options.ts';
import type { Reply } from './reply.ts';

export interface Capabilities {
  /** What the endpoint calls the most tokens of an answer, in chats. */
  readonly tokenLimit: 'max_tokens' | 'max_completion_tokens';
  /** It takes a temperature. */
  readonly temperature: boolean;
  /** How many of the likeliest tokens it lists with their log-probabilities in the model's own distribution; 0: none. */
  readonly topLogProbs: number;
  /** Log-probabilities of the tokens of a given text, and with how many tokens behind it they must be asked for. */
  readonly echo: { readonly maxTokens: 0 | 1 } | null;
  /** Images can be shown. */
  readonly images: boolean;
  /** What the endpoint said to what it cannot do, by its name here. */
  readonly refused: Readonly<Record<string, string>>;
}

/** From the most that OpenAI gives (and vLLM and llama-server by default) down to one. */
const LIST_LENGTHS = [20, 5, 1] as const;
/** With these a server may say that it does not know something, so they are not asked about again. */
const NOT_KNOWN: ReadonlySet<number> = new Set([500, 501]);
/** Nobody goes on from it with a word or two. */
const PROBE_TEXT = 'Count from one to one hundred: one, two, three,';
/** Servers may count what ends a text. */
const MOST_TOKENS = 2;
/** Eight pixels by eight, white. */
const PROBE_IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAADklEQVR42mP4DwUMlDEA98A/wa9cD80AAAAASUVORK5CYII=';
/** A sum of probabilities above it is none of one distribution. */
const MOST_TOGETHER = 1.001;

type Asked = { readonly reply: Reply } | { readonly refusal: string };
/** `extra`: the endpoint can do without it, and is not at fault where it fails at it. */
type Ask = (request: ApiRequest, extra?: 'extra') => Promise<Asked>;

/** Asks, and takes a refusal for an answer. Throws what concerns every request: the key, the model, a server that is down. */
function asker(endpoint: Endpoint, signal: AbortSignal): Ask {
  return async (request, extra) => {
    try {
      const own: AskOptions = { signal, mayBeEmpty: true, ...(extra ? { final: NOT_KNOWN } : {}) };
      return { reply: (await endpoint.ask(request, own)).value };
    } catch (thrown) {
      const error = toAuditError(thrown);
      const { blame, status } = error.data;
      if (blame === 'request' || (extra && NOT_KNOWN.has(status as number))) {
        return { refusal: error.message };
      }
      throw error;
    }
  };
}

/**
 * Whether the list is one of the model's own distribution; null, or what it looks like. At temperature 0 a list of what
 * was chosen from has one token with all the probability.
 */
function listFault(top: readonly ListedToken[]): string | null {
  if (top.length === 0) return 'the answer lists no tokens';
  const sum = top.reduce((total, { logProb }) => total + Math.exp(logProb), 0);
  if (top.some(({ logProb }) => !(logProb <= 0)) || sum > MOST_TOGETHER) {
    return `the listed probabilities come to ${sum}: they are none of one distribution`;
  }
  return top[0]!.logProb === 0
    ? 'the first listed token has a probability of 1: these are probabilities after sampling, not those of the model'
    : null;
}

async function probeList(ask: Ask, requestOf: (length: number) => ApiRequest) {
  let refusal = '';
  for (const length of LIST_LENGTHS) {
    const answer = await ask(requestOf(length), 'extra');
    if ('refusal' in answer) {
      refusal = answer.refusal;
      continue;
    }
    const { top } = answer.reply;
    const fault = listFault(top);
    if (fault === null) return { topLogProbs: Math.min(length, top.length), refusal: null };
    return { topLogProbs: 0, refusal: fault };
  }
  return { topLogProbs: 0, refusal };
}

function noted(entries: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(entries).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

function noTemperature(model: string, said: string): AuditError {
  return new AuditError(
    'not_supported',
    `${model} takes no temperature (${said}); with sampling "preset" (--sampling preset) none is sent, and answers are drawn as the endpoint does by itself`,
    { model, missing: 'temperature' },
  );
}

async function probeChat(ask: Ask, options: ResolvedApiOptions): Promise<Capabilities> {
  const { model } = options;
  const tier = options.serviceTier === null ? {} : { service_tier: options.serviceTier };
  const cold = options.sampling === 'asked' ? { temperature: 0 } : {};
  const messages = [{ role: 'user', content: PROBE_TEXT }];
  const chat = (own: object): ApiRequest => ({ api: 'chat', body: { model, messages, ...tier, ...own } });

  const limits = ['max_completion_tokens', 'max_tokens'] as const;
  let tokenLimit: (typeof limits)[number] | undefined;
  let said = '';
  let refused = false;
  for (const limit of limits) {
    const answer = await ask(chat({ [limit]: 1, ...cold }));
    // A server may read past what it does not know: then the answer is long.
    if ('reply' in answer && (answer.reply.counts.output ?? 0) <= MOST_TOKENS) tokenLimit = limit;
    if (tokenLimit !== undefined) break;
    refused = 'refusal' in answer;
    said = 'refusal' in answer ? answer.refusal : `the answer is longer than ${limit} allows`;
  }
  if (tokenLimit === undefined) {
    if (refused && options.sampling === 'asked') {
      const warm = await ask(chat({ max_completion_tokens: 1 }), 'extra');
      if ('reply' in warm) throw noTemperature(model, said);
    }
    throw new AuditError('endpoint_refused', `${model} does not answer a chat: ${said}`, { model });
  }
  const list = await probeList(ask, (length) =>
    chat({ [tokenLimit]: 1, ...cold, logprobs: true, top_logprobs: length }),
  );
  const image = { type: 'image_url', image_url: { url: PROBE_IMAGE } };
  const shown = [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }];
  const sight = await ask(chat({ messages: shown, [tokenLimit]: 1, ...cold }), 'extra');
  return {
    tokenLimit,
    temperature: options.sampling === 'asked',
    topLogProbs: list.topLogProbs,
    echo: null,
    images: 'reply' in sight,
    refused: noted({
      topLogProbs: list.refusal,
      echo: 'chats have no log-probabilities of a given text',
      images: 'refusal' in sight ? sight.refusal : null,
    }),
  };
}

/** Log-probabilities of all tokens but the first, and the text whole. */
function echoes({ echo }: Reply): boolean {
  const text = echo.map(({ text: own }) => own).join('');
  const scored = echo.slice(1).every(({ logProb }) => logProb !== null && logProb <= 0);
  return echo.length > 1 && scored && text.includes(PROBE_TEXT);
}

async function probeCompletions(ask: Ask, options: ResolvedApiOptions): Promise<Capabilities> {
  const { model } = options;
  const tier = options.serviceTier === null ? {} : { service_tier: options.serviceTier };
  const cold = options.sampling === 'asked' ? { temperature: 0 } : {};
  const text = (own: object): ApiRequest => ({
    api: 'completions',
    body: { model, prompt: PROBE_TEXT, ...tier, ...cold, ...own },
  });
  const plain = await ask(text({ max_tokens: 1 }));
  if ('refusal' in plain) {
    throw new AuditError('endpoint_refused', `${model} does not continue a text: ${plain.refusal}`, {
      model,
    });
  }
  const list = await probeList(ask, (length) => text({ max_tokens: 1, logprobs: length }));
  let echo: Capabilities['echo'] = null;
  let said = 'the answer has no log-probabilities of the given text';
  for (const maxTokens of [0, 1] as const) {
    const answer = await ask(text({ max_tokens: maxTokens, echo: true, logprobs: 1 }), 'extra');
    if ('refusal' in answer) said = answer.refusal;
    else if (echoes(answer.reply)) echo = { maxTokens };
    if (echo) break;
  }
  return {
    tokenLimit: 'max_tokens',
    temperature: options.sampling === 'asked',
    topLogProbs: list.topLogProbs,
    echo,
    images: false,
    refused: noted({
      topLogProbs: list.refusal,
      echo: echo ? null : said,
      images: 'texts that are continued have no images',
    }),
  };
}

/**
 * Throws `endpoint_refused` for a key, a model or a kind of request that the endpoint does not take, `not_supported` for
 * one that takes no temperature, `endpoint_failed`, `cancelled`.
 */
export function probeCapabilities(
  endpoint: Endpoint,
  options: ResolvedApiOptions,
  signal: AbortSignal,
): Promise<Capabilities> {
  const ask = asker(endpoint, signal);
  return options.api === 'chat' ? probeChat(ask, options) : probeCompletions(ask, options);
}
