/**
 * What an endpoint can do, found out by asking: a tiny request for each thing that is needed. What is refused is known, with
 * what the endpoint said; nothing is taken from the name of a server or a model.
 */
import { AuditError, toAuditError } from '../../errors.ts';
import { type ApiRequest, type Endpoint, UNCOUNTED } from './endpoint.ts';
import { tieList } from './lists.ts';
import type { ResolvedApiOptions } from './options.ts';
import type { Reply } from './reply.ts';
import { echoFault, type KnownStep } from './score.ts';
import { bytesIn, type Spelling, spellingsOf } from './spelling.ts';

export interface Capabilities {
  /** What the endpoint calls the most tokens of an answer, in chats; `refused.tokenLimit` says where it does not keep to it. */
  readonly tokenLimit: 'max_tokens' | 'max_completion_tokens';
  /** The fewest tokens that it can be asked for. */
  readonly leastTokens: number;
  /** It takes a temperature. */
  readonly temperature: boolean;
  /** How many of the likeliest tokens it lists with their log-probabilities in the model's own distribution; 0: none. */
  readonly topLogProbs: number;
  /** How it spells the tokens that it lists, where more than one way fits all of these; empty where it lists none. */
  readonly spellings: readonly Spelling[];
  /** Log-probabilities of the tokens of a given text, and with how many tokens behind it they must be asked for. */
  readonly echo: { readonly maxTokens: 0 | 1 } | null;
  /** Images can be shown. */
  readonly images: boolean;
  /** Whether it takes messages of the system; null where nothing needed one so far. */
  readonly systemRole: boolean | null;
  /** What the endpoint said to what it cannot do, by its name here; or that it was not asked. */
  readonly refused: Readonly<Record<string, string>>;
}

/** What not every suite needs. */
export const EXTRAS = ['topLogProbs', 'echo', 'images', 'systemRole'] as const;
export type Extra = (typeof EXTRAS)[number];

const LIMITS = ['max_completion_tokens', 'max_tokens'] as const;
/** So many tokens of a list are held against the text: one alone does not show that its name lacks a space. */
const LISTED_TOKENS = 8;
/** Models that think first are refused a single token by some servers. */
const SIZES = [1, 16, 256, 2048] as const;
/** From the most that OpenAI gives (and vLLM and llama-server by default) down to one. */
const LIST_LENGTHS = [20, 5, 1] as const;
/** With these a server may say that it does not know something, so they are not asked about again. */
const NOT_KNOWN: ReadonlySet<number> = new Set([500, 501]);
/** A refusal of the request itself; others may have come of the moment, or of the account. */
const OF_THE_REQUEST: ReadonlySet<unknown> = new Set([400, 405, 406, 415, 422, 500, 501]);
/** Of what is needed one fault of the moment is not yet a refusal. */
const NEEDED_ATTEMPTS = 3;
/** The probe text makes a word or two the likeliest continuation. */
const PROBE_TEXT = 'Count from one to one hundred: one, two, three,';
/** 64 pixels by 64, white: smaller ones are refused by models that see. */
const PROBE_IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAAAAACPAi4CAAAAKUlEQVR42u3MQREAAAwCIPuX1hD77SAA6VEEAoFAIBAIBAKBQCAQfA8Gpwvw4qrwDDIAAAAASUVORK5CYII=';
/** Of a refusal for the size of the limit. */
const TOO_FEW =
  /too (?:low|small|few|short)|at least|minimum|greater than|more than|>=?|higher|larger|increase|limit was reached|below|out of range/i;

type Asked = { readonly reply: Reply } | { readonly refusal: string; readonly status: unknown };
type Ask = (request: ApiRequest) => Promise<Asked>;

/** Asks, and takes a refusal for an answer. Throws what concerns every request: the key, the model, a server that is down. */
function askBasics(endpoint: Endpoint, signal: AbortSignal): Ask {
  return async (request) => {
    try {
      return { reply: (await endpoint.ask(request, { signal, mayBeEmpty: true })).value };
    } catch (thrown) {
      const error = toAuditError(thrown);
      const { blame, perhapsAll, status } = error.data;
      if (blame === 'request' && perhapsAll !== true) return { refusal: error.message, status };
      throw error;
    }
  };
}

