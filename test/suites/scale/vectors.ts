/** The results and participants of ../shared/vectors/scales, and what the original made of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { sharedFile } from '../../oracle/shared.ts';

const SHARED = sharedFile('vectors/scales');
/** Whether this checkout has them. */
export const HAS_VECTORS = SHARED !== null;
export const VECTORS = SHARED ?? '';
export const RESULTS = join(VECTORS, 'results.csv');
export const PARTICIPANTS = join(VECTORS, 'participants.csv');

export const expectedPath = (name: string) => join(VECTORS, 'expected', name);
export const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

export type Record_ = Readonly<Record<string, string>>;

/** The rows of a CSV file, by column. */
export function rowsOf(path: string): Record_[] {
  return parse(readFileSync(path, 'utf8'), { bom: true, columns: true });
}

/** The lines of a CSV file as they stand, the header first. */
export function records(path: string): string[][] {
  return parse(readFileSync(path, 'utf8'), { bom: true });
}
