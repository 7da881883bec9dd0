/** The shared vectors of the suite rules: synthetic data, and what the original makes of them. */
import { readFileSync } from 'node:fs';
import { sharedFile } from '../../oracle/shared.ts';

/** Null where this checkout has none of them. */
export const VECTORS = sharedFile('vectors/rules');

export function vector<T>(name: string): T {
  return JSON.parse(readFileSync(`${VECTORS}/${name}`, 'utf8')) as T;
}
