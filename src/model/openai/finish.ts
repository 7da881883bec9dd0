/** How an answer ended, by the words that servers have for it. */
import type { FinishReason } from '../../observation.ts';

export interface Finish {
  /** Null: a filter, or something else than a text. */
  readonly reason: FinishReason | null;
  /** What the server says of it, where it is none of the words for a text that ended or was cut. */
  readonly word: string | null;
  readonly filtered: boolean;
}

const ENDS = new Set(
  'stop end eos eos_token end_turn end_of_turn complete completed finish finished done success normal'.split(
    ' ',
  ),
);
const STOPS = new Set('stop_sequence stop_string stop_word stop_token_sequence'.split(' '));
const CUTS = new Set(
  'length max_tokens max_output_tokens max_completion_tokens max_new_tokens max_length token_limit limit model_length model_context_window_exceeded context_length truncated incomplete'.split(
    ' ',
  ),
);
const FILTERS = new Set(
  'content_filter content_filtered content-filter safety recitation blocklist prohibited_content spii image_safety moderation sensitive guardrail_intervened filtered'.split(
    ' ',
  ),
);

/** Gateways keep the provider's own word beside theirs. */
const KEYS = ['finish_reason', 'native_finish_reason', 'finishReason'] as const;

export function readFinish(choice: Readonly<Record<string, unknown>>): Finish {
  const given = KEYS.map((key) => choice[key]).find((own) => own !== null && own !== undefined && own !== '');
  const { stop_reason: stop } = choice;
  const said = given ?? (typeof stop === 'string' && isKnown(stop) ? stop : undefined);
  if (said === undefined) return { reason: 'end', word: null, filtered: false };
  if (typeof said !== 'string') return { reason: 'end', word: JSON.stringify(said), filtered: false };
  const word = wordIn(said);
  // Where a server says by what it was stopped, a text is a stop string; a number is a token.
  const byText = typeof stop === 'string' && !isKnown(stop);
  if (ENDS.has(word)) return { reason: byText ? 'stop' : 'end', word: said, filtered: false };
  if (STOPS.has(word)) return { reason: 'stop', word: said, filtered: false };
  if (CUTS.has(word)) return { reason: 'length', word: said, filtered: false };
  return { reason: null, word: said, filtered: FILTERS.has(word) };
}

/** `FINISH_REASON_MAX_TOKENS`, `FinishReason.MAX_TOKENS` and `max_tokens` are one word. */
function wordIn(said: string): string {
  return said
    .trim()
    .toLowerCase()
    .replace(/^finish_?reason[._]/, '')
    .replaceAll(' ', '_');
}

function isKnown(said: string): boolean {
  const word = wordIn(said);
  return [ENDS, STOPS, CUTS, FILTERS].some((words) => words.has(word));
}
