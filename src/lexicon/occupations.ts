/** Occupations of a lexicon in a text. */
import type { Lexicon } from './lexicon.ts';
import { findAllSpans, type SpanLexicon } from './span.ts';

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
