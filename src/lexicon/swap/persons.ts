/**
 * Persons that a text names and whose names say whether a woman or a man is meant: "John" in "John lost his keys", whose
 * counterfactual "John lost her keys" is of nobody. Which names do so, the lexicon says; surnames alone do not.
 */
import type { SwapRules } from '../lexicon.ts';
import { capitalise } from '../word-list.ts';
import { inHeadline, isCapitalised, startsSentence, wordAfter, wordBefore } from './around.ts';

export interface Person {
  readonly name: string;
  readonly start: number;
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const TOKEN = /(?<![\p{L}\p{M}\p{N}_])\p{Lu}[\p{L}\p{M}]*(?:-\p{L}[\p{L}\p{M}]*)*/gu;
const AT_PLACES = words(
  'in from near at around outside across through throughout into via inside toward towards leave leaving left visit visited visiting',
);
const GOING = words(
  'moved move moves moving go goes going went travel traveled travelled travelling fly flew drive drove return returned trip back came come ride rode walked sailed commute relocated flight road train',
);
/** Before a name that is a place, a day or a drink: "St. Mary", "Christmas Eve". */
const NOT_BEFORE = words("St St. Saint San Santa Mount Lake Fort Port Christmas Year’s Year's Bloody");
/** After a name that is a thing's: "Emma Willard School". */
const NOT_AFTER = words(
  'University College School Hospital Street Avenue Road Boulevard Lane County Church Cathedral Airport Company Inc Corp Foundation Institute Museum Bridge Stadium Center Centre Prize Award Awards Day Bank Library Island River Beach Valley City Hopkins Deere Daniels Carolina Dakota',
);

const tables = new WeakMap<
  SwapRules,
  Readonly<Record<'persons' | 'words' | 'places', ReadonlySet<string>>>
>();

/** The persons of `text` by name, in order. */
export function personsIn(text: string, rules: SwapRules): Person[] {
  const table = tables.get(rules) ?? {
    persons: new Set(rules.persons),
    words: new Set(rules.personsOrWords),
    places: new Set(rules.personsOrPlaces),
  };
  tables.set(rules, table);
  const found: Person[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const end = index + token.length;
    const name = [spelt(text, token, index), token.split('-')[0]!].find(
      (form) => table.persons.has(form) || table.words.has(form) || table.places.has(form),
    );
    if (name === undefined || isThing(text, index, end)) continue;
    if (table.words.has(name) && !isNameHere(text, index, end)) continue;
    if (table.places.has(name) && isPlaceHere(text, index)) continue;
    found.push({ name: token, start: index });
  }
  return found;
}

/** The name as lists spell it: "JOHN" in a text in capitals is John, alone it may be an abbreviation. */
function spelt(text: string, token: string, at: number): string {
  if (token.length < 3 || token !== token.toUpperCase()) return token;
  const beside = [wordBefore(text, at), wordAfter(text, at + token.length)];
  const shouted = beside.some((next) => next !== null && /^\p{Lu}{2,}/u.test(next.word));
  return shouted ? capitalise(token.toLowerCase()) : token;
}

function isThing(text: string, start: number, end: number): boolean {
  const before = wordBefore(text, start);
  if (before !== null && before.gap.trim() === '' && NOT_BEFORE.has(before.word)) return true;
  let next = wordAfter(text, end);
  for (let count = 0; count < 3 && next !== null; count += 1) {
    if (!/^[ .&]+$/.test(next.gap) || !isCapitalised(next.word)) return false;
    if (NOT_AFTER.has(next.word)) return true;
    next = wordAfter(text, next.end);
  }
  return false;
}

/** "Will" in "tell Will" and "Will Smith", not in "Will you come?". */
function isNameHere(text: string, start: number, end: number): boolean {
  if (inHeadline(text, start)) return false;
  const next = wordAfter(text, end);
  const surname = next !== null && next.gap === ' ' && isCapitalised(next.word) && next.word !== 'I';
  if (/^(?:May|April|June|August)$/.test(text.slice(start, end))) {
    const before = wordBefore(text, start);
    if (
      before !== null &&
      /^(?:in|of|since|until|by|on|last|next|early|late|this|every|from|to|and|or|\d+)$/i.test(before.word)
    )
      return false;
  }
  return surname || !startsSentence(text, start);
}

function isPlaceHere(text: string, start: number): boolean {
  const before = wordBefore(text, start);
  if (before === null || before.gap !== ' ') return false;
  if (AT_PLACES.has(before.word.toLowerCase())) return true;
  const earlier = wordBefore(text, before.start);
  // "from Georgia to Virginia", "moved to Georgia"
  return before.word === 'to' && earlier !== null && (GOING.has(earlier.word) || isCapitalised(earlier.word));
}
