/** One letter at a place of a plain text that can stand for an option there, and is no initial or part of a name. */

import { UNSPACED } from './lexicon.ts';
import type { Offer } from './types.ts';

export interface LetterToken {
  /** In capitals. */
  readonly letter: string;
  /** In brackets, or with a bracket behind it. */
  readonly marked: boolean;
  /** With a bracket in front as well. */
  readonly enclosed: boolean;
  /** In lower case and not enclosed: counts only where it is declared or alone. */
  readonly small: boolean;
  /** An article or a preposition of some language, with a word behind it. */
  readonly mayBeWord: boolean;
  /** Where the text continues. */
  readonly end: number;
}

const TOKEN = /(?<open>\(?)(?<letter>[A-Za-zАВСЕКМНОРТХΑΒΕΗΙΟΥ])(?<close>\)?)/uy;
/** Letters of other alphabets that look like those on offer. */
const ALIKE: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'АA',
    'ВB',
    'СC',
    'ЕE',
    'КK',
    'МM',
    'НH',
    'ОO',
    'РP',
    'ТT',
    'ХX',
    'ΑA',
    'ΒB',
    'ΕE',
    'ΗH',
    'ΙI',
    'ΟO',
    'ΥY',
  ].map(([own, latin]) => [own!, latin!]),
);
/** What follows a letter that is part of something else: "B's", "A-level", "C++", "A.I.", "A. I. Jones", "B2". */
const PART_OF_MORE = new RegExp(
  String.raw`(?![${UNSPACED}])[\p{L}\p{M}\p{N}_+#%&@^\\]|'(?!(?:[dt][iıuü]r|y?[iıuü]|y?[ea]|n[iı]n)(?!\p{L}))\p{L}|[-–](?!(?:t|os|es|as|ös|re|nek|vel|n|ta|tä)(?!\p{L}))[\p{Ll}\p{N}]|:(?!(?:n|ta|tä|lla|hen|s)(?!\p{L}))\p{Ll}{1,3}(?!\p{L})(?= \p{Ll})|\.\p{L}(?!\p{L})|\. \p{Lu}\.(?= ?\p{L})`,
  'uy',
);
/** Endings that some languages hang on a letter. */
const ENDING =
  /(?::(?:n|ta|tä|lla|hen)|'(?:[dt][iıuü]r|y?[iıuü]|y?[ea]|n[iı]n)|-(?:t|os|es|as|ös|re|nek|vel|n|ta|tä))(?!\p{L})/uy;
/** What stands in front of the last letter of an abbreviation: "D.C". */
const ABBREVIATED = /(?<![\p{L}\p{N}])\p{L}\.$/u;
const BEFORE = 4;
/** Behind these even "A" is no article. */
const NAMED = /(?<!\p{L})(?:option|choice|letter|label):? \(?$/iu;
const LOOK_BACK = 12;
/** Letters that are words of their own somewhere. */
const WORDS = new Set('AEIOUYVWZKS');
const CLOSED = /(?:$|[.,:;!?)\]}"\n—–/|…。、،؟।>\\]| ?(?:[-—–(=/|&>"<]|->|→)|-(?!\p{L}))/uy;
const CLOSED_SMALL =
  /(?:$|[.,:;!?)\]}"\n—–/|…。、،؟।>]| ?(?:[-—–(=/|]|->|→)| (?:because|since|and|or|but)(?!\p{L}))/uy;

export function letterAt(text: string, at: number, offer: Offer): LetterToken | null {
  const { open = '', letter: own = '', close = '' } = match(TOKEN, text, at)?.groups ?? {};
  if (own === '' || isWordCharacter(text, at - 1) || (open !== '' && isWordCharacter(text, at - 1)))
    return null;
  const latin = ALIKE[own];
  if (latin !== undefined && !offer.alike) return null;
  if (ABBREVIATED.test(text.slice(Math.max(0, at - BEFORE), at))) return null;
  const after = at + open.length + own.length;
  const letter = (latin ?? own).toUpperCase();
  const lower = latin === undefined && own !== letter;
  const enclosed = open !== '' && close !== '';
  const token = {
    letter,
    marked: close !== '',
    enclosed,
    small: lower && !enclosed,
    mayBeWord: false,
    end: after + close.length,
  };
  if (close !== '') return isWordCharacter(text, token.end) ? null : token;
  if (open !== '' && !/[.,:;]/u.test(text.charAt(after))) return null;
  if (match(PART_OF_MORE, text, after) !== null) return null;
  const ended = { ...token, end: after + (match(ENDING, text, after)?.[0].length ?? 0) };
  if (NAMED.test(text.slice(Math.max(0, at - LOOK_BACK), at))) return ended;
  if (lower) return match(CLOSED_SMALL, text, after) === null ? null : ended;
  const mayBeWord =
    ended.end === after && (latin !== undefined || WORDS.has(letter)) && match(CLOSED, text, after) === null;
  return { ...ended, mayBeWord };
}

/** A sticky expression at a place. */
export function match(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}

const WORD_CHARACTER = new RegExp(String.raw`(?![${UNSPACED}])[\p{L}\p{N}_]`, 'u');

export function isWordCharacter(text: string, at: number): boolean {
  return at >= 0 && WORD_CHARACTER.test(text.charAt(at));
}
