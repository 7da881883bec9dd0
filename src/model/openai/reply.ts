/**
 * What an endpoint answers: what servers send is untrusted, and every one of them writes it a little differently. Of an answer
 * the text counts; what stands beside it and cannot be read is null, and a note says so.
 */
import type { FinishReason } from '../../observation/observation.ts';
import { parseJson } from './body.ts';
import { readContent, reasoningOf } from './content.ts';
import { AttemptFault, noAnswer, ofSaid } from './fault.ts';
import { readFinish } from './finish.ts';
import type { TokenCounts } from './prices.ts';
import { type ListedName, type NamedToken, readTokens } from './tokens.ts';
import { asJson, choiceIn, faultIn, isFields, shortened, textOrNull, wordsOf } from './words.ts';

/** What every answer tells besides. */
export interface Served {
  readonly counts: TokenCounts;
  /** What the endpoint calls the model that answered, the build of its server, and the tier that it was served at. */
  readonly model: string | null;
  readonly fingerprint: string | null;
  readonly tier: string | null;
  /** What was not as it should be. */
  readonly notes: readonly string[];
}

/** An answer, as journals keep it. */
export interface Reply extends Served {
  readonly text: string;
  /** Thoughts that the endpoint gives apart from the text. */
  readonly reasoning: string;
  readonly finish: FinishReason;
  /** Why there is no text that could count, though it was answered; null where there is one. */
  readonly unanswered: string | null;
  /** Of the first token of the answer, in descending order; empty where none were asked for or none came. */
  readonly top: readonly ListedName[];
  /** The tokens of the answer under their names, where they were asked for: by them it is known how names are spelled. */
  readonly written: readonly NamedToken[];
  /** With `echo` the tokens of the prompt and the answer; else empty. */
  readonly echo: readonly NamedToken[];
  /** The lists at each token of `echo`; journals leave them out. */
  readonly echoTops?: readonly (readonly ListedName[])[];
}

type Fields = Readonly<Record<string, unknown>>;

function noteOf(name: string, value: unknown): string {
  return `${name} cannot be read: ${asJson(value).slice(0, 80)}`;
}

/** A longer one is no name. */
const MOST_NAME = 1000;

/** Reads what stands beside an answer, and notes what is of another kind. */
class Side {
  readonly notes: string[] = [];

  count(name: string, value: unknown): number | null {
    if (value === null || value === undefined) return null;
    if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
    this.notes.push(noteOf(name, value));
    return null;
  }

  text(name: string, value: unknown): string | null {
    if (value === null || value === undefined) return null;
    if (typeof value === 'string' && value.length <= MOST_NAME) return value;
    this.notes.push(noteOf(name, value));
    return null;
  }

  fields(name: string, value: unknown): Fields {
    if (isFields(value)) return value;
    if (value !== null && value !== undefined) this.notes.push(noteOf(name, value));
    return {};
  }
}

/** Where servers put their counts, the likeliest first. */
function usageOf({ usage, x_groq: groq }: Fields, choice: Fields | null): unknown {
  return usage ?? (isFields(groq) ? groq.usage : null) ?? choice?.usage;
}

export function headOf(raw: Fields, choice: Fields | null = null): Served {
  const side = new Side();
  const used = side.fields('usage', usageOf(raw, choice));
  const details = side.fields('usage.prompt_tokens_details', used.prompt_tokens_details);
  const input = side.count('usage.prompt_tokens', used.prompt_tokens ?? used.input_tokens);
  const cached = side.count(
    'usage.prompt_tokens_details.cached_tokens',
    details.cached_tokens ?? used.prompt_cache_hit_tokens ?? used.cached_tokens,
  );
  const counts = {
    input,
    output: side.count('usage.completion_tokens', used.completion_tokens ?? used.output_tokens),
    cachedInput: cached !== null && input !== null && cached > input ? null : cached,
  };
  if (counts.cachedInput !== cached)
    side.notes.push(noteOf('usage.prompt_tokens_details.cached_tokens', cached));
  return {
    counts,
    model: side.text('model', raw.model),
    fingerprint: side.text('system_fingerprint', raw.system_fingerprint),
    tier: side.text('service_tier', raw.service_tier),
    notes: side.notes,
  };
}

