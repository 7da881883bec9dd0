/**
 * Groups of words that come from word lists or are given one by one: for a lexicon that is made of them, and for one
 * that is nothing but them, `female=en_female.txt,male=en_male.txt`.
 */

import { createHash } from 'node:crypto';
import path from 'node:path';
import type { PlacedFault } from '../catalog/index.ts';
import { AuditError } from '../errors.ts';
import { invalidLexicon } from './faults.ts';
import type { Lexicon, LexiconGroup } from './lexicon.ts';
import { groupNameProblem, LEXICON_NAME } from './names.ts';
import { distinctWords, foldCase, type PlacedWord, readWordList } from './word-list.ts';

/**
 * What loadLexicon takes for a lexicon that a file in `folder` names: a bare name stays one, paths become whole, so that
 * none is taken for a name. Throws `bad_argument` for a group without a file.
 */
export function lexiconFrom(folder: string, nameOrPath: string): string {
  if (LEXICON_NAME.test(nameOrPath)) return nameOrPath;
  const sources = parseGroupFiles(nameOrPath);
  if (sources === null) return path.resolve(folder, nameOrPath);
  return sources.map(({ name, file }) => `${name}=${path.resolve(folder, file)}`).join(',');
}

/** A new group: the file of a word list, or the words themselves. */
export type GroupSource =
  | { readonly name: string; readonly file: string }
  | { readonly name: string; readonly words: readonly string[] };

export interface WordGroup extends LexiconGroup {
  /** The file of its words, null for words that were given one by one, and the SHA-256 of its bytes. */
  readonly file: string | null;
  readonly sha256: string | null;
}

export interface WordGroups {
  readonly groups: readonly WordGroup[];
  readonly warnings: readonly PlacedFault[];
}

/** Language of words that say nothing of it: BCP 47 for "undetermined". */
export const UNKNOWN_LANGUAGE = 'und';

/**
 * Reads the words of each group. A word may be in one group only. Errors: `bad_argument` (a name, a group given twice),
 * `file_not_found`, `file_unreadable`, `lexicon_invalid` with file and line of every fault.
 */
export async function readWordGroups(sources: readonly GroupSource[]): Promise<WordGroups> {
  checkNames(sources.map(({ name }) => name));
  const groups: (WordGroup & { placed: readonly PlacedWord[]; place: string })[] = [];
  const warnings: PlacedFault[] = [];
  for (const source of sources) {
    const { name } = source;
    const list = 'file' in source ? await readWordList(source.file) : givenWords(name, source.words);
    warnings.push(...list.warnings);
    const origin =
      'file' in source ? { file: source.file, sha256: list.sha256 } : { file: null, sha256: null };
    groups.push({
      name,
      words: list.words.map(({ word }) => word),
      ...origin,
      placed: list.words,
      place: list.file,
    });
  }
  const faults = sharedWords(groups);
  if (faults.length > 0) throw invalidLexicon(sources.map(describeSource).join(','), faults);
  return { groups: groups.map(({ placed, place, ...group }) => group), warnings };
}

function describeSource(source: GroupSource): string {
  return 'file' in source ? `${source.name}=${source.file}` : source.name;
}

function checkNames(names: readonly string[]): void {
  for (const [index, name] of names.entries()) {
    const problem = groupNameProblem(name);
    if (problem !== null) {
      throw new AuditError('bad_argument', `${JSON.stringify(name)}: ${problem}`, { group: name });
    }
    if (names.indexOf(name) !== index) {
      throw new AuditError('bad_argument', `group ${name} is given twice; give each group once`, {
        group: name,
      });
    }
  }
}

function givenWords(group: string, words: readonly string[]) {
  const file = `group ${group}`;
  const checked = distinctWords(
    words.map((word) => ({ word, line: null })),
    file,
  );
  const faults = [...checked.faults];
  if (words.length === 0) faults.push({ file, path: [], line: null, message: 'has no words' });
  if (faults.length > 0) throw invalidLexicon(file, faults);
  return { ...checked, file, sha256: null };
}

/** Words in two groups, each with both places. */
function sharedWords(
  groups: readonly { name: string; place: string; placed: readonly PlacedWord[] }[],
): PlacedFault[] {
  const owners = new Map<string, { group: string; place: string; line: number | null }>();
  const faults: PlacedFault[] = [];
  for (const { name, place, placed } of groups) {
    for (const { word, line } of placed) {
      const owner = owners.get(foldCase(word));
      if (owner === undefined) {
        owners.set(foldCase(word), { group: name, place, line });
        continue;
      }
      const where = owner.line === null ? owner.place : `${owner.place} line ${owner.line}`;
      const message = `"${word}" of group ${name} is already in group ${owner.group} (${where}); a word in two groups could count in neither: remove one of the two`;
      faults.push({ file: place, path: [], line, message });
    }
  }
  return faults;
}

// A path may hold commas and equals signs; only what looks like the next group ends it.
const FIRST_GROUP = /^\p{L}[\p{L}\p{N}_-]*=/u;
const NEXT_GROUP = /,(?=\p{L}[\p{L}\p{N}_-]*=)/u;

/** The groups of `female=a.txt,male=b.txt`, or null for what does not begin like it. Throws `bad_argument`. */
export function parseGroupFiles(text: string): { name: string; file: string }[] | null {
  if (!FIRST_GROUP.test(text)) return null;
  return text.split(NEXT_GROUP).map((part) => {
    const equals = part.indexOf('=');
    const [name, file] = [part.slice(0, equals), part.slice(equals + 1)];
    if (file !== '') return { name, file };
    const message = `"${text}": group ${name} has no file; give GROUP=FILE, and several with commas between`;
    throw new AuditError('bad_argument', message, { group: name });
  });
}

/**
 * A lexicon of nothing but word lists, called after its groups. Its hash is over one line for each group, its name, a
 * space and the SHA-256 of its file: words that change their group change it too.
 */
export async function lexiconOfWordLists(
  sources: readonly { name: string; file: string }[],
): Promise<{ lexicon: Lexicon; warnings: readonly PlacedFault[] }> {
  const { groups, warnings } = await readWordGroups(sources);
  const hash = createHash('sha256');
  for (const { name, sha256 } of groups) hash.update(`${name} ${sha256}\n`);
  const lexicon: Lexicon = {
    name: groups.map(({ name }) => name).join('-'),
    language: UNKNOWN_LANGUAGE,
    description: `Word lists: ${sources.map(({ name, file }) => `${name} from ${file}`).join(', ')}.`,
    source: null,
    groups: groups.map(({ name, words }) => ({ name, words })),
    matchCase: [],
    names: [],
    controls: [],
    swap: null,
    pairs: [],
    occupations: [],
    file: sources.map(describeSource).join(','),
    sha256: hash.digest('hex'),
  };
  return { lexicon, warnings };
}
