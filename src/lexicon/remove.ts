/** Deleting the user's own lexicons, and what may be changed at all. */
import type { NamedLocation } from '../catalog/index.ts';
import { type FolderOptions, lexiconFiles, shippedLexicons } from './locate.ts';
import { checkLexiconName } from './names.ts';

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
