/**
 * The bytes of a YAML file to plain values, with the line of each. JSON is read by the same parser, of which it is a
 * part, so that faults in either carry a line.
 */
import type { Document, YAMLError } from 'yaml';
import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import type { PlacedFault } from './faults.ts';

/** A file that was read as far as it can be. */
export interface YamlFile {
  /** What is in it; of no use if there are faults. */
  readonly value: unknown;
  readonly faults: readonly PlacedFault[];
  /** What the parser finds odd but can read. */
  readonly warnings: readonly PlacedFault[];
  /** Line of what stands at a path, from 1; null where that has no place. */
  lineOf(path: readonly (string | number)[]): number | null;
}

/** Reads bytes as UTF-8 and YAML, without throwing; `file` is what messages call it. */
export function readYaml(bytes: Uint8Array, file: string): YamlFile {
  const text = decode(bytes);
  if (text === null) return unread(file, 'is not UTF-8 text; save it as UTF-8');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placed = ({ pos, message }: YAMLError, what: string): PlacedFault => {
    return { file, path: [], line: lines.linePos(pos[0]).line, message: `${what}: ${message}` };
  };
  const lineOf = (path: readonly (string | number)[]) => lineAt(document, lines, path);
  const warnings = document.warnings.map((warning) => placed(warning, 'is odd YAML'));
  const faults = document.errors.map((error) => placed(error, 'is not valid YAML'));
  if (faults.length > 0) return { value: undefined, faults, warnings, lineOf };
  try {
    // An alias may stand for an alias: the parser stops at its own bound, and says so by throwing.
    return { value: document.toJS(), faults, warnings, lineOf };
  } catch (cause) {
    return unread(file, `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

function unread(file: string, message: string): YamlFile {
  const faults = [{ file, path: [], line: null, message }];
  return { value: undefined, faults, warnings: [], lineOf: () => null };
}

/** Null if it is not UTF-8. A byte-order mark is no part of the text. */
function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Line of what stands at `path`, of its key where it has one; or of the nearest around it that has a place in the file. */
function lineAt(document: Document, lines: LineCounter, path: readonly (string | number)[]): number | null {
  for (let depth = path.length; depth >= 0; depth--) {
    const node = depth === 0 ? document.contents : nodeAt(document, path.slice(0, depth));
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return null;
}

function nodeAt(document: Document, path: readonly (string | number)[]): unknown {
  const around = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const key = String(path.at(-1));
  const pair =
    isMap(around) && around.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
  return pair ? pair.key : document.getIn(path, true);
}
