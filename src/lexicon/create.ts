/** New lexicons of the user's own: a copy of another one, or groups of words. */
import { Document } from 'yaml';
import { LINE_WIDTH } from '../catalog/index.ts';
import { AuditError } from '../errors.ts';
import { LexiconEditor } from './editor.ts';
import { invalidLexicon } from './faults.ts';
import { examineLocated } from './load.ts';
import { type FolderOptions, lexiconFiles, locateLexicon, OWN_FOLDER, readLocation } from './locate.ts';
import { checkLexiconName } from './names.ts';
import { type SavedLexicon, saveLexicon, toMessages } from './update.ts';
import { type GroupSource, readWordGroups, UNKNOWN_LANGUAGE, type WordGroup } from './word-groups.ts';

/** What a new lexicon is made of: another lexicon, by name or path, or groups. */
export type LexiconContent = ({ readonly from: string } | { readonly groups: readonly GroupSource[] }) & {
  /** Of the words, as a BCP 47 tag; that of `from`, or `und` (not known), unless said. */
  readonly language?: string;
  readonly description?: string;
};

/**
 * Makes `lexicons/NAME.yaml` in the working folder. A name of a shipped lexicon is allowed and overrides that one here.
 * Errors: `output_exists`; `bad_argument` (name, groups); `file_not_found`, `file_unreadable`, `lexicon_invalid` about
 * what it is made of; `file_unwritable`.
 */
export async function createLexicon(
  name: string,
  content: LexiconContent,
  { folder = OWN_FOLDER }: FolderOptions = {},
): Promise<SavedLexicon> {
  checkLexiconName(name);
  const location = lexiconFiles.ownLocation(name, folder);
  if (await lexiconFiles.isThere(location)) {
    const message = `${location.path} exists; change it with "lexicon update", or delete it first`;
    throw new AuditError('output_exists', message, { file: location.path });
  }
  if ('from' in content) return await saveLexicon(location, await copyOf(name, content, folder), []);
  if (content.groups.length === 0) {
    throw new AuditError('bad_argument', `lexicon ${name} has no groups; give at least one`, { name });
  }
  const { groups, warnings } = await readWordGroups(content.groups);
  return await saveLexicon(location, newText(name, content, groups), toMessages(warnings));
}

/** The other one's file with its comments, under the new name. */
async function copyOf(
  name: string,
  { from, language, description }: LexiconContent & { from: string },
  folder: string,
): Promise<string> {
  const source = await locateLexicon(from, { folder });
  const bytes = await readLocation(source, folder);
  const { lexicon, faults } = examineLocated(source, bytes);
  if (lexicon === null) throw invalidLexicon(source.shown, faults);
  const editor = new LexiconEditor(new TextDecoder().decode(bytes), source.shown);
  editor.setText('name', name);
  if (language !== undefined) editor.setText('language', language);
  if (description !== undefined) editor.setText('description', description);
  return editor.toString();
}

function newText(
  name: string,
  { language = UNKNOWN_LANGUAGE, description }: LexiconContent,
  groups: readonly WordGroup[],
): string {
  const files = groups.flatMap(({ name: group, file }) => (file === null ? [] : [`${group} from ${file}`]));
  return new Document({
    name,
    language,
    description: description ?? `Words of ${groups.map((group) => group.name).join(', ')}.`,
    ...(files.length === 0 ? {} : { source: `Word lists: ${files.join(', ')}.` }),
    groups: Object.fromEntries(groups.map((group) => [group.name, group.words])),
  }).toString({ lineWidth: LINE_WIDTH });
}
