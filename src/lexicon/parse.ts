/**
 * The bytes of a lexicon file to a lexicon. JSON is read by the YAML parser too, of which it is a part, so that faults
 * in either carry a line.
 */
import { createHash } from 'node:crypto';
import type { Document, YAMLError } from 'yaml';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { invalidLexicon, type PlacedFault } from './faults.ts';
import type { Lexicon } from './lexicon.ts';
import { checkRules, readPairs } from './rules.ts';
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
  const text = decode(bytes);
  if (text === null) return unread(file, 'is not UTF-8 text; save it as UTF-8');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placed = ({ pos, message }: YAMLError, what: string): PlacedFault => {
    return { file, path: [], line: lines.linePos(pos[0]).line, message: `${what}: ${message}` };
  };
  const lineOf = (path: readonly (string | number)[]) => lineAt(document, lines, path);
  const warnings = document.warnings.map((warning) => placed(warning, 'is odd YAML'));
  if (document.errors.length > 0) {
    const faults = document.errors.map((error) => placed(error, 'is not valid YAML'));
    return { lexicon: null, faults, warnings, lineOf };
  }
  let plain: unknown;
  try {
    // An alias may stand for an alias: the parser stops at its own bound, and says so by throwing.
    plain = document.toJS();
  } catch (cause) {
    return unread(file, `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  const shape = checkShape(plain);
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

function unread(file: string, message: string): ExaminedLexicon {
  const faults = [{ file, path: [], line: null, message }];
  return { lexicon: null, faults, warnings: [], lineOf: () => null };
}

function toLexicon(content: LexiconFile, bytes: Uint8Array, file: string): Lexicon {
  const { name, language, description, source, groups, matchCase, names, occupations } = content;
  return {
    name,
    language,
    description,
    source: source ?? null,
    groups: Object.entries(groups).map(([group, words]) => ({ name: group, words })),
    matchCase: matchCase ?? [],
    names: names ?? [],
    pairs: readPairs(content),
    occupations: (occupations ?? []).map(({ word, share, year }) => ({ word, share, year: year ?? null })),
    file,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

/** Null if it is not UTF-8. A byte-order mark is no part of the text. */
function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Line of the node at `path`, or of the nearest one around it that has a place in the file. */
function lineAt(document: Document, lines: LineCounter, path: readonly (string | number)[]): number | null {
  for (let depth = path.length; depth >= 0; depth--) {
    const node = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return null;
}
