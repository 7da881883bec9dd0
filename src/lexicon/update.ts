/**
 * Changes to a lexicon of the user's own. All of them or none: they are made on the document, which is then read anew,
 * and written only if it is right. What goes is taken out first, so that a word can move from one group to another.
 */
import { describeFault, type NamedLocation, type PlacedFault, unwrittenFile } from '../catalog/index.ts';
import { AuditError } from '../errors.ts';
import { writeAtomic } from '../files/atomic.ts';
import { LexiconEditor } from './editor.ts';
import { invalidLexicon } from './faults.ts';
import type { GroupedWord, Lexicon, LexiconControl, LexiconPair } from './lexicon.ts';
import { examineLocated } from './load.ts';
import {
  type FolderOptions,
  type LexiconLocation,
  lexiconFiles,
  readLocation,
  shippedLexicons,
} from './locate.ts';
import { checkLexiconName } from './names.ts';
import { type GroupSource, readWordGroups } from './word-groups.ts';
import { foldCase, wordProblem } from './word-list.ts';

export interface DeletedLexicon {
  readonly name: string;
  readonly file: string;
  /** Is there a shipped one of the same name, which is used from now on? */
  readonly shippedRemains: boolean;
}

/**
 * Deletes a lexicon of the user's own. Errors: `bad_argument` for a shipped one and for what is no name,
 * `file_not_found`, `file_unwritable`.
 */
export async function deleteLexicon(name: string, { folder }: FolderOptions = {}): Promise<DeletedLexicon> {
  checkLexiconName(name);
  const { path } = await lexiconFiles.delete(name, folder);
  return { name, file: path, shippedRemains: (await shippedLexicons()).includes(name) };
}

/** Where the user's own lexicon of that name is. Throws as {@link deleteLexicon}. */
export async function requireOwn(
  name: string,
  { folder }: FolderOptions,
  action: 'changed' | 'deleted',
): Promise<NamedLocation> {
  checkLexiconName(name);
  return await lexiconFiles.requireOwn(name, action, folder);
}

export interface SavedLexicon {
  readonly name: string;
  readonly file: string;
  /** Is it used instead of a shipped one from now on? */
  readonly overridesShipped: boolean;
  readonly lexicon: Lexicon;
  /** What was passed over: words given twice, or that were there already. */
  readonly warnings: readonly string[];
}

/** Checks and writes `text` to its place. Throws `lexicon_invalid`, `file_unwritable`. */
export async function saveLexicon(
  location: LexiconLocation,
  text: string,
  warnings: readonly string[],
): Promise<SavedLexicon> {
  const bytes = new TextEncoder().encode(text);
  const { lexicon, faults } = examineLocated(location, bytes);
  if (lexicon === null) throw unwrittenFile('lexicon_invalid', 'lexicon', location.shown, faults);
  await writeAtomic(location.path, [bytes]);
  const overridesShipped = (await shippedLexicons()).includes(location.name!);
  return { name: location.name!, file: location.path, overridesShipped, lexicon, warnings };
}

export function toMessages(warnings: readonly PlacedFault[]): string[] {
  return warnings.map((warning) => describeFault(warning, ''));
}

export interface LexiconChanges {
  /** Pairs to remove; `as: null` means those two words in every use. */
  readonly removePairs?: readonly LexiconPair[];
  /** Words to remove, spelt as in the file; pairs, `matchCase` and controls lose them too. */
  readonly removeWords?: readonly GroupedWord[];
  /** Groups to remove, with all that their words are in. */
  readonly removeGroups?: readonly string[];
  readonly addGroups?: readonly GroupSource[];
  /** Words for groups that are there; one that its group has already is reported and left alone. */
  readonly addWords?: readonly GroupedWord[];
  readonly addPairs?: readonly LexiconPair[];
  readonly language?: string;
  readonly description?: string;
}

export interface UpdatedLexicon extends SavedLexicon {
  /** What was done, a line each. */
  readonly changes: readonly string[];
}

/**
 * Changes `lexicons/NAME.yaml` of the working folder; comments stay. Errors: `bad_argument` (a shipped lexicon, a group
 * or word that is not there, nothing to change), `file_not_found`, `file_unreadable`, `lexicon_invalid` (before or after
 * the change; nothing is written then), `file_unwritable`.
 */
