/** Whether two answers are the same: letter by letter, in one spelling, and with the swap undone. */
import { type Lexicon, swapText } from '../../lexicon/index.ts';

/** One spelling: compatibility forms, case, spaces, and punctuation around the answer do not count. */
export function plainAnswer(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, '');
}

/**
 * The answer to a swapped prompt with its own words swapped back; an answer without such words stays as it is. Null
 * where a word of it has no partner, or it is not clear which.
 */
export function swapBack(lexicon: Lexicon, answer: string): string | null {
  const swapped = swapText(lexicon, answer);
  if (swapped.ok) return swapped.text;
  return swapped.reason === 'no_lexicon_word' ? answer : null;
}

/** Whether `answer` holds `key` as whole words. */
export function holdsKey(answer: string, key: string): boolean {
  return ` ${words(answer)} `.includes(` ${words(key)} `);
}

function words(text: string): string {
  return plainAnswer(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
