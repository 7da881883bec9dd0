/**
 * The bytes of a lexicon file to a lexicon. JSON is read by the YAML parser too, of which it is a part, so that faults
 * in either carry a line.
 */
import { createHash } from 'node:crypto';
import type { Document } from 'yaml';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { AuditError } from '../errors.ts';
import type { Lexicon } from './lexicon.ts';
import { checkRules, readPairs } from './rules.ts';
import type { LexiconFault } from './schema.ts';
import { checkShape } from './schema.ts';

const SHOWN_FAULTS = 5;

/**
 * Reads a lexicon from the bytes of a YAML or JSON file; `file` is what messages call it.
 * Throws `lexicon_invalid` with file, key and line of every fault (`data.faults`).
 */
export function parseLexicon(bytes: Uint8Array, file: string): Lexicon {
  const lines = new LineCounter();
  const document = parseDocument(decode(bytes, file), { lineCounter: lines, prettyErrors: false });
  const broken = document.errors[0];
  if (broken !== undefined) {
    const line = lines.linePos(broken.pos[0]).line;
    throw invalid(file, [{ path: [], line, message: `is not valid YAML: ${broken.message}` }], broken);
  }
  const shape = checkShape(toPlain(document, file));
  const faults = shape.file === null ? shape.faults : checkRules(shape.file);
  if (shape.file === null || faults.length > 0) {
    throw invalid(
      file,
      faults.map((fault) => ({ ...fault, line: lineOf(document, lines, fault.path) })),
    );
  }
  const { name, language, description, source, groups, matchCase, occupations } = shape.file;
  return {
    name,
    language,
    description,
    source: source ?? null,
    groups: Object.entries(groups).map(([group, words]) => ({ name: group, words })),
    matchCase: matchCase ?? [],
    pairs: readPairs(shape.file),
    occupations: (occupations ?? []).map(({ word, share, year }) => ({ word, share, year: year ?? null })),
    file,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw invalid(file, [{ path: [], line: null, message: 'is not UTF-8 text; save it as UTF-8' }], cause);
  }
}

function toPlain(document: Document, file: string): unknown {
  let plain: unknown;
  try {
    // An alias may stand for an alias: the parser stops at its own bound, and says so by throwing.
    plain = document.toJS();
  } catch (cause) {
    const message = `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw invalid(file, [{ path: [], line: null, message }], cause);
  }
  return plain;
}

type PlacedFault = LexiconFault & { readonly line: number | null };

function invalid(file: string, faults: readonly PlacedFault[], cause?: unknown): AuditError {
  const shown = faults
    .slice(0, SHOWN_FAULTS)
    .map(({ line, message }) => (line === null ? message : `line ${line}: ${message}`));
  const more = faults.length > SHOWN_FAULTS ? [`and ${faults.length - SHOWN_FAULTS} more`] : [];
  const first = faults[0];
  return new AuditError(
    'lexicon_invalid',
    `lexicon ${file}: ${[...shown, ...more].join('; ')}`,
    { file, key: first?.path.join('.') ?? '', line: first?.line ?? null, faults },
    cause === undefined ? undefined : { cause },
  );
}

/** Line of the node at `path`, or of the nearest one around it that has a place in the file. */
function lineOf(document: Document, lines: LineCounter, path: readonly (string | number)[]): number | null {
  for (let depth = path.length; depth >= 0; depth--) {
    const node = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return null;
}
