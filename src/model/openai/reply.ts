/** What an endpoint answers, checked: what servers send is untrusted, and every one of them writes it a little differently. */
import { z } from 'zod';
import type { FinishReason, ListedToken } from '../../observation.ts';
import { AttemptFault } from './fault.ts';
import type { TokenCounts } from './prices.ts';

/** A token of a text that was scored where it stands. */
export interface EchoedToken {
  readonly text: string;
  /** Null for the first one. */
  readonly logProb: number | null;
}

/** What every answer tells besides. */
export interface Served {
  readonly counts: TokenCounts;
  /** What the endpoint calls the model that answered, the build of its server, and the tier that it was served at. */
  readonly model: string | null;
  readonly fingerprint: string | null;
  readonly tier: string | null;
}

/** An answer, as journals keep it. */
export interface Reply extends Served {
  readonly text: string;
  readonly finish: FinishReason;
  /** Of the first token of the answer, in descending order; empty where none were asked for or none came. */
  readonly top: readonly ListedToken[];
  /** With `echo` the tokens of the prompt and the answer; else empty. */
  readonly echo: readonly EchoedToken[];
}

const count = z.int().min(0).nullish();
const usage = z
  .looseObject({
    prompt_tokens: count,
    completion_tokens: count,
    prompt_tokens_details: z.looseObject({ cached_tokens: count }).nullish(),
  })
  .nullish();
/** What of it {@link headOf} reads. */
export const replyHead = {
  model: z.string().nullish(),
  system_fingerprint: z.string().nullish(),
  service_tier: z.string().nullish(),
  usage,
};
const text = z.string().nullish();
/** JSON has no -Infinity: servers write -9999, or the like, or null. */
const logProb = z
  .number()
  .nullable()
  .transform((value) => value ?? Number.NEGATIVE_INFINITY);
const listed = z.looseObject({
  id: z.int().nullish(),
  token: z.string(),
  bytes: z.array(z.int().min(0).max(255)).nullish(),
  logprob: logProb,
});
/** As chats have it; llama-server writes completions so too. */
const content = z.looseObject({
  content: z.array(listed.extend({ top_logprobs: z.array(listed).nullish() })).nullish(),
});
/** As completions have it. */
const columns = z.looseObject({
  tokens: z.array(z.string()),
  token_logprobs: z.array(z.number().nullable()),
  top_logprobs: z.array(z.record(z.string(), logProb).nullable()).nullish(),
});
const choice = { finish_reason: text, stop_reason: z.union([z.string(), z.number()]).nullish() };

const chatReply = z.looseObject({
  ...replyHead,
  choices: z
    .array(
      z.looseObject({
        ...choice,
        message: z.looseObject({ content: text, refusal: text }),
        logprobs: content.nullish(),
      }),
    )
    .min(1),
});
const textReply = z.looseObject({
  ...replyHead,
  choices: z
    .array(z.looseObject({ ...choice, text: z.string(), logprobs: z.union([columns, content]).nullish() }))
    .min(1),
});

function keyOf({ id, bytes, token }: z.output<typeof listed>): string {
  if (typeof id === 'number') return `#${id}`;
  return bytes ? `b${Buffer.from(bytes).toString('hex')}` : `t${token}`;
}

function byFalling(tokens: ListedToken[]): ListedToken[] {
  return tokens.sort((a, b) => b.logProb - a.logProb);
}

function topOf(logprobs: z.output<typeof content> | z.output<typeof columns> | null | undefined) {
  if (!logprobs) return [];
  if ('tokens' in logprobs) {
    const entries = Object.entries((logprobs as z.output<typeof columns>).top_logprobs?.[0] ?? {});
    return byFalling(entries.map(([token, value]) => ({ key: `t${token}`, text: token, logProb: value })));
  }
  const first = (logprobs as z.output<typeof content>).content?.[0]?.top_logprobs ?? [];
  return byFalling(first.map((own) => ({ key: keyOf(own), text: own.token, logProb: own.logprob })));
}

function echoOf(logprobs: z.output<typeof columns>): EchoedToken[] {
  const { tokens, token_logprobs: values } = logprobs;
  return tokens.map((own, at) => ({ text: own, logProb: values[at] ?? null }));
}

function finishOf(reason: string | null | undefined, stop: string | number | null | undefined): FinishReason {
  switch (reason) {
    case 'stop':
      // Where a server tells by what it was stopped, a text is a stop string; a number is a token.
      return typeof stop === 'string' ? 'stop' : 'end';
    case 'length':
      return 'length';
    case 'content_filter':
      throw new AttemptFault("the endpoint's filter held the answer back", {
        blame: 'request',
        mayPass: false,
      });
    case null:
    case undefined:
      throw new AttemptFault(
        'the answer does not say how it ended: the connection was cut, or it is damaged',
      );
    default:
      throw new AttemptFault(`the answer ended with "${reason}", which is no text`, {
        blame: 'request',
        mayPass: false,
      });
  }
}

type Head = z.output<z.ZodObject<typeof replyHead>>;

export function headOf({ model, system_fingerprint, service_tier, usage: used }: Head): Served {
  return {
    counts: {
      input: used?.prompt_tokens ?? null,
      output: used?.completion_tokens ?? null,
      cachedInput: used?.prompt_tokens_details?.cached_tokens ?? null,
    },
    model: model ?? null,
    fingerprint: system_fingerprint ?? null,
    tier: service_tier ?? null,
  };
}

/** Throws AttemptFault for what is none of the schema. */
export function readChecked<S extends z.ZodType>(schema: S, raw: unknown): z.output<S> {
  const read = schema.safeParse(raw);
  if (read.success) return read.data;
  const { path, message } = read.error.issues[0]!;
  const where = path.length === 0 ? 'it' : path.map(String).join('.');
  throw new AttemptFault(`the endpoint answered with something else than an answer: ${where}: ${message}`);
}

/** Throws AttemptFault for what is no answer. */
export function readChatReply(raw: unknown): Reply {
  const reply = readChecked(chatReply, raw);
  const { message, finish_reason, stop_reason, logprobs } = reply.choices[0]!;
  return {
    text: message.content || message.refusal || '',
    finish: finishOf(finish_reason, stop_reason),
    ...headOf(reply),
    top: topOf(logprobs),
    echo: [],
  };
}

/** Throws AttemptFault for what is no answer. */
export function readTextReply(raw: unknown, { echo = false }: { readonly echo?: boolean } = {}): Reply {
  const reply = readChecked(textReply, raw);
  const { text: own, finish_reason, stop_reason, logprobs } = reply.choices[0]!;
  return {
    text: own,
    finish: finishOf(finish_reason, stop_reason),
    ...headOf(reply),
    top: topOf(logprobs),
    echo: echo && logprobs && 'tokens' in logprobs ? echoOf(logprobs as z.output<typeof columns>) : [],
  };
}
