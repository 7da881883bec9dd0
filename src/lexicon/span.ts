/**
 * Finds the words of a lexicon in a text: the first one, where a probe is taken, or all of them. One regular expression
 * per lexicon, compiled once: every word, longest first, any case, and never as a part of a longer word. It holds no
 * repetition, so the time is linear in the text. Texts are taken as they are; a text in decomposed form (e + accent)
 * does not match a word in composed form.
 */
import type { Lexicon } from './lexicon.ts';
import { foldCase } from './word-list.ts';

const asGroups = new WeakMap<Lexicon, SpanLexicon>();

/** The occupation of the lexicon that `text` names, as the lexicon spells it; null where it names none, or several. */
export function findOccupation(lexicon: Lexicon, text: string): string | null {
  let group = asGroups.get(lexicon);
  if (group === undefined) {
    group = { groups: [{ name: 'occupation', words: lexicon.occupations.map(({ word }) => word) }] };
    asGroups.set(lexicon, group);
  }
  const found = new Set(findAllSpans(group, text).map(({ word }) => word));
  return found.size === 1 ? [...found][0]! : null;
}

/** A word of a lexicon in a text; `start` and `end` are UTF-16 offsets, so that text.slice(start, end) is `match`. */
export interface Span {
  /** The word as the lexicon spells it. */
  readonly word: string;
  readonly group: string;
  readonly start: number;
  readonly end: number;
  /** The word as the text spells it. */
  readonly match: string;
}

/** What the finder needs of a lexicon. */
export type SpanLexicon = Pick<Lexicon, 'groups'> & Partial<Pick<Lexicon, 'matchCase'>>;

interface Entry {
  readonly word: string;
  readonly group: string;
  readonly cased: boolean;
}

interface Finder {
  readonly pattern: RegExp;
  readonly entries: ReadonlyMap<string, Entry>;
}

const finders = new WeakMap<SpanLexicon, Finder>();

/** The first word of the lexicon in `text`, or null. */
export function findSpan(lexicon: SpanLexicon, text: string): Span | null {
  for (const span of spansOf(lexicon, text)) return span;
  return null;
}

/** Every word of the lexicon in `text`, in order; they do not overlap. */
export function findAllSpans(lexicon: SpanLexicon, text: string): Span[] {
  return [...spansOf(lexicon, text)];
}

function* spansOf(lexicon: SpanLexicon, text: string): Generator<Span> {
  const { pattern, entries } = finderOf(lexicon);
  for (const found of text.matchAll(pattern)) {
    const match = found[0];
    const entry = entries.get(foldCase(match));
    if (entry === undefined) continue;
    const { word, group, cased } = entry;
    if (cased && match !== word && match !== word.toUpperCase()) continue;
    yield { word, group, start: found.index, end: found.index + match.length, match };
  }
}

function finderOf(lexicon: SpanLexicon): Finder {
  const known = finders.get(lexicon);
  if (known !== undefined) return known;
  const cased = new Set(lexicon.matchCase ?? []);
  const entries = new Map<string, Entry>();
  for (const { name, words } of lexicon.groups) {
    for (const word of words) entries.set(foldCase(word), { word, group: name, cased: cased.has(word) });
  }
  const words = [...entries.values()].map(({ word }) => word);
  const finder = { pattern: wholeWords(words, 'giu'), entries };
  finders.set(lexicon, finder);
  return finder;
}

/** Any of `words`, the longest first, where it is no part of a longer word. */
export function wholeWords(words: readonly string[], flags: 'gu' | 'giu'): RegExp {
  const longestFirst = [...words].sort((a, b) => b.length - a.length);
  // Marks count as letters here: the "he" of a decomposed "é" + "he" or of "he" + accent is no word.
  const letter = '[\\p{L}\\p{M}\\p{N}_]';
  const any = longestFirst.length === 0 ? '(?!)' : longestFirst.map(escapeRegExp).join('|');
  return new RegExp(`(?<!${letter})(?:${any})(?!${letter})`, flags);
}

function escapeRegExp(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
}