export async function updateLexicon(
  name: string,
  changes: LexiconChanges,
  options: FolderOptions = {},
): Promise<UpdatedLexicon> {
  const location = await requireOwn(name, options, 'changed');
  const bytes = await readLocation(location, options.folder);
  const { lexicon, faults } = examineLocated(location, bytes);
  if (lexicon === null) throw invalidLexicon(location.shown, faults);
  const { groups: newGroups, warnings } = await readWordGroups(changes.addGroups ?? []);
  const draft = new Draft(lexicon, new TextDecoder().decode(bytes), location.shown);
  for (const pair of changes.removePairs ?? []) draft.removePair(pair);
  for (const word of changes.removeWords ?? []) draft.removeWord(word);
  for (const group of changes.removeGroups ?? []) draft.removeGroup(group);
  for (const group of newGroups) draft.addGroup(group.name, group.words);
  for (const word of changes.addWords ?? []) draft.addWord(word);
  for (const pair of changes.addPairs ?? []) draft.addPair(pair);
  for (const key of ['language', 'description'] as const) draft.setText(key, changes[key]);
  if (draft.changes.length === 0 && draft.warnings.length === 0) {
    throw new AuditError(
      'bad_argument',
      `nothing to change in lexicon ${name}; say what to add or to remove`,
      { name },
    );
  }
  const messages = [...toMessages(warnings), ...draft.warnings];
  const saved = await saveLexicon(location, draft.text(), messages);
  return { ...saved, changes: draft.changes };
}

/** The lexicon while it is changed: the document, and beside it the entries in the same order. */
class Draft {
  readonly changes: string[] = [];
  readonly warnings: string[] = [];
  readonly #editor: LexiconEditor;
  readonly #file: string;
  readonly #groups: Map<string, string[]>;
  readonly #owners: Map<string, GroupedWord>;
  readonly #matchCase: string[];
  readonly #pairs: LexiconPair[];
  readonly #controls: LexiconControl[];