/** The endpoint can do without an extra, in whatever way it is refused; `cancelled` alone is thrown. */
function askExtras(endpoint: Endpoint, signal: AbortSignal, attempts: number): Ask {
  return async (request) => {
    try {
      const options = { signal, mayBeEmpty: true, final: NOT_KNOWN, attempts };
      return { reply: (await endpoint.ask(request, options)).value };
    } catch (thrown) {
      const error = toAuditError(thrown);
      if (error.code === 'cancelled') throw error;
      return { refusal: error.message, status: error.data.status };
    }
  };
}

function headOf({ model, serviceTier, sampling }: ResolvedApiOptions) {
  return {
    model,
    ...(serviceTier === null ? {} : { service_tier: serviceTier }),
    ...(sampling === 'asked' ? { temperature: 0 } : {}),
  };
}

const PROBE_MESSAGES = [{ role: 'user', content: PROBE_TEXT }];

/** A probe with what it asks besides. */
function probeOf(options: ResolvedApiOptions, own: object): ApiRequest {
  const { api } = options;
  const prompt = api === 'chat' ? { messages: PROBE_MESSAGES } : { prompt: PROBE_TEXT };
  return { api, body: { ...headOf(options), ...prompt, ...own } };
}

type Limit = Pick<Capabilities, 'tokenLimit' | 'leastTokens'>;

/**
 * The name and the least size of a limit of tokens that is kept, or that is taken at least (`unkept` says so); or what was said
 * instead.
 */
async function findLimit(
  ask: Ask,
  request: (own: object) => ApiRequest,
  names: readonly Limit['tokenLimit'][],
): Promise<(Limit & { readonly unkept?: string }) | { readonly said: string }> {
  let said = '';
  let taken: (Limit & { readonly unkept: string }) | null = null;
  for (const leastTokens of SIZES) {
    let tooFew = false;
    for (const tokenLimit of names) {
      const answer = await ask(request({ [tokenLimit]: leastTokens }));
      // A server may read past what it does not know: then the answer is long.
      if ('reply' in answer && (answer.reply.counts.output ?? 0) <= leastTokens + UNCOUNTED) {
        return { tokenLimit, leastTokens };
      }
      if ('reply' in answer) {
        taken = { tokenLimit, leastTokens, unkept: `the answer is longer than ${tokenLimit} allows` };
        continue;
      }
      said = answer.refusal;
      tooFew ||= TOO_FEW.test(answer.refusal);
    }
    if (!tooFew) break;
  }
  return taken ?? { said };
}

function noTemperature(model: string, said: string): AuditError {
  return new AuditError(
    'not_supported',
    `${model} takes no temperature (${said}); with sampling "preset" (--sampling preset) none is sent, and answers are drawn as the endpoint does by itself`,
    { model, missing: 'temperature' },
  );
}

const NOT_ASKED = 'it was not asked for, since nothing needed it so far';

/**
 * What every request needs. Throws `endpoint_refused` for a key, a model or a kind of request that the endpoint does not take,
 * `not_supported` for one that takes no temperature, `endpoint_failed`, `cancelled`.
 */
export async function findBasics(
  endpoint: Endpoint,
  options: ResolvedApiOptions,
  signal: AbortSignal,
): Promise<Capabilities> {
  const { model, api, sampling } = options;
  const ask = askBasics(endpoint, signal);
  const names = api === 'chat' ? LIMITS : (['max_tokens'] as const);
  const limit = await findLimit(ask, (own) => probeOf(options, own), names);
  if ('said' in limit) {
    const { said } = limit;
    if (sampling === 'asked') {
      const preset = { ...options, sampling: 'preset' as const };
      const warm = await findLimit(ask, (own) => probeOf(preset, own), names);
      if (!('said' in warm)) throw noTemperature(model, said);
    }
    const what = api === 'chat' ? 'does not answer a chat' : 'does not continue a text';
    throw new AuditError('endpoint_refused', `${model} ${what}: ${said}`, { model });
  }
  const { unkept, ...kept } = limit;
  return {
    ...kept,
    temperature: sampling === 'asked',
    topLogProbs: 0,
    spellings: [],
    echo: null,
    images: false,
    systemRole: null,
    refused: {
      topLogProbs: NOT_ASKED,
      echo: api === 'chat' ? 'chats have no log-probabilities of a given text' : NOT_ASKED,
      images: api === 'chat' ? NOT_ASKED : 'texts that are continued have no images',
      ...(unkept === undefined ? {} : { tokenLimit: unkept }),
    },
  };
}

/** What is found of an extra: what it is, or what was said instead. */
type Found = Partial<Omit<Capabilities, 'refused'>> & { readonly said: string | null };

