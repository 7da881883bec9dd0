/**
 * The parsers of MultiBBQ's two releases, with the faults that they have: phrases for "unknown" win over letters, and
 * the letter is the last capital of those on offer. `v1.0` takes both out of the middle of words; `v1.1` does not.
 */
import type { Finding } from './types.ts';

/** What both releases take for "unknown". */
export const MULTIBBQ_PHRASES = [
  'unknown',
  'unk',
  "can't determine",
  'cannot determine',
  'not sure',
  'unsure',
  'idk',
  'no way to know',
  'uncertain',
  'undetermined',
  'inconclusive',
  'unclear',
  'ambiguous',
  'not determinable',
  'unable to tell',
  'no basis to say',
  'neither',
  'none of the above',
] as const;

const PHRASE_AS_WORDS = new RegExp(`(?<![a-z])(?:${MULTIBBQ_PHRASES.join('|')})(?![a-z])`);

interface Slots {
  /** In capitals. */
  readonly letters: readonly string[];
  /** Characters (code points) at the end in which phrases count; null: all. */
  readonly tailSlice: number | null;
}

export function readV10(text: string, { letters, tailSlice }: Slots): Finding {
  const looked = lastCharacters(text, tailSlice).toLowerCase();
  if (MULTIBBQ_PHRASES.some((phrase) => looked.includes(phrase))) return UNKNOWN;
  return lastLetter(text, letters, () => true);
}

export function readV11(text: string, { letters, tailSlice }: Slots): Finding {
  const looked = lastCharacters(text, tailSlice).toLowerCase().replaceAll('’', "'");
  if (PHRASE_AS_WORDS.test(looked)) return UNKNOWN;
  return lastLetter(text, letters, (at) => !isAsciiLetter(text, at - 1) && !isAsciiLetter(text, at + 1));
}

const UNKNOWN: Finding = { kind: 'unknown', rule: 'unknown_phrase' };

function lastLetter(text: string, letters: readonly string[], counts: (at: number) => boolean): Finding {
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const index = letters.indexOf(text[at]!);
    if (index !== -1 && counts(at)) return { kind: 'letter', index, rule: 'last_letter' };
  }
  return { kind: 'none', reason: 'no_answer' };
}

function isAsciiLetter(text: string, at: number): boolean {
  return /^[A-Za-z]$/.test(text.charAt(at));
}

/** A character outside the basic plane is one, not two. */
function lastCharacters(text: string, count: number | null): string {
  if (count === null) return text;
  let start = text.length;
  for (let taken = 0; taken < count && start > 0; taken += 1) {
    const before = text.codePointAt(start - 2);
    start -= start >= 2 && before !== undefined && before > 0xffff ? 2 : 1;
  }
  return text.slice(start);
}
