/** From a suite's request to what an endpoint is sent, or to why it cannot be asked. */
import { createHash } from 'node:crypto';
import { AuditError } from '../../errors.ts';
import type { GenerateRequest, ObserveRequest } from '../../observation/observation.ts';
import {
  type ChatPrompt,
  checkMessages,
  foldSystem,
  isSystemRole,
  type TemplateMessage,
} from '../../prompt/index.ts';
import { DEFAULT_MAX_TOKENS } from '../llama/raw.ts';
import { isChat } from '../prompts.ts';
import type { Capabilities } from './capabilities.ts';
import type { ApiRequest } from './endpoint.ts';
import type { ResolvedApiOptions } from './options.ts';

/** The endpoint as it is asked. */
export interface Asking {
  readonly options: ResolvedApiOptions;
  readonly capabilities: Capabilities;
}

/** Is there a message that not every endpoint takes? */
export function hasSystemMessage(request: ObserveRequest): boolean {
  if (request.kind !== 'generate' || !isChat(request.prompt)) return false;
  const { messages } = request.prompt;
  return Array.isArray(messages) && messages.some((message) => isSystemRole(message?.role));
}

export interface WiredRequest {
  readonly request: ApiRequest;
  /** What tells it apart beside its text (answers.ts). */
  readonly draw: number;
  /** An answer without text is an answer. */
  readonly mayBeEmpty: boolean;
  /** What was given, for the hash of the prompts and for people; an image by its hash. */
  readonly texts: readonly string[];
}

const NAMES: { readonly [Kind in ObserveRequest['kind']]: string } = {
  probe: 'next-token distributions',
  pair: 'next-token distributions of a text and its swap',
  score: 'log-probabilities of given continuations',
  generate: 'generated texts',
  embed: 'embeddings',
  list: 'the likeliest tokens with their log-probabilities',
};

export function notSupported(model: string, what: string, why: string, advice: string): AuditError {
  return new AuditError('not_supported', `openai:${model} cannot be asked for ${what}: ${why}; ${advice}`, {
    model,
    missing: what,
  });
}

const LOCAL = 'run it on a GGUF model, which gives every number exactly';

function noList({ options: { model }, capabilities: { refused } }: Asking): AuditError {
  return notSupported(model, NAMES.list, refused.topLogProbs ?? 'it lists none', LOCAL);
}

/** Why a request of this kind cannot be asked of the endpoint; null where it can. */
export function refuse(request: ObserveRequest, { options, capabilities }: Asking): AuditError | null {
  const { kind } = request;
  const { model, api } = options;
  if (kind === 'generate') {
    if (!request.images?.length || capabilities.images) return null;
    const other = api === 'chat' ? 'ask a model that sees' : 'ask by --api chat';
    return notSupported(model, 'answers about images', capabilities.refused.images ?? 'it takes none', other);
  }
  if (kind === 'list') {
    if (capabilities.topLogProbs === 0) return noList({ options, capabilities });
    if (api === 'completions') return null;
    const why = 'a chat lists the tokens of its answer, not those behind a text';
    return notSupported(model, NAMES.list, why, 'ask by --api completions');
  }
  const advice = `${LOCAL}, or choose options of the suite that ask for texts alone`;
  if (kind !== 'score') {
    const why = 'an endpoint lists a few tokens at most, and never the whole distribution';
    return notSupported(model, NAMES[kind], why, advice);
  }
  if (capabilities.echo === null) {
    const said = capabilities.refused.echo ?? 'it has none';
    // A prompt that completions would refuse too is not sent there.
    const open = api === 'chat' && !isChat(request.prompt) && !request.special && !request.perToken;
    const other = open ? `${advice}; or, where the endpoint has it, --api completions` : advice;
    return notSupported(model, NAMES.score, said, other);
  }
  if (isChat(request.prompt))
    return notSupported(model, 'scores behind a chat', 'completions take no chats', LOCAL);
  if (request.special)
    return notSupported(model, 'a rendered chat', 'the endpoint reads texts its own way', LOCAL);
  if (request.perToken) {
    return notSupported(
      model,
      'log-probabilities by token ids',
      'the endpoint tells texts of tokens alone',
      LOCAL,
    );
  }
  return null;
}

/** The next token of a text, with as many of the likeliest as the endpoint lists. Throws `not_supported` where it lists none. */
export function wireList(text: string, { options, capabilities }: Asking): WiredRequest {
  const { model, api, serviceTier, sampling } = options;
  const { topLogProbs: k, tokenLimit, leastTokens } = capabilities;
  if (k === 0) throw noList({ options, capabilities });
  const body = {
    model,
    ...(serviceTier === null ? {} : { service_tier: serviceTier }),
    ...(sampling === 'asked' ? { temperature: 0 } : {}),
    [tokenLimit]: leastTokens,
    ...(api === 'chat'
      ? { messages: [{ role: 'user', content: text }], logprobs: true, top_logprobs: k }
      : { prompt: text, logprobs: k }),
  };
  return { request: { api, body }, draw: 0, mayBeEmpty: true, texts: [text] };
}

