/** The results of ../shared/vectors/multibbq, and what the original program made of them. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { sharedFile } from '../../oracle/shared.ts';

const SHARED = sharedFile('vectors/multibbq');
/** Whether this checkout has them. */
export const HAS_VECTORS = SHARED !== null;
export const VECTORS = SHARED ?? '';
export const RESULTS = join(VECTORS, 'results');
export const MAIN = join(RESULTS, 'gpt_image_gen_main');
export const ALPHA = join(MAIN, 'org-a', 'Alpha-7B');

export const expectedPath = (...parts: string[]) => join(VECTORS, 'expected', ...parts);
export const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** Records of a CSV file; a byte-order mark stays in its first field. */
export function records(path: string): string[][] {
  return parse(readFileSync(path, 'utf8'), { bom: false, relax_column_count: false });
}

/** Names of the files of a folder, sorted; none where there is no folder. */
export function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

/** A copy of all results, less those that the vectors' run `partial` leaves out. */
export function partialResults(folder: string): string {
  const results = join(folder, 'results');
  cpSync(RESULTS, results, { recursive: true });
  for (const name of readJson(expectedPath('partial', 'omitted.json'))) rmSync(join(results, name));
  return results;
}
