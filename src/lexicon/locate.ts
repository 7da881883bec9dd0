/**
 * Where lexicons lie. A bare name is first looked for in the folder of the user's own, `lexicons` in the working
 * folder, then among those that come with the package; so an own one overrides a shipped one of the same name.
 * Anything with a dot or a slash is a path.
 */
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AuditError } from '../errors.ts';
import { fileError } from '../file-error.ts';
import { LEXICON_NAME } from './names.ts';

/** Where the user's own lexicons are, in the working folder. */
export const OWN_FOLDER = 'lexicons';

// src/lexicon/ and dist/lexicon/ lie equally deep, so one relative address serves both.
const SHIPPED = fileURLToPath(new URL('../../assets/lexicons/', import.meta.url));
const EXTENSION = '.yaml';

export interface FolderOptions {
  /** Folder of the user's own lexicons; `lexicons` in the working folder unless said. */
  readonly folder?: string;
}

export interface LexiconLocation {
  /** What it is called by; null for a path. */
  readonly name: string | null;
  readonly origin: 'shipped' | 'own' | 'file';
  readonly path: string;
  /** What messages call it: the path of the user's own, the name of a shipped one. */
  readonly shown: string;
}

/** Names of the lexicons that come with the package, sorted. */
export async function shippedLexicons(): Promise<string[]> {
  const files = await readdir(SHIPPED);
  return files
    .filter((file) => file.endsWith(EXTENSION))
    .map((file) => file.slice(0, -EXTENSION.length))
    .sort();
}

/** The lexicons of a folder, sorted, and those of its YAML and JSON files that go by no name. */
export async function ownLexicons(folder: string): Promise<{ names: string[]; nameless: string[] }> {
  let files: string[];
  try {
    files = await readdir(folder);
  } catch (cause) {
    if (isAbsent(cause)) return { names: [], nameless: [] };
    throw fileError(folder, cause);
  }
  const names: string[] = [];
  const nameless: string[] = [];
  for (const file of files.filter((name) => !name.startsWith('.')).sort()) {
    const name = file.slice(0, -EXTENSION.length);
    if (file.endsWith(EXTENSION) && LEXICON_NAME.test(name)) names.push(name);
    else if (/\.(?:ya?ml|json)$/i.test(file)) nameless.push(join(folder, file));
  }
  return { names, nameless };
}

export function shippedLocation(name: string): LexiconLocation {
  return { name, origin: 'shipped', path: join(SHIPPED, name + EXTENSION), shown: name };
}

export function ownLocation(name: string, folder = OWN_FOLDER): LexiconLocation {
  const path = join(folder, name + EXTENSION);
  return { name, origin: 'own', path, shown: path };
}

/** Where the lexicon of that name or path is, or would be. Throws `file_unreadable` for a folder that cannot be looked into. */
export async function locateLexicon(
  nameOrPath: string,
  { folder = OWN_FOLDER }: FolderOptions = {},
): Promise<LexiconLocation> {
  if (!LEXICON_NAME.test(nameOrPath)) {
    return { name: null, origin: 'file', path: nameOrPath, shown: nameOrPath };
  }
  const own = ownLocation(nameOrPath, folder);
  return (await isThere(own)) ? own : shippedLocation(nameOrPath);
}

/** Is there a file, or a link to one that may be gone? What is there and cannot be read must not be passed over. */
export async function isThere({ path }: LexiconLocation): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (cause) {
    if (isAbsent(cause)) return false;
    throw fileError(path, cause);
  }
}

/** The bytes of a lexicon's file. Errors: `file_not_found`, `file_unreadable`. */
export async function readLocation(location: LexiconLocation, folder = OWN_FOLDER): Promise<Uint8Array> {
  try {
    return await readFile(location.path);
  } catch (cause) {
    throw await unread(location, folder, cause);
  }
}

function isAbsent(cause: unknown): boolean {
  const { code } = cause as { code?: unknown };
  return code === 'ENOENT' || code === 'ENOTDIR';
}

async function unread(
  { name, origin, shown }: LexiconLocation,
  folder: string,
  cause: unknown,
): Promise<AuditError> {
  const code = (cause as { code?: unknown }).code;
  if (origin === 'shipped' && code === 'ENOENT') return await unknownLexicon(name!, folder, cause);
  const data = { file: shown };
  if (isAbsent(cause)) {
    const hint = shown.includes('=')
      ? ' (word lists are given as GROUP=FILE, a group begins with a letter)'
      : '';
    const message = `lexicon ${shown}: no such file; check the path${hint}`;
    return new AuditError('file_not_found', message, data, { cause });
  }
  const why = code === 'EISDIR' ? 'it is a folder' : String(code ?? cause);
  const message = `lexicon ${shown}: cannot be read (${why}); give a readable YAML or JSON file`;
  return new AuditError('file_unreadable', message, data, { cause });
}

/** `file_not_found` for a name, with the names that there are. */
export async function unknownLexicon(name: string, folder: string, cause?: unknown): Promise<AuditError> {
  const own = (await ownLexicons(folder)).names;
  const yours =
    own.length === 0
      ? `there are none of your own (in ${folder})`
      : `your own (in ${folder}): ${own.join(', ')}`;
  const message = `no lexicon is called "${name}"; shipped are: ${(await shippedLexicons()).join(', ')}; ${yours}. For a file elsewhere give its path (./${name}.yaml)`;
  return new AuditError(
    'file_not_found',
    message,
    { file: name },
    cause === undefined ? undefined : { cause },
  );
}
