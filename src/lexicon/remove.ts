/** Deleting the user's own lexicons, and what may be changed at all. */
import { rm } from 'node:fs/promises';
import { AuditError } from '../errors.ts';
import {
  type FolderOptions,
  isThere,
  type LexiconLocation,
  OWN_FOLDER,
  ownLocation,
  shippedLexicons,
  unknownLexicon,
} from './locate.ts';
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
export async function deleteLexicon(name: string, options: FolderOptions = {}): Promise<DeletedLexicon> {
  const { path } = await requireOwn(name, options, 'deleted');
  try {
    await rm(path);
  } catch (cause) {
    const message = `${path} cannot be deleted (${String((cause as { code?: unknown }).code ?? cause)})`;
    throw new AuditError('file_unwritable', message, { file: path }, { cause });
  }
  return { name, file: path, shippedRemains: (await shippedLexicons()).includes(name) };
}

/** Where the user's own lexicon of that name is. Throws as {@link deleteLexicon}. */
export async function requireOwn(
  name: string,
  { folder = OWN_FOLDER }: FolderOptions,
  action: 'changed' | 'deleted',
): Promise<LexiconLocation> {
  checkLexiconName(name);
  const location = ownLocation(name, folder);
  if (await isThere(location)) return location;
  if (!(await shippedLexicons()).includes(name)) throw await unknownLexicon(name, folder);
  const message = `${name} comes with the package and is not ${action}; for one of your own: logit-audit lexicon create NAME --from ${name}`;
  throw new AuditError('bad_argument', message, { name });
}
