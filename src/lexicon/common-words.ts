/** Common words of a language, from which the beginnings of other words differ. Assets have a file a language. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// src/lexicon/ and dist/lexicon/ lie equally deep, so one relative address serves both.
const FOLDER = new URL('../../assets/common-words/', import.meta.url);

/** Languages that have a list. */
const LISTED = new Set(['en']);

const lists = new Map<string, readonly string[]>();

/** The common words of a language, such as `en` or `en-GB`; none for one without a list. */
export function commonWords(language: string | undefined): readonly string[] {
  const base = (language ?? '').split('-')[0]!.toLowerCase();
  if (!LISTED.has(base)) return [];
  const known = lists.get(base);
  if (known) return known;
  const words = readFileSync(fileURLToPath(new URL(`${base}.txt`, FOLDER)), 'utf8')
    .trim()
    .split(/\s+/);
  lists.set(base, words);
  return words;
}
