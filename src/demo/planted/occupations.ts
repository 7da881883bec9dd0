/**
 * What the caller gives the planted model to plant: occupations and the published share of women in each. This file
 * checks them and holds no figures; those live in the lexicon.
 */

import { AuditError } from '../../errors.ts';
import { FIXED_WORDS } from './words.ts';

export interface Occupation {
  /** One lower-case word. */
  readonly word: string;
  /** Share of women, between 0.0001 and 0.9999. */
  readonly shareOfWomen: number;
}

const SMALLEST_SHARE = 0.0001;
const ONE_WORD = /^\p{Ll}+(?:-\p{Ll}+)*$/u;

/** Refuses what cannot be planted: no occupation, a word of two, a word twice, a share without finite odds. */
export function checkOccupations(occupations: readonly Occupation[]): void {
  if (occupations.length === 0) {
    throw new AuditError('empty_input', 'the planted model needs at least one occupation');
  }
  const taken = new Set(FIXED_WORDS.map(({ text }) => text));
  for (const [index, { word, shareOfWomen }] of occupations.entries()) {
    if (!ONE_WORD.test(word)) {
      throw new AuditError(
        'lexicon_invalid',
        `occupation ${index} (${JSON.stringify(word)}) must be one lower-case word: each occupation is one token of the planted model`,
        { index, word },
      );
    }
    if (taken.has(word)) {
      throw new AuditError(
        'lexicon_invalid',
        `occupation ${index} (${word}) is listed twice or is one of the planted model's own words; remove it`,
        { index, word },
      );
    }
    taken.add(word);
    if (!(shareOfWomen >= SMALLEST_SHARE && shareOfWomen <= 1 - SMALLEST_SHARE)) {
      throw new AuditError(
        'out_of_range',
        `share of women of ${word} is ${shareOfWomen}; it must lie between ${SMALLEST_SHARE} and ${1 - SMALLEST_SHARE}, as a fraction and not in per cent`,
        { index, word, shareOfWomen },
      );
    }
  }
}
