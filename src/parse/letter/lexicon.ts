/** The words of all languages, ready to be found in a text: at each place the longest, of the languages that it is in. */
import { ASIAN } from './languages/asian.ts';
import { ENGLISH } from './languages/english.ts';
import { GERMANIC } from './languages/germanic.ts';
import { type Language, PARTS, type Part } from './languages/language.ts';
import { OTHERS } from './languages/others.ts';
import { ROMANCE } from './languages/romance.ts';
import { SLAVIC } from './languages/slavic.ts';

export const LANGUAGES: readonly Language[] = [
  ENGLISH,
  ...GERMANIC,
  ...ROMANCE,
  ...SLAVIC,
  ...OTHERS,
  ...ASIAN,
];

/** Chinese, Japanese, Korean and Thai are read by characters: their words are not parted, or take endings. */
export const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}ー々`;
const UNSPACED_HERE = new RegExp(`[${UNSPACED}]`, 'u');
const WORD = new RegExp(String.raw`(?:(?![${UNSPACED}])[\p{L}\p{M}\p{N}'_\u200c])+`, 'uy');
/** Longer words are none of ours. */
const LONGEST = 40;

export interface Phrase {
  readonly text: string;
  readonly parts: number;
}

interface Lexicon {
  /** By first word, or first character where words are not parted; the longest first. */
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>;
  /** Beginnings of words, by their first three characters. */
  readonly stems: ReadonlyMap<string, readonly Phrase[]>;
}

const STEM_KEY = 3;

function lexiconOf(language: Language): Lexicon {
  const parts = new Map<string, number>();
  for (const part of Object.keys(PARTS) as Part[]) {
    for (const text of (language[part] ?? '').split('|')) {
      if (text !== '') parts.set(text, (parts.get(text) ?? 0) | PARTS[part]);
    }
  }
  const phrases = new Map<string, Phrase[]>();
  const stems = new Map<string, Phrase[]>();
  for (const [text, mask] of parts) {
    const isStem = text.endsWith('*');
    const phrase = { text: isStem ? text.slice(0, -1) : text, parts: mask };
    const [table, key] = isStem ? [stems, phrase.text.slice(0, STEM_KEY)] : [phrases, firstKey(text)];
    table.set(key, [...(table.get(key) ?? []), phrase]);
  }
  for (const list of [...phrases.values(), ...stems.values()]) {
    list.sort((a, b) => b.text.length - a.text.length);
  }
  return { phrases, stems };
}

function firstKey(text: string): string {
  return isUnspaced(text, 0) ? text.charAt(0) : wordAt(text, 0) || text.charAt(0);
}

const LEXICONS: readonly Lexicon[] = LANGUAGES.map(lexiconOf);
const ENGLISH_AT = 0;
/** What some phrase of some language starts with: most places of a text are passed by. */
const KEYS = new Set(LEXICONS.flatMap(({ phrases }) => [...phrases.keys()]));
const STEM_KEYS = new Set(LEXICONS.flatMap(({ stems }) => [...stems.keys()]));
/** Words that show a language better than others. */
const TELLING = PARTS.answer | PARTS.choose | PARTS.option | PARTS.right;

export function isUnspaced(text: string, at: number): boolean {
  return UNSPACED_HERE.test(text.charAt(at));
}

/** The word that starts at a place: letters, marks, digits, apostrophes; empty where none does. */
export function wordAt(text: string, at: number): string {
  WORD.lastIndex = at;
  return WORD.exec(text)?.[0] ?? '';
}

function longest(
  list: readonly Phrase[] | undefined,
  lower: string,
  at: number,
  whole: boolean,
): Phrase | null {
  for (const phrase of list ?? []) {
    if (!lower.startsWith(phrase.text, at)) continue;
    if (!whole || !isInsideWord(lower, at + phrase.text.length)) return phrase;
  }
  return null;
}

/** Does a word continue at `at`? */
function isInsideWord(lower: string, at: number): boolean {
  if (at >= lower.length || isUnspaced(lower, at)) return false;
  if (isUnspaced(lower, at - 1)) return false;
  return /[\p{L}\p{M}\p{N}_]/u.test(lower.charAt(at)) && /[\p{L}\p{M}\p{N}_'.]/u.test(lower.charAt(at - 1));
}

function lookUp(lexicon: Lexicon, lower: string, at: number, word: string): Phrase | null {
  const key = word === '' ? lower.charAt(at) : word;
  const phrase = longest(lexicon.phrases.get(key), lower, at, true);
  if (phrase !== null || word === '') return phrase;
  const stem = longest(lexicon.stems.get(word.slice(0, STEM_KEY)), lower, at, false);
  return stem === null || stem.text.length > word.length ? null : { text: word, parts: stem.parts };
}

export type Dictionary = (at: number, word: string) => Phrase | null;

/** How many words tell the languages of a text. */
const LOOKED_AT = 1500;

/** The words of a text in lower case; English stands in where the text's own languages do not know a word. */
export function dictionaryOf(lower: string): Dictionary {
  const own = languagesOf(lower).map((at) => LEXICONS[at]!);
  return (at, word) => {
    if (word.length > LONGEST) return null;
    const key = word === '' ? lower.charAt(at) : word;
    if (!KEYS.has(key) && !(word !== '' && STEM_KEYS.has(word.slice(0, STEM_KEY)))) return null;
    const found = own.flatMap((lexicon) => lookUp(lexicon, lower, at, word) ?? []);
    const length = Math.max(...found.map(({ text }) => text.length));
    const best = found.filter(({ text }) => text.length === length);
    if (best.length === 0) return lookUp(LEXICONS[ENGLISH_AT]!, lower, at, word);
    return { text: best[0]!.text, parts: best.reduce((parts, phrase) => parts | phrase.parts, 0) };
  };
}

const SCRIPTS: readonly { readonly test: RegExp; readonly codes: string }[] = [
  { test: /[\p{sc=Hiragana}\p{sc=Katakana}]/u, codes: 'ja' },
  { test: /\p{sc=Han}/u, codes: 'zh' },
  { test: /\p{sc=Hangul}/u, codes: 'ko' },
  { test: /\p{sc=Thai}/u, codes: 'th' },
  { test: /\p{sc=Cyrillic}/u, codes: 'ru uk' },
  { test: /\p{sc=Greek}/u, codes: 'el' },
  { test: /\p{sc=Arabic}/u, codes: 'ar fa' },
  { test: /\p{sc=Hebrew}/u, codes: 'he' },
  { test: /\p{sc=Devanagari}/u, codes: 'hi' },
  { test: /\p{sc=Bengali}/u, codes: 'bn' },
];

function languagesOf(lower: string): number[] {
  const sample = lower.slice(0, LOOKED_AT * 8);
  const found = SCRIPTS.find(({ test }) => test.test(sample));
  const codes = found?.codes.split(' ') ?? null;
  if (codes !== null && codes.length === 1)
    return LANGUAGES.flatMap(({ code }, at) => (codes.includes(code) ? [at] : []));
  const latin = (code: string) => !SCRIPTS.some((script) => script.codes.split(' ').includes(code));
  const asked = LANGUAGES.flatMap(({ code }, at) => ((codes?.includes(code) ?? latin(code)) ? [at] : []));
  const counts = asked.map((at) => [at, countOf(LEXICONS[at]!, sample)] as const);
  const most = Math.max(...counts.map(([, count]) => count));
  return counts.filter(([, count]) => count >= 0.8 * most).map(([at]) => at);
}

function countOf(lexicon: Lexicon, lower: string): number {
  let count = 0;
  let words = 0;
  for (let at = 0; at < lower.length && words < LOOKED_AT; ) {
    const word = wordAt(lower, at);
    if (word === '') {
      at += 1;
      continue;
    }
    words += 1;
    const phrase = word.length > 1 && word.length <= LONGEST ? lookUp(lexicon, lower, at, word) : null;
    if (phrase !== null) count += phrase.parts & TELLING ? 3 : 1;
    at += word.length;
  }
  return count;
}
