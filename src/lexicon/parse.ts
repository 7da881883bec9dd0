/** The bytes of a lexicon file, YAML or JSON, to a lexicon. */
import { createHash } from 'node:crypto';
import { type PlacedFault, readYaml } from '../catalog/index.ts';
import { invalidLexicon } from './faults.ts';
import type { Lexicon } from './lexicon.ts';
import { checkRules, readPairs, readSwapRules } from './rules.ts';
import { checkShape, type LexiconFile } from './schema.ts';

/** A file that was read as far as it can be. */
export interface ExaminedLexicon {
  /** Null if there are faults. */
  readonly lexicon: Lexicon | null;
  readonly faults: readonly PlacedFault[];
  /** What the parser finds odd but can read. */
  readonly warnings: readonly PlacedFault[];
  /** Line of what stands at a path, from 1; null where that has no place. */
  lineOf(path: readonly (string | number)[]): number | null;
}

/**
 * Reads a lexicon from the bytes of a YAML or JSON file; `file` is what messages call it.
 * Throws `lexicon_invalid` with file, key and line of every fault (`data.faults`).
 */
export function parseLexicon(bytes: Uint8Array, file: string): Lexicon {
  const { lexicon, faults } = examineLexicon(bytes, file);
  if (lexicon === null) throw invalidLexicon(file, faults);
  return lexicon;
}

/**
 * Reads a lexicon and tells what is wrong with it, without throwing. Faults come in three storeys, and a higher one is
 * only looked at when those below are clean: the text is YAML, each key has the right shape, the entries fit together.
 */
export function examineLexicon(bytes: Uint8Array, file: string): ExaminedLexicon {
  const { value, faults: unread, warnings, lineOf } = readYaml(bytes, file);
  if (unread.length > 0) return { lexicon: null, faults: unread, warnings, lineOf };
  const shape = checkShape(value);
  const faults = shape.file === null ? shape.faults : checkRules(shape.file);
  if (shape.file === null || faults.length > 0) {
    return {
      lexicon: null,
      faults: faults.map((fault) => ({ ...fault, file, line: lineOf(fault.path) })),
      warnings,
      lineOf,
    };
  }
  return { lexicon: toLexicon(shape.file, bytes, file), faults: [], warnings, lineOf };
}

function toLexicon(content: LexiconFile, bytes: Uint8Array, file: string): Lexicon {
  const { name, language, description, source, groups, matchCase, names, controls, occupations } = content;
  return {
    name,
    language,
    description,
    source: source ?? null,
    groups: Object.entries(groups).map(([group, words]) => ({ name: group, words })),
    matchCase: matchCase ?? [],
    names: names ?? [],
    pairs: readPairs(content),
    swap: readSwapRules(content),
    controls: (controls ?? []).map(({ words, ...control }) => ({
      ...control,
      words: [words[0]!, words[1]!],
    })),
    occupations: (occupations ?? []).map(({ word, share, year }) => ({ word, share, year: year ?? null })),
    file,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}