/** What says nothing of why there is no answer. */
const ORDINARY = new Set([
  'id',
  'object',
  'created',
  'model',
  'usage',
  'choices',
  'system_fingerprint',
  'service_tier',
]);

/** Why an answer holds none, in the provider's words. */
function whyNone(raw: Fields): string {
  const rest = Object.fromEntries(
    Object.entries(raw).filter(([key, own]) => !ORDINARY.has(key) && own !== null && own !== undefined),
  );
  return wordsOf(raw) ?? (Object.keys(rest).length === 0 ? 'it says no more' : asJson(rest));
}

interface Place {
  readonly raw: Fields;
  /** Null where the answer has none. */
  readonly choice: Fields | null;
}

/** What gateways pack an answer into. */
const ENVELOPES = ['data', 'result', 'response', 'body'] as const;

/** The answer of an envelope, of a list of one, or of a text that is one. */
function unpacked(given: unknown): unknown {
  const own = Array.isArray(given) && given.length === 1 ? given[0] : given;
  if (typeof own === 'string') {
    const inner = parseJson(own);
    return isFields(inner) ? inner : own;
  }
  if (!isFields(own) || own.choices !== undefined) return own;
  const inner = ENVELOPES.map((key) => own[key]).find((one) => isFields(one) && one.choices !== undefined);
  return inner ?? own;
}

/** Throws AttemptFault for what is no answer at all, or a fault in its place. */
function placeOf(given: unknown, now: number): Place {
  const raw = unpacked(given);
  const fault = faultIn(raw);
  if (!isFields(raw)) {
    if (fault) throw ofSaid(fault, raw, now);
    throw new AttemptFault(
      `the endpoint answered with something else than an answer: ${asJson(raw).slice(0, 200)}`,
    );
  }
  const { choices } = raw;
  const choice = choiceIn(choices);
  if (choice !== null) return { raw, choice };
  if (fault) throw ofSaid(fault, raw, now);
  if (choices === null || (Array.isArray(choices) && choices.length === 0)) return { raw, choice: null };
  if (
    choices === undefined &&
    (raw.promptFeedback !== undefined || raw.prompt_filter_results !== undefined)
  ) {
    return { raw, choice: null };
  }
  throw new AttemptFault(
    `the endpoint answered with something else than an answer: ${asJson(raw).slice(0, 200)}`,
  );
}

interface Said {
  readonly text: string;
  readonly reasoning: string;
  readonly unknown: string | null;
}

function emptyReply(raw: Fields, unanswered: string): Reply {
  return {
    ...headOf(raw),
    text: '',
    reasoning: '',
    finish: 'end',
    unanswered: shortened(unanswered),
    top: [],
    written: [],
    echo: [],
  };
}

/** Of an answer without text: what was counted of thoughts. */
function thoughtTokens({ usage }: Fields): number {
  const details = isFields(usage) ? usage.completion_tokens_details : null;
  const own = isFields(details) ? details.reasoning_tokens : null;
  return typeof own === 'number' ? own : 0;
}

/** Why the answer has no text, or one that does not count; null where it has one. */
function unansweredBy(
  { text, reasoning, unknown }: Said,
  { reason, word, filtered }: ReturnType<typeof readFinish>,
  { choice, raw }: { choice: Fields; raw: Fields },
): string | null {
  if (filtered) {
    const { content_filter_results: results, message } = choice;
    const why = textOrNull(text) ?? textOrNull(isFields(message) ? message.refusal : null);
    const details = results === undefined ? '' : ` ${asJson(results)}`;
    return `the endpoint's filter held the answer back (${word})${details}${why === null ? '' : `; so much of it came: ${why}`}`;
  }
  if (unknown !== null) return `the answer holds something else than text: ${unknown}`;
  if (text !== '') return null;
  if (choice.error != null) return `the endpoint says: ${wordsOf(choice.error) ?? asJson(choice.error)}`;
  const called = isFields(choice.message) && choice.message.tool_calls;
  if (Array.isArray(called) && called.length > 0) return 'the model called a tool instead of answering';
  const atLimit =
    reason === 'length' ? ' until the limit of tokens was reached; a higher limit lets it answer' : '';
  if (reasoning !== '')
    return `the model wrote thoughts (${reasoning.length} characters) and no answer${atLimit}`;
  const thought = thoughtTokens(raw);
  if (thought > 0)
    return `the model wrote thoughts that are not shown (${thought} tokens) and no answer${atLimit}`;
  if (reason === null) return `the answer ended with "${word}", and has no text: ${whyNone(raw)}`;
  return null;
}