/** A text whose tokens are scored as they stand, with `maxTokens` generated behind it. */
export function wireScore(text: string, maxTokens: number, options: ResolvedApiOptions): WiredRequest {
  const { model, serviceTier, sampling } = options;
  const body = {
    model,
    ...(serviceTier === null ? {} : { service_tier: serviceTier }),
    prompt: text,
    max_tokens: maxTokens,
    ...(sampling === 'asked' ? { temperature: 0 } : {}),
    echo: true,
    logprobs: 1,
  };
  return { request: { api: 'completions', body }, draw: 0, mayBeEmpty: true, texts: [text] };
}

/** What of a chat has a meaning for the template alone. `closeThink` has none here: an endpoint renders its chats itself. */
const TEMPLATE_ONLY = ['addGenerationPrompt', 'append', 'assistantPrefill', 'extra', 'now', 'tools'] as const;

/** Whether messages of the system are put in front of what the user says. */
function foldsSystem({ options: { systemRole }, capabilities }: Asking): boolean {
  return systemRole === 'fold' || (systemRole === 'auto' && capabilities.systemRole === false);
}

function messagesOf(prompt: GenerateRequest['prompt'], model: string): TemplateMessage[] {
  if (!isChat(prompt)) return [{ role: 'user', content: prompt }];
  const key = TEMPLATE_ONLY.find((name) => (prompt as ChatPrompt)[name] !== undefined);
  if (key !== undefined) {
    throw notSupported(
      model,
      `a chat with ${key}`,
      'the endpoint renders chats itself',
      `leave it out, or ${LOCAL}`,
    );
  }
  return checkMessages(prompt.messages);
}

/** Images go with the last message of the user. */
function withImages(messages: readonly TemplateMessage[], urls: readonly string[]): object[] {
  if (urls.length === 0) return [...messages];
  const last = messages.findLastIndex(({ role }) => role === 'user');
  if (last === -1) {
    throw new AuditError('bad_argument', 'the chat has images and no message of a user; give one');
  }
  const parts = urls.map((url) => ({ type: 'image_url', image_url: { url } }));
  return messages.map((message, at) =>
    at === last ? { ...message, content: [{ type: 'text', text: message.content }, ...parts] } : message,
  );
}

/** An image as rows tell of it: what it is known by, instead of all its bytes. */
function hashOf(url: string): string {
  return `sha256:${createHash('sha256').update(url).digest('hex')}`;
}

function decodingOf(request: GenerateRequest, { options, capabilities }: Asking): Record<string, unknown> {
  const { temperature = 0, topP = 1, seed = 0, stop = [], maxTokens = DEFAULT_MAX_TOKENS } = request;
  const sampled =
    options.sampling === 'preset'
      ? {}
      : {
          temperature,
          ...(topP < 1 ? { top_p: topP } : {}),
          // Where nothing is drawn, some endpoints refuse one all the same.
          ...(temperature > 0 ? { seed } : {}),
        };
  return {
    [capabilities.tokenLimit]: maxTokens,
    ...sampled,
    ...(stop.length > 0 ? { stop: [...stop] } : {}),
  };
}

function refuseExtras(request: GenerateRequest, { options: { model } }: Asking): void {
  const advice = `leave it out, or ${LOCAL}`;
  if (request.special) {
    throw notSupported(
      model,
      'a rendered chat',
      'the endpoint renders chats itself',
      'give the chat as {messages}',
    );
  }
  if (request.grammar)
    throw notSupported(model, 'a grammar', 'there is no common way to ask for one', advice);
  if (request.stepMetrics) {
    throw notSupported(model, 'metrics of every step', 'it does not give whole distributions', advice);
  }
}

/**
 * `urls` are the request's images as data URLs. Throws `not_supported`, and `bad_argument` for messages that cannot be.
 */
export function wireGeneration(
  request: GenerateRequest,
  urls: readonly string[],
  asking: Asking,
): WiredRequest {
  const { options } = asking;
  const { model, api, serviceTier, sampling } = options;
  refuseExtras(request, asking);
  const head = { model, ...(serviceTier === null ? {} : { service_tier: serviceTier }) };
  const decoding = decodingOf(request, asking);
  const rest = {
    draw: sampling === 'preset' ? (request.seed ?? 0) : 0,
    mayBeEmpty: (request.stop ?? []).length > 0,
  };
  if (api === 'chat') {
    const given = messagesOf(request.prompt, model);
    const messages = foldsSystem(asking) ? foldSystem(given) : given;
    const body = { ...head, messages: withImages(messages, urls), ...decoding };
    const hashed = withImages(messages, urls.map(hashOf));
    return { request: { api, body }, ...rest, texts: [JSON.stringify(hashed)] };
  }
  if (isChat(request.prompt)) {
    throw new AuditError(
      'no_chat_template',
      `openai:${model} is asked by completions, which take no chats; give --api chat (api: 'chat')`,
      { model },
    );
  }
  return {
    request: { api, body: { ...head, prompt: request.prompt, ...decoding } },
    ...rest,
    texts: [request.prompt],
  };
}