interface Probing {
  readonly ask: Ask;
  readonly options: ResolvedApiOptions;
  readonly known: Capabilities;
}

async function findLists({ ask, options, known }: Probing): Promise<Found> {
  const { tokenLimit, leastTokens } = known;
  let refusal = '';
  for (const length of LIST_LENGTHS) {
    const listed = options.api === 'chat' ? { logprobs: true, top_logprobs: length } : { logprobs: length };
    const most = Math.max(leastTokens, LISTED_TOKENS);
    const answer = await ask(probeOf(options, { [tokenLimit]: most, ...listed }));
    if ('refusal' in answer) {
      refusal = answer.refusal;
      continue;
    }
    const tied = tieList(answer.reply, undefined, options.sampling === 'asked');
    if (typeof tied === 'string') return { said: tied };
    return { topLogProbs: Math.min(length, tied.top.length), spellings: tied.spellings, said: null };
  }
  return { said: refusal };
}

/**
 * The token that the model writes behind the probe text, as it stands in a text; null where it is not known. With a probability
 * of 1 it is that of a choice, and not the model's own.
 */
function stepOf({ written, text }: Reply): KnownStep | null {
  const [first] = written;
  const [spelling] = spellingsOf(written, text);
  if (!first || written.length !== 1 || spelling === undefined || !first.logProb) return null;
  return { text: bytesIn(spelling, first)!.toString('utf8'), logProb: first.logProb };
}

async function findEcho({ ask, options, known }: Probing): Promise<Found> {
  const before = await ask(probeOf(options, { [known.tokenLimit]: known.leastTokens, logprobs: 1 }));
  const step = 'reply' in before ? stepOf(before.reply) : null;
  // What was wrong first says most.
  let said = '';
  for (const maxTokens of [0, 1] as const) {
    const own = { prompt: PROBE_TEXT + (step?.text ?? ''), max_tokens: maxTokens, echo: true, logprobs: 1 };
    const answer = await ask(probeOf(options, own));
    if ('refusal' in answer) {
      said ||= answer.refusal;
      continue;
    }
    const fault = echoFault(answer.reply, PROBE_TEXT, step, maxTokens);
    if (fault === null) return { echo: { maxTokens }, said: null };
    said ||= fault;
  }
  return { said };
}

async function findSight({ ask, options, known }: Probing): Promise<Found> {
  const image = { type: 'image_url', image_url: { url: PROBE_IMAGE } };
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }];
  const answer = await ask(probeOf(options, { messages, [known.tokenLimit]: known.leastTokens }));
  return 'reply' in answer ? { images: true, said: null } : { said: answer.refusal };
}

/** The same request was answered without a message of the system, so that a refusal is about that message. */
async function findSystem({ ask, options, known }: Probing): Promise<Found> {
  const messages = [{ role: 'system', content: 'Answer briefly.' }, ...PROBE_MESSAGES];
  const request = probeOf(options, { messages, [known.tokenLimit]: known.leastTokens });
  const first = await ask(request);
  // A fault of the server may have come of the moment.
  const again = 'refusal' in first && NOT_KNOWN.has(first.status as number) ? await ask(request) : first;
  if ('reply' in again) return { systemRole: true, said: null };
  const certain = OF_THE_REQUEST.has(again.status);
  return { systemRole: certain ? false : null, said: again.refusal };
}

const FINDERS: Readonly<Record<Extra, (probing: Probing) => Promise<Found>>> = {
  topLogProbs: findLists,
  echo: findEcho,
  images: findSight,
  systemRole: findSystem,
};

/** Whether an endpoint that is asked so can have it at all. */
export function mayHave(extra: Extra, { api }: ResolvedApiOptions): boolean {
  if (extra === 'topLogProbs') return true;
  return api === (extra === 'echo' ? 'completions' : 'chat');
}

/** The capabilities with one more of them found out. `needed`: something is asked that cannot be without it. Throws `cancelled`. */
export async function findExtra(
  extra: Extra,
  known: Capabilities,
  { endpoint, options, needed }: { endpoint: Endpoint; options: ResolvedApiOptions; needed: boolean },
  signal: AbortSignal,
): Promise<Capabilities> {
  const ask = askExtras(endpoint, signal, needed ? Math.min(NEEDED_ATTEMPTS, options.attempts) : 1);
  const { said, ...found } = await FINDERS[extra]({ ask, options, known });
  const { [extra]: _, ...refused } = known.refused;
  return { ...known, ...found, refused: said === null ? refused : { ...refused, [extra]: said } };
}
