/** An answer that a text gives at a place, and which of several answers is the one that it stands by. */
import { LANGUAGES } from './lexicon.ts';
import type { Finding, LetterRule } from './types.ts';

/** The order in which claims win over each other. */
export const TIER = {
  /** A line that starts like an option. */
  line: 1,
  /** The text starts like an option. */
  lead: 2,
  /** "The answer is B", or a letter alone on its line. */
  declared: 3,
  /** "Final answer: B", \boxed{B}. */
  final: 4,
} as const;

export interface Claim {
  readonly tier: (typeof TIER)[keyof typeof TIER];
  readonly start: number;
  readonly end: number;
  readonly answer: Answer;
  readonly rule: LetterRule;
  /** "Answer: B" on a line of its own: corrects what stands before. */
  readonly ownLine: boolean;
  /** Opens with a word for "so". */
  readonly concludes: boolean;
}

/** Index of an option; `several`: more than one at once; a letter that is not on offer. */
export type Answer = number | 'unknown' | 'several' | { readonly notOffered: string };

/** What a writer says who takes back what stands before, or comes to a conclusion. */
const TAKEN_BACK = wordsOf('back');
const CONCLUDED = wordsOf('so');
const LOOK_BACK = 200;

function wordsOf(part: 'back' | 'so'): RegExp {
  const words = LANGUAGES.flatMap((language) => (language[part] ?? '').split('|')).filter(
    (word) => word.length > 1,
  );
  const also = part === 'so' ? ['however', 'but'] : [];
  const sources = [...new Set([...words, ...also])].map((word) => {
    const plain = word.replace(/\*$/u, '').replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');
    const parted = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u.test(word);
    return parted || /[*,]$/u.test(word) ? plain : `${plain}(?!\\p{L})`;
  });
  return new RegExp(`(?<![\\p{sc=Latin}\\p{sc=Cyrillic}])(?:${sources.join('|')})`, 'giu');
}

/**
 * The claim that a text stands by, of claims in the order of the text. A stronger one wins; a later one corrects an
 * earlier one where it is declared on a line of its own, or behind words that take something back; of two equally strong
 * ones the later wins if it is said to be final or follows from what stands between. Otherwise claims that differ are no
 * answer.
 */
export function settle(text: string, claims: readonly Claim[], unknownIndex: number | null): Claim | null {
  let held: Claim | null = null;
  const takenBack = placesOf(text, TAKEN_BACK);
  const concluded = placesOf(text, CONCLUDED);
  for (const claim of claims) {
    if (held === null) {
      held = claim;
      continue;
    }
    const same = keyOf(claim.answer, unknownIndex) === keyOf(held.answer, unknownIndex);
    if (claim.tier > held.tier) {
      held = claim;
      continue;
    }
    if (same) {
      held = { ...held, end: Math.max(held.end, claim.end) };
      continue;
    }
    const from = Math.max(held.end, claim.start - LOOK_BACK);
    if (claim.tier >= TIER.declared && (corrects(text, claim, from) || takenBack(from, claim.start)))
      held = claim;
    else if (claim.tier === held.tier) {
      const follows: boolean =
        claim.tier === TIER.final ||
        (claim.tier === TIER.declared && (claim.concludes || concluded(from, claim.start)));
      held = follows ? claim : { ...held, answer: 'several', end: Math.max(held.end, claim.end) };
    }
  }
  return held;
}

function corrects(text: string, { ownLine, start }: Claim, from: number): boolean {
  return ownLine && text.slice(from, start).includes('\n');
}

/** Whether such a word starts between two places; the text is searched once, and only if that is asked. */
function placesOf(text: string, words: RegExp): (from: number, to: number) => boolean {
  let places: number[] | null = null;
  return (from, to) => {
    places ??= [...text.matchAll(words)].map(({ index }) => index);
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[middle]! >= from) high = middle;
      else low = middle + 1;
    }
    return low < places.length && places[low]! < to;
  };
}

export function findingOf({ answer, rule }: Pick<Claim, 'answer' | 'rule'>): Finding {
  if (answer === 'several') return { kind: 'none', reason: 'ambiguous' };
  if (answer === 'unknown') return { kind: 'unknown', rule };
  if (typeof answer === 'number') return { kind: 'letter', index: answer, rule };
  return { kind: 'none', reason: 'not_offered' };
}

function keyOf(answer: Answer, unknownIndex: number | null): string | number {
  if (answer === 'unknown') return unknownIndex ?? 'unknown';
  return typeof answer === 'object' ? `not offered ${answer.notOffered}` : answer;
}
