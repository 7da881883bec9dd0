/** Where lexicons lie: the user's own in `lexicons` of the working folder, before those that come with the package. */
import { fileURLToPath } from 'node:url';
import { type FileLocation, NamedFiles } from '../catalog/index.ts';
import { AuditError } from '../errors.ts';

/** Where the user's own lexicons are, in the working folder. */
export const OWN_FOLDER = 'lexicons';

// src/lexicon/ and dist/lexicon/ lie equally deep, so one relative address serves both.
const SHIPPED = fileURLToPath(new URL('../../assets/lexicons/', import.meta.url));

export const lexiconFiles = new NamedFiles({ kind: 'lexicon', shipped: SHIPPED, own: OWN_FOLDER });

export interface FolderOptions {
  /** Folder of the user's own lexicons; `lexicons` in the working folder unless said. */
  readonly folder?: string;
}

export type LexiconLocation = FileLocation;

/** Names of the lexicons that come with the package, sorted. */
export function shippedLexicons(): Promise<string[]> {
  return lexiconFiles.shippedNames();
}

/** Where the lexicon of that name or path is, or would be. Throws `file_unreadable` for a folder that cannot be looked into. */
export function locateLexicon(nameOrPath: string, { folder }: FolderOptions = {}): Promise<LexiconLocation> {
  return lexiconFiles.locate(nameOrPath, folder);
}

/** The bytes of a lexicon's file. Errors: `file_not_found`, `file_unreadable`. */
export async function readLocation(location: LexiconLocation, folder?: string): Promise<Uint8Array> {
  try {
    return await lexiconFiles.read(location, folder);
  } catch (thrown) {
    if (!(thrown instanceof AuditError)) throw thrown;
    const { code, message, data, cause } = thrown;
    if (code !== 'file_not_found' || !location.shown.includes('=')) throw thrown;
    const hint = 'word lists are given as GROUP=FILE, a group begins with a letter';
    throw new AuditError(code, `${message} (${hint})`, data, { cause });
  }
}