function replyOf(
  { raw, choice }: { raw: Fields; choice: Fields },
  said: Said,
  { echo, now }: { readonly echo: boolean; readonly now: number },
): Reply {
  const head = headOf(raw, choice);
  const finish = readFinish(choice);
  const tokens = readTokens(choice.logprobs);
  const [source] = [raw, choice].filter((own) => faultIn({ error: own.error }));
  const fault = source ? faultIn({ error: source.error }) : null;
  const { reason, word } = finish;
  // What came before the server gave up is no answer, however much it is.
  if (fault && (said.text === '' || finish.broken)) throw ofSaid(fault, { error: source!.error }, now);
  if (finish.broken) throw new AttemptFault(`the endpoint broke the answer off ("${word}")`);
  const notes = [
    ...head.notes,
    ...(tokens.fault === null ? [] : [tokens.fault]),
    ...(word === null ? ['the answer does not say how it ended'] : []),
    ...(reason === null && !finish.filtered ? [`the answer ended with "${word}"`] : []),
    ...(fault === null ? [] : [`beside the answer the endpoint says: ${fault.words}`]),
  ];
  const unanswered = unansweredBy(said, finish, { choice, raw });
  return {
    ...head,
    text: said.text,
    reasoning: said.reasoning,
    finish: reason ?? 'end',
    unanswered: unanswered === null ? null : shortened(unanswered),
    notes: notes.map((note) => shortened(note)),
    top: echo ? [] : (tokens.tops[0] ?? []),
    written: echo ? [] : tokens.written,
    echo: echo ? tokens.written : [],
    ...(echo ? { echoTops: tokens.tops } : {}),
  };
}

function saidOf(choice: Fields): Said {
  const { message: given, delta } = choice;
  if (typeof given === 'string') return { text: given, reasoning: reasoningOf(choice), unknown: null };
  // Some servers answer whole as they would in pieces.
  const message = [given, delta].find(isFields) ?? choice;
  const content = readContent(message.content ?? message.parts);
  const refusal = readContent(message.refusal);
  return {
    // A refusal in a field of its own is what the model said.
    text: content.text || (content.unknown === null ? refusal.text : ''),
    reasoning: content.reasoning || reasoningOf(message),
    unknown: content.unknown,
  };
}

/** Throws AttemptFault for what is no answer. */
export function readChatReply(raw: unknown, now = 0): Reply {
  const place = placeOf(raw, now);
  const { choice } = place;
  if (choice === null)
    return emptyReply(place.raw, `the endpoint answered without an answer: ${whyNone(place.raw)}`);
  const own = { raw: place.raw, choice };
  const said = saidOf(choice);
  // Some chats answer as completions do.
  const text = said.text || (said.unknown === null && typeof choice.text === 'string' ? choice.text : '');
  return replyOf(own, { ...said, text }, { echo: false, now });
}

/** Throws AttemptFault for what is no answer. */
export function readTextReply(
  raw: unknown,
  { echo = false, now = 0 }: { readonly echo?: boolean; readonly now?: number } = {},
): Reply {
  const place = placeOf(raw, now);
  const { choice } = place;
  if (choice === null)
    return emptyReply(place.raw, `the endpoint answered without an answer: ${whyNone(place.raw)}`);
  const given = readContent(choice.text);
  // Some completions answer as chats do, or put their thoughts there.
  const own = isFields(choice.message)
    ? saidOf(choice)
    : { text: '', reasoning: reasoningOf(choice), unknown: null };
  const said = {
    text: given.text || (given.unknown === null ? own.text : ''),
    reasoning: given.reasoning || own.reasoning,
    unknown: given.unknown ?? (given.text === '' ? own.unknown : null),
  };
  return replyOf({ raw: place.raw, choice }, said, { echo, now });
}

/** What an answer without a usable text is to the row that asked. */
export function faultOfReply({ unanswered }: Reply): AttemptFault | null {
  return unanswered === null ? null : noAnswer(unanswered);
}
