/**
 * Words of a lexicon that stay where they are, for they mean nobody's gender there: in a phrase of the lexicon's list
 * ("man-made", "sister city"), as a surname ("Mr. King"), as a part of a name or title ("The Old Man and the Sea").
 */
import type { Lexicon, SwapRules } from '../lexicon.ts';
import { type Span, wholeWords } from '../span.ts';
import { foldCase } from '../word-list.ts';
import {
  inHeadline,
  isCapitalised,
  type Neighbour,
  startsSentence,
  wordAfter,
  wordBefore,
} from './around.ts';

export interface Place {
  readonly start: number;
  readonly end: number;
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Before a surname. */
const SURNAME_AFTER = words(
  'Mr Mr. Mrs Mrs. Ms Ms. Mx Mx. Miss Dr Dr. Prof Prof. Professor Doctor Judge Justice Senator President Governor General Captain Sergeant Colonel Major Coach Detective Officer Reverend Rev.',
);
/** With a capital at the start of a sentence and no part of a name then. */
const OPENERS = words(
  'The A An This That These Those My Your Our His Her Their Every Each Some Any No All Both Many Most Few Several When While As If And But Or For Dear Hello Hi Yes In On At To From With By Of After Before Until Since Because I Two Three Four One Only Even Then Now So Not What Which Who Whose Where Why How Is Are Was Were Do Does Did Can Could Will Would Should May Might Must Ask Tell Give Let Young Old',
);
const JOINERS = words('of the and in & de la');

interface Finders {
  readonly fixed: readonly RegExp[];
  readonly beforeNames: ReadonlySet<string>;
  readonly persons: ReadonlySet<string>;
}

const known = new WeakMap<SwapRules, Finders>();

function finders(rules: SwapRules): Finders {
  const made = known.get(rules) ?? makeFinders(rules);
  known.set(rules, made);
  return made;
}

function makeFinders({ fixed, beforeNames, persons, personsOrWords, personsOrPlaces }: SwapRules): Finders {
  const cased = fixed.filter((phrase) => phrase !== phrase.toLowerCase());
  const any = fixed.filter((phrase) => phrase === phrase.toLowerCase());
  return {
    fixed: [wholeWords(cased, 'gu'), wholeWords(any, 'giu')],
    beforeNames: new Set(beforeNames.map(foldCase)),
    persons: new Set([...persons, ...personsOrWords, ...personsOrPlaces]),
  };
}

/** The fixed phrases of `text`, in order. */
export function fixedPhrases(text: string, rules: SwapRules): Place[] {
  const places = finders(rules).fixed.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ({ 0: phrase, index }) => ({
      start: index,
      end: index + phrase.length,
    })),
  );
  return places.sort((a, b) => a.start - b.start);
}

/** Words that are in no list but end as those of two groups do ("ferryman"), written small. */
export function wordsByEnding(text: string, { swap }: Lexicon): (Span & { readonly partner: string })[] {
  if (swap === null || swap.endings.length === 0) return [];
  const endings = swap.endings
    .flatMap(({ words: [a, b] }) => [
      { from: a, to: b.word },
      { from: b, to: a.word },
    ])
    .sort((a, b) => b.from.word.length - a.from.word.length);
  const found: (Span & { partner: string })[] = [];
  for (const { 0: match, index } of text.matchAll(
    /(?<![\p{L}\p{M}\p{N}_])\p{Ll}[\p{L}\p{M}]+(?![\p{L}\p{M}\p{N}_])/gu,
  )) {
    const ending = endings.find(({ from }) => match.endsWith(from.word));
    if (ending === undefined || match.length < ending.from.word.length + 2) continue;
    const { word, group } = ending.from;
    const partner = match.slice(0, -word.length) + ending.to;
    found.push({ word: match, group, start: index, end: index + match.length, match, partner });
  }
  return found;
}

/** Does `word`, with a capital, stand before a name or for one: "Lady Ashby", "my Lady"? */
export function isTitle(text: string, { start, end, match }: Span): boolean {
  if (!/^\p{Lu}/u.test(match)) return false;
  const next = wordAfter(text, end);
  if (next !== null && /^\.? $/.test(next.gap) && isNameLike(next.word, match)) return true;
  const before = wordBefore(text, start);
  return (
    before !== null &&
    before.gap === ' ' &&
    /^(?:my|your|our|yes|no)$/i.test(before.word) &&
    isCapitalised(match)
  );
}

/** With a capital; in a text in capitals every word is. */
function isNameLike(word: string, match: string): boolean {
  return isCapitalised(match) ? isCapitalised(word) && word !== 'I' : /^\p{Lu}/u.test(word);
}

export type Standing = 'free' | 'surname' | 'part_of_name';

/** Is the word, a noun with a capital, a surname or a part of a name? */
export function standing(text: string, span: Span, rules: SwapRules): Standing {
  const { start, end, match, word } = span;
  if (!isCapitalised(match)) return 'free';
  const { beforeNames, persons } = finders(rules);
  const before = wordBefore(text, start);
  if (before?.gap === ' ' && (SURNAME_AFTER.has(before.word) || persons.has(before.word))) return 'surname';
  if (beforeNames.has(foldCase(word)) || startsSentence(text, start)) return 'free';
  const after = wordAfter(text, end);
  if (text.startsWith("'s", end) || text.startsWith('’s', end)) return 'free';
  if (!namesBefore(text, before) && !namesAfter(text, after)) return 'free';
  return inHeadline(text, start) ? 'free' : 'part_of_name';
}

function namesBefore(text: string, before: Neighbour | null): boolean {
  if (before === null || before.gap !== ' ') return false;
  if (JOINERS.has(before.word)) {
    const earlier = wordBefore(text, before.start);
    return earlier?.gap === ' ' && isPartOfName(text, earlier);
  }
  return isPartOfName(text, before);
}

function namesAfter(text: string, after: Neighbour | null): boolean {
  if (after === null || after.gap !== ' ') return false;
  if (!JOINERS.has(after.word)) return isCapitalised(after.word) && after.word !== 'I';
  const later = wordAfter(text, after.end);
  return later !== null && later.gap === ' ' && (isCapitalised(later.word) || JOINERS.has(later.word));
}

function isPartOfName(text: string, { word, start }: Neighbour): boolean {
  if (!isCapitalised(word) || word.endsWith('.') || word === 'I') return false;
  return !(startsSentence(text, start) && OPENERS.has(word));
}
