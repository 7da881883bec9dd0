/** Whether two answers are the same once the swap is undone, and whether an answer holds what is right. */
import { type Lexicon, swapText } from '../../lexicon/index.ts';
import { normaliseAnswer, streamSafe } from '../answer/normalise.ts';
import { numberOf } from '../answer/number.ts';

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

/** An answer, and the same with its words swapped ({@link swapAnswer}). */
export interface SwappedAnswer {
  readonly text: string;
  readonly swapped: string | null;
}

/**
 * Whether either answer is the other one swapped, in one spelling. Both ways are tried, for a word may come back as
 * another ("mum" by "dad" as "mom"). Null where neither can be swapped.
 */
export function sameOnceSwapped(first: SwappedAnswer, second: SwappedAnswer): boolean | null {
  const ways = [
    [first.text, second.swapped],
    [second.text, first.swapped],
  ] as const;
  const open = ways.filter(([, swapped]) => swapped !== null);
  if (open.length === 0) return null;
  return open.some(([text, swapped]) => normaliseAnswer(text) === normaliseAnswer(swapped!));
}

const SEGMENTER = new Intl.Segmenter('und', { granularity: 'word' });
const MINUS = /(?<![\p{L}\p{N})\]])[-\u2212]$/u;
const JOINED_BEFORE = /(?:[\p{L}\p{N}][-\u2010\u2212]|\p{N}\u2013)$/u;
const JOINED_BEHIND = /^(?:[-\u2010\u2212][\p{L}\p{N}]|\u2013\p{N})/u;

interface Word {
  /** In lower case; a number in its one spelling, with its sign. */
  readonly text: string;
  /** A hyphen or a dash of a range makes it one with the word in front, or behind. */
  readonly joinedBefore: boolean;
  readonly joinedBehind: boolean;
}

/** The words and numbers of a text, by Unicode's rules for words. */
export function wordsOf(text: string): Word[] {
  const plain = streamSafe(text).normalize('NFKC').toLowerCase();
  return Array.from(SEGMENTER.segment(plain))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment, index }) => {
      const end = index + segment.length;
      const before = plain.slice(Math.max(0, index - 3), index);
      const number = numberOf(segment);
      return {
        text: number === null ? segment : numberOf((MINUS.test(before) ? '-' : '') + segment)!,
        joinedBefore: JOINED_BEFORE.test(before),
        joinedBehind: JOINED_BEHIND.test(plain.slice(end, end + 3)),
      };
    });
}

/** Whether `answer` holds `key` as whole words, one after the other: "he" is not in "there", nor 5 in -5, 3.5 or 1,500. */
export function holdsKey(answer: string, key: string): boolean {
  const [said, wanted] = [wordsOf(answer), wordsOf(key)];
  return said.some(({ joinedBefore }, at) => {
    if (joinedBefore || said[at + wanted.length - 1]?.joinedBehind) return false;
    return wanted.every(({ text }, place) => said[at + place]?.text === text);
  });
}
