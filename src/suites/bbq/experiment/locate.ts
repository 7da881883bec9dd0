/** Where tables of experiments lie: the shipped one, and the user's own in the working folder. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileError } from '../../../files/file-error.ts';
import { type ParsedTable, parseTable } from './parse.ts';

/** Where the user's own table is, in the working folder. */
export const OWN_EXPERIMENTS = 'experiments';
const FILE = 'bbq.yaml';

// src/ and dist/ lie equally deep, so one relative address serves both.
const SHIPPED = fileURLToPath(new URL(`../../../../assets/experiments/${FILE}`, import.meta.url));
/** What messages call the shipped table. */
export const SHIPPED_NAME = 'the shipped table';

export interface ExperimentFolder {
  /** Folder of the user's own table, `bbq.yaml`; `experiments` in the working folder unless said. */
  readonly folder?: string;
}

/** The path of the user's own table, which may not be there. */
export function ownTablePath({ folder = OWN_EXPERIMENTS }: ExperimentFolder = {}): string {
  return path.join(folder, FILE);
}

/** The user's own table; null if there is none. Throws `file_unreadable`. */
export async function readOwnTable(options: ExperimentFolder = {}): Promise<ParsedTable | null> {
  const bytes = await readOwnBytes(options);
  return bytes === null ? null : parseTable(bytes, ownTablePath(options));
}

/** The bytes of the user's own table; null if there is none. Throws `file_unreadable`. */
export async function readOwnBytes(options: ExperimentFolder): Promise<Uint8Array | null> {
  const file = ownTablePath(options);
  try {
    return await readFile(file);
  } catch (cause) {
    const error = fileError(file, cause);
    if (error.code === 'file_not_found') return null;
    throw error;
  }
}

export async function readShippedTable(): Promise<ParsedTable> {
  return parseTable(await readFile(SHIPPED), SHIPPED_NAME);
}
