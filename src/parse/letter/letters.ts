/** Letters at a place as an answer: one, or several that are joined; and what a letter is spelt out as. */
import type { Answer, Claim } from './claims.ts';
import { isRefuted, letterAt, match } from './letter-at.ts';
import type { Offer } from './offer.ts';
import { optionAt } from './option-text.ts';
import { unknownAt } from './phrases.ts';

/** A claim without its place and force. */
export type Found = Pick<Claim, 'answer' | 'rule' | 'end'>;

const AND_ANOTHER =
  /[)"]?(?: ?(?:,|\/|&|\|) ?(?:and |or )?| (?:and|or|and\/or|as well as) )(?:option |choice )?/iuy;

/** One letter, or several that are joined: "A or B", "A/B". The same twice is one. */
export function lettersAt(text: string, at: number, offer: Offer, how: { small: boolean }): Found | null {
  const first = letterAt(text, at, how);
  if (first === null) return null;
  const letters = new Set([first.letter]);
  let end = first.end;
  for (;;) {
    const joint = match(AND_ANOTHER, text, end);
    const next = joint === null ? null : letterAt(text, end + joint[0].length, how);
    if (next === null || isRefuted(text, next.end)) break;
    letters.add(next.letter);
    end = next.end;
  }
  return {
    answer: letters.size > 1 ? 'several' : answerOf(first.letter, text, end, offer),
    rule: 'declared',
    end,
  };
}

/** What a letter answers, unless what it is spelt out as is another option. */
function answerOf(letter: string, text: string, end: number, offer: Offer): Answer {
  const index = offer.letters.indexOf(letter);
  if (index === -1) return { notOffered: letter };
  return isSpeltAsAnother(text, end, index, offer) ? 'several' : index;
}

const SPELT = /[).:,]{0,2} ?(?:[-–—] ?)?[("]?/uy;

/** "B. Unknown" where A is the option for unknown; "B. The man" where B is the woman. */
export function isSpeltAsAnother(text: string, end: number, index: number, offer: Offer): boolean {
  const at = end + (match(SPELT, text, end)?.[0].length ?? 0);
  if (at === end) return false;
  const option = optionAt(text, at, offer);
  if (option !== null) return option.index !== index;
  return offer.unknownIndex !== null && offer.unknownIndex !== index && unknownEnds(text, at);
}

/** A phrase for unknown that is all that stands there up to the end of the sentence. */
function unknownEnds(text: string, at: number): boolean {
  const end = unknownAt(text, at);
  return end !== null && /^[)"'\s]{0,3}(?:[.!\n]|$)/u.test(text.slice(end, end + 5));
}
