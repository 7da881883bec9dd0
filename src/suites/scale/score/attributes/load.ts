/** Attributes files by name or by path. */
import { fileURLToPath } from 'node:url';
import { invalidFile, NamedFiles, type PlacedFault, readYaml } from '../../../../catalog/index.ts';
import type { AttributeTable } from './attributes.ts';
import { readTable } from './schema.ts';

/** Where the user's own attributes files are, in the working folder. */
export const OWN_ATTRIBUTES = 'attributes';
/** The table that is taken unless one is named. */
export const DEFAULT_ATTRIBUTES = 'transit-survey';

// src/ and dist/ lie equally deep, so one relative address serves both.
const SHIPPED = fileURLToPath(new URL('../../../../../assets/attributes/', import.meta.url));
const files = new NamedFiles({ kind: 'attributes file', shipped: SHIPPED, own: OWN_ATTRIBUTES });

/**
 * Loads an attributes file. A bare name is one of the user's own, in `attributes` of the working folder, or else a shipped one;
 * anything else is a path. Errors: `file_not_found`, `file_unreadable`, `attributes_invalid`.
 */
export async function loadAttributes(nameOrPath: string): Promise<AttributeTable> {
  const location = await files.locate(nameOrPath);
  const { shown } = location;
  const { value, faults, lineOf } = readYaml(await files.read(location), shown);
  if (faults.length > 0) throw invalid(shown, faults);
  const { table, faults: wrong } = readTable(value);
  if (table !== null) return table;
  throw invalid(
    shown,
    wrong.map((fault) => ({ ...fault, file: shown, line: lineOf(fault.path) })),
  );
}

function invalid(shown: string, faults: readonly PlacedFault[]) {
  return invalidFile('attributes_invalid', 'attributes file', shown, faults);
}
