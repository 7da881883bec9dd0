/** How an answer ended, by the words that servers have for it. */
import type { FinishReason } from '../../observation/observation.ts';
import { asJson, isFields } from './words.ts';

export interface Finish {
  /** Null: a filter, or something else than a text. */
  readonly reason: FinishReason | null;
  /** What the server says of it, where it is none of the words for a text that ended or was cut. */
  readonly word: string | null;
  readonly filtered: boolean;
  /** The server gave up in the midst of the answer, and says so. */
  readonly broken: boolean;
}

const ENDS = new Set(
  'stop end eos eos_token eot end_turn end_of_turn end_of_text endoftext complete completed finish finished done success normal'.split(
    ' ',
  ),
);
const STOPS = new Set('stop_sequence stop_string stop_word stop_token_sequence'.split(' '));
const CUTS = new Set(
  'length max_tokens max_output_tokens max_completion_tokens max_new_tokens max_length maximum_tokens token_limit limit error_limit model_length model_context_window_exceeded context_length truncated incomplete'.split(
    ' ',
  ),
);
const FILTERS = new Set(
  'content_filter content_filtered content-filter safety recitation blocklist prohibited_content spii image_safety moderation sensitive guardrail_intervened error_toxic filtered'.split(
    ' ',
  ),
);

const BREAKS = new Set(
  'error abort aborted cancel cancelled canceled user_cancel interrupted failed failure timeout time_limit network_error server_error insufficient_system_resource'.split(
    ' ',
  ),
);

/** What some servers write where there is nothing to say. */
const NOTHING: ReadonlySet<unknown> = new Set([null, undefined, '', 'null', 'None']);

/** Gateways keep the provider's own word beside theirs. */
const KEYS = ['finish_reason', 'native_finish_reason', 'finishReason'] as const;

/** The word itself, where it stands in an object or a list. */
function unwrapped(given: unknown): unknown {
  const own = Array.isArray(given) && given.length === 1 ? given[0] : given;
  if (!isFields(own)) return own;
  return [own.type, own.reason].find((word) => typeof word === 'string') ?? own;
}

/** What a choice says of its end; undefined where it says nothing. */
export function saidFinish(choice: Readonly<Record<string, unknown>>): unknown {
  return KEYS.map((key) => unwrapped(choice[key])).find((own) => !NOTHING.has(own));
}

export function readFinish(choice: Readonly<Record<string, unknown>>): Finish {
  const stop = choice.stop_reason ?? choice.matched_stop;
  const said = saidFinish(choice) ?? (typeof stop === 'string' && isKnown(stop) ? stop : undefined);
  const whole = { filtered: false, broken: false };
  if (said === undefined) return { reason: 'end', word: null, ...whole };
  if (typeof said !== 'string') return { reason: null, word: asJson(said), ...whole };
  const word = wordIn(said);
  // Where a server says by what it was stopped, a text is a stop string; a number is a token.
  const byText = typeof stop === 'string' && !isKnown(stop);
  if (ENDS.has(word)) return { reason: byText ? 'stop' : 'end', word: said, ...whole };
  if (STOPS.has(word)) return { reason: 'stop', word: said, ...whole };
  if (CUTS.has(word)) return { reason: 'length', word: said, ...whole };
  return { reason: null, word: said, filtered: FILTERS.has(word), broken: BREAKS.has(word) };
}

/** `FINISH_REASON_MAX_TOKENS`, `FinishReason.MAX_TOKENS` and `max_tokens` are one word, and what stands behind a colon is a detail. */
function wordIn(said: string): string {
  return said
    .trim()
    .toLowerCase()
    .replace(/^finish_?reason[._:] ?/, '')
    .split(':', 1)[0]!
    .trim()
    .replaceAll(' ', '_');
}

function isKnown(said: string): boolean {
  const word = wordIn(said);
  return [ENDS, STOPS, CUTS, FILTERS, BREAKS].some((words) => words.has(word));
}
