/** Whether two answers are the same once the swap is undone, and whether an answer holds what is right. */
import { type Lexicon, swapText } from '../../lexicon/index.ts';
import { normaliseAnswer, streamSafe } from '../shared/answer/normalise.ts';
import { numberOf } from '../shared/answer/number.ts';

/**
 * An answer with its own words swapped; one without such words stays as it is. Null where a word of it has no partner,
 * or it is not clear which.
 */
export function swapAnswer(
  lexicon: Lexicon,
  answer: string,
  between?: readonly [string, string],
): string | null {
  const swapped = swapText(lexicon, answer, between ? { between } : {});
  if (swapped.ok) return swapped.text;
  return swapped.reason === 'no_lexicon_word' ? answer : null;
}

/** What a model wrote; `cut` where it might have continued. */
export interface Answer {
  readonly text: string;
  readonly cut: boolean;
}

/**
 * Whether two answers are the same in one spelling. One that was cut counts as far as it goes: what it would have said
 * next is not known, and the words of one gender may take more tokens than those of the other.
 */
export function sameAnswer(first: Answer, second: Answer): boolean {
  const [a, b] = [normaliseAnswer(first.text), normaliseAnswer(second.text)];
  if (a === b) return true;
  return (first.cut && a !== '' && b.startsWith(a)) || (second.cut && b !== '' && a.startsWith(b));
}

/** An answer with the same with its words swapped ({@link swapAnswer}). */
export interface SwappedAnswer extends Answer {
  readonly swapped: string | null;
}

/**
 * Whether either answer is the other one swapped, by {@link sameAnswer}. Both ways are tried, for a word may come back
 * as another ("mum" by "dad" as "mom"). Null where neither can be swapped.
 */
export function sameOnceSwapped(first: SwappedAnswer, second: SwappedAnswer): boolean | null {
  const ways = [
    [first, second],
    [second, first],
  ] as const;
  const open = ways.filter(([, { swapped }]) => swapped !== null);
  if (open.length === 0) return null;
  return open.some(([own, { swapped, cut }]) => sameAnswer(own, { text: swapped!, cut }));
}

// Single characters, never runs: a pattern that takes a long run takes much stack, and Intl.Segmenter takes time of the
// square of a text's length.
const SEPARATOR = /([^\p{L}\p{M}\p{N}])/u;
const HYPHEN = /^[-\u2010\u2212\u2013]$/;
const UNSPACED =
  '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}]';
/** In front of and behind each letter of a script that puts no space between words. */
const UNSPACED_LETTER = new RegExp(`(?=(?!\\p{M})${UNSPACED})|(?<=${UNSPACED})(?!\\p{M})`, 'u');

interface Word {
  /** In lower case; a number in its one spelling, with its sign. */
  readonly text: string;
  /** A hyphen makes it one with the word in front, or behind. */
  readonly joinedBefore: boolean;
  readonly joinedBehind: boolean;
}

/** Whether the separator at `at` belongs to the word around it: "don't", "1,500". */
function isWithin(parts: readonly string[], at: number): boolean {
  const [left, separator, right] = [parts[at - 1], parts[at], parts[at + 1]];
  if (!left || !separator || !right) return false;
  if (/['\u2019]/.test(separator)) return true;
  return /[.,]/.test(separator) && /\d/.test(left.at(-1)!) && /\d/.test(right[0]!);
}

/** Whether the separator at `at` is a minus in front of a number. */
function isMinus(parts: readonly string[], at: number): boolean {
  return /^[-\u2212]$/.test(parts[at] ?? '') && parts[at - 1] === '' && !/[)\]]/.test(parts[at - 2] ?? '');
}

/**
 * The words and numbers of a text. An apostrophe is part of a word, points and commas of a number; in scripts without
 * spaces every letter is a word.
 */
export function wordsOf(text: string): Word[] {
  const parts = streamSafe(text).normalize('NFKC').toLowerCase().split(SEPARATOR);
  const words: Word[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    if (parts[at] === '') continue;
    const first = at;
    while (isWithin(parts, at + 1)) at += 2;
    const whole = parts.slice(first, at + 1).join('');
    const number = numberOf(isMinus(parts, first - 1) ? `-${whole}` : whole);
    const pieces = number === null ? whole.split(UNSPACED_LETTER) : [number];
    const joinedBefore = HYPHEN.test(parts[first - 1] ?? '') && parts[first - 2] !== '';
    const joinedBehind = HYPHEN.test(parts[at + 1] ?? '') && parts[at + 2] !== '';
    pieces.forEach((piece, place) => {
      words.push({
        text: piece.replaceAll('\u2019', "'"),
        joinedBefore: joinedBefore && place === 0,
        joinedBehind: joinedBehind && place === pieces.length - 1,
      });
    });
  }
  return words;
}

/** Whether `answer` holds `key` as whole words, one after the other: "he" is not in "there", nor 5 in -5, 3.5 or 1,500. */
export function holdsKey(answer: string, key: string): boolean {
  const [said, wanted] = [wordsOf(answer), wordsOf(key)];
  return said.some(({ joinedBefore }, at) => {
    if (joinedBefore || said[at + wanted.length - 1]?.joinedBehind) return false;
    return wanted.every(({ text }, place) => said[at + place]?.text === text);
  });
}
