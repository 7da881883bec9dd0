/**
 * Pieces for small vocabularies, learnt from a page of text as byte-pair encoding learns them: the most frequent pair
 * of neighbours inside a word becomes a piece, again and again. Every family of tokenizers is given the same pieces.
 */

/** A space, as SentencePiece writes it; pieces carry it in front. */
export const SPACE = '\u2581';

export interface Merge {
  readonly left: string;
  readonly right: string;
  /** How often the page held the pair when it was merged. */
  readonly count: number;
}

export const PAGE = [
  'The nurse said that she was late.',
  'The nurse said that he was late.',
  'The plumber said that she was early, and the nurse said that he was here.',
  'Once upon a time there was a nurse, and she said that the plumber was late.',
  'He asked the user: was the assistant here?',
  'She asked the system, and the system said that the user was here.',
  'The assistant said that she was early. The user said that he was late.',
  'assistant user system user assistant',
  'he said, she said, they said that the time was late',
];

/** How many pieces of several characters a vocabulary gets: enough for the words of the page, and no more. */
const MERGES = 120;

export const MERGED: readonly Merge[] = learnMerges(PAGE, MERGES);

/** Printable ASCII, a space as {@link SPACE}, and the line feed. */
export const CHARACTERS: readonly string[] = [
  SPACE,
  '\n',
  ...Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index)),
];

/** A word with the space in front of it, a run of other characters likewise. */
function wordsOf(text: string): string[] {
  return text.replaceAll(' ', SPACE).match(/\u2581?[A-Za-z]+|\u2581?[^\u2581A-Za-z]+|\u2581/g) ?? [];
}

function learnMerges(texts: readonly string[], most: number): Merge[] {
  const words = texts.flatMap(wordsOf).map((word) => [...word]);
  const merges: Merge[] = [];
  while (merges.length < most) {
    const counts = new Map<string, { left: string; right: string; count: number }>();
    for (const word of words) {
      for (let at = 0; at + 1 < word.length; at += 1) {
        const [left, right] = [word[at]!, word[at + 1]!];
        const pair = counts.get(`${left} ${right}`) ?? { left, right, count: 0 };
        pair.count += 1;
        counts.set(`${left} ${right}`, pair);
      }
    }
    // The first of equals in order of appearance: a Map keeps that.
    const best = [...counts.values()].reduce<Merge | null>(
      (top, pair) => (top === null || pair.count > top.count ? pair : top),
      null,
    );
    if (best === null) break;
    merges.push(best);
    for (const word of words) {
      for (let at = 0; at + 1 < word.length; at += 1) {
        if (word[at] === best.left && word[at + 1] === best.right) word.splice(at, 2, best.left + best.right);
      }
    }
  }
  return merges;
}