  constructor(lexicon: Lexicon, text: string, file: string) {
    this.#editor = new LexiconEditor(text, file);
    this.#file = file;
    this.#groups = new Map(lexicon.groups.map(({ name, words }) => [name, [...words]]));
    this.#owners = new Map(
      lexicon.groups.flatMap(({ name, words }) =>
        words.map((word) => [foldCase(word), { group: name, word }]),
      ),
    );
    this.#matchCase = [...lexicon.matchCase];
    this.#pairs = [...lexicon.pairs];
    this.#controls = [...lexicon.controls];
  }

  text(): string {
    return this.#editor.toString();
  }

  setText(key: 'language' | 'description', value: string | undefined): void {
    if (value === undefined) return;
    this.#editor.setText(key, value);
    this.changes.push(`${key} is now "${value}"`);
  }

  removePair(pair: LexiconPair): void {
    const removed = this.#dropPairs(
      (there) => sameWords(there, pair) && (pair.as === null || there.as === pair.as),
    );
    if (removed > 0) return;
    throw this.#bad(`there is no pair ${describePair(pair)}`);
  }

  removeWord(entry: GroupedWord): void {
    const { group, word } = entry;
    const words = this.#wordsOf(group);
    const index = words.indexOf(word);
    if (index === -1) throw this.#bad(`"${word}" is not a word of group ${group}; spell it as the file does`);
    this.#editor.removeAt(['groups', group], index);
    words.splice(index, 1);
    this.changes.push(`removed "${word}" from group ${group}`);
    this.#forget(entry);
  }

  removeGroup(group: string): void {
    const words = this.#wordsOf(group);
    this.#editor.removeGroup(group);
    this.#groups.delete(group);
    this.changes.push(`removed group ${group} with its ${words.length} words`);
    for (const word of words) this.#forget({ group, word });
  }

  addGroup(group: string, words: readonly string[]): void {
    if (this.#groups.has(group))
      throw this.#bad(`there is a group ${group}; add words to it, or remove it first`);
    this.#groups.set(group, []);
    for (const word of words) this.#addTo(group, word);
    this.changes.push(`added group ${group} with ${words.length} words`);
  }

  addWord({ group, word }: GroupedWord): void {
    const words = this.#wordsOf(group);
    const problem = wordProblem(word);
    if (problem !== null) throw this.#bad(problem);
    if (words.includes(word)) {
      this.warnings.push(`"${word}" is already in group ${group}; it counts once`);
      return;
    }
    this.#addTo(group, word);
    this.changes.push(`added "${word}" to group ${group}`);
  }

  addPair(pair: LexiconPair): void {
    const { words, as } = pair;
    for (const { group, word } of words) {
      if (!this.#wordsOf(group).includes(word)) {
        throw this.#bad(
          `"${word}" is not a word of group ${group}; a pair is of words of two groups, so add it first`,
        );
      }
    }
    if (this.#pairs.some((there) => sameWords(there, pair) && there.as === as)) {
      this.warnings.push(`the pair ${describePair(pair)} is already there`);
      return;
    }
    if (words[0].group === words[1].group)
      throw this.#bad(`both words of ${describePair(pair)} are of one group`);
    const sides = Object.fromEntries(words.map(({ group, word }) => [group, word]));
    this.#editor.addPair(as === null ? sides : { ...sides, as });
    this.#pairs.push(pair);
    this.changes.push(`added the pair ${describePair(pair)}`);
  }

  #addTo(group: string, word: string): void {
    const owner = this.#owners.get(foldCase(word));
    if (owner !== undefined) {
      const spelt = owner.word === word ? '' : `, as "${owner.word}"`;
      throw this.#bad(`"${word}" is already in group ${owner.group}${spelt}; a word is in one group, once`);
    }
    this.#editor.addWords(group, [word]);
    this.#groups.get(group)!.push(word);
    this.#owners.set(foldCase(word), { group, word });
    this.#dropControls(({ words }) => words.some((neutral) => foldCase(neutral) === foldCase(word)));
  }

  /** What is a word of a group is no neutral one any more. */
  #dropControls(matches: (control: LexiconControl) => boolean): void {
    for (let index = this.#controls.length - 1; index >= 0; index--) {
      const control = this.#controls[index]!;
      if (!matches(control)) continue;
      this.#editor.removeAt(['controls'], index);
      this.#controls.splice(index, 1);
      this.changes.push(`removed the control ${control.words.join(' - ')}`);
    }
  }

  /** Takes a word that is gone out of what else names it. */
  #forget({ group, word }: GroupedWord): void {
    this.#owners.delete(foldCase(word));
    this.#dropPairs(({ words }) => words.some((side) => side.group === group && side.word === word));
    this.#forgetInControls(word);
    for (const list of this.#editor.forgetInSwap(word)) this.changes.push(`removed "${word}" from ${list}`);
    const index = this.#matchCase.indexOf(word);
    if (index === -1) return;
    this.#editor.removeAt(['matchCase'], index);
    this.#matchCase.splice(index, 1);
    this.changes.push(`removed "${word}" from matchCase`);
  }

  /** A control that then stands for words of one group goes too. */
  #forgetInControls(word: string): void {
    const without = ({ for: stood }: LexiconControl) =>
      stood.filter((other) => foldCase(other) !== foldCase(word));
    const groups = (stood: readonly string[]) =>
      new Set(stood.map((other) => this.#owners.get(foldCase(other))?.group)).size;
    this.#dropControls((control) => {
      const left = without(control);
      return left.length < control.for.length && groups(left) < 2;
    });
    for (const [index, control] of this.#controls.entries()) {
      const left = without(control);
      if (left.length === control.for.length) continue;
      const place = control.for.findIndex((other) => foldCase(other) === foldCase(word));
      this.#editor.removeAt(['controls', index, 'for'], place);
      this.#controls[index] = { ...control, for: left };
      this.changes.push(`removed "${word}" from controls[${index}].for`);
    }
  }

  #dropPairs(matches: (pair: LexiconPair) => boolean): number {
    let dropped = 0;
    for (let index = this.#pairs.length - 1; index >= 0; index--) {
      const pair = this.#pairs[index]!;
      if (!matches(pair)) continue;
      this.#editor.removeAt(['pairs'], index);
      this.#pairs.splice(index, 1);
      this.changes.push(`removed the pair ${describePair(pair)}`);
      dropped += 1;
    }
    return dropped;
  }

  #wordsOf(group: string): string[] {
    const words = this.#groups.get(group);
    if (words !== undefined) return words;
    throw this.#bad(`there is no group ${group}; the groups are ${[...this.#groups.keys()].join(', ')}`);
  }

  #bad(message: string): AuditError {
    return new AuditError('bad_argument', `${this.#file}: ${message}`, { file: this.#file });
  }
}

function sameWords(a: LexiconPair, b: LexiconPair): boolean {
  const key = ({ words }: LexiconPair) =>
    JSON.stringify(words.map(({ group, word }) => [group, word]).sort());
  return key(a) === key(b);
}

function describePair({ words, as }: LexiconPair): string {
  return [...words.map(({ group, word }) => `${group}:${word}`)].join(',') + (as === null ? '' : `:${as}`);
}
