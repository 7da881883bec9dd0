/**
 * Files that go by name: those of the user, in a folder of the working folder, before those that come with the package,
 * so that an own one overrides a shipped one of the same name. Anything with a dot or a slash is a path.
 */

import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import path, { join } from 'node:path';
import { AuditError } from '../errors.ts';
import { fileError } from '../files/file-error.ts';

const last = new Map<string, Promise<unknown>>();

/** Runs `change` when the changes to `file` that this process began before have ended, well or not. */
export async function oneAtATime<T>(file: string, change: () => Promise<T>): Promise<T> {
  const key = path.resolve(file);
  const turn = (last.get(key) ?? Promise.resolve()).then(change, change);
  last.set(key, turn);
  try {
    return await turn;
  } finally {
    if (last.get(key) === turn) last.delete(key);
  }
}

/** No path, no ending, nothing that a shell or a file system takes for something else. */
export const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

const EXTENSION = '.yaml';

export interface NamedFilesOptions {
  /** What messages call one of them: `scale`. */
  readonly kind: string;
  /** Where those that come with the package are. */
  readonly shipped: string;
  /** Where the user's own are unless said, in the working folder. */
  readonly own: string;
}

export interface FileLocation {
  /** What it is called by; null for a path. */
  readonly name: string | null;
  readonly origin: 'shipped' | 'own' | 'file';
  readonly path: string;
  /** What messages call it: the path of the user's own, the name of a shipped one. */
  readonly shown: string;
}

/** The location of a file that goes by name. */
export type NamedLocation = FileLocation & { readonly name: string };

export class NamedFiles {
  readonly #kind: string;
  readonly #shipped: string;
  readonly #own: string;

  constructor({ kind, shipped, own }: NamedFilesOptions) {
    this.#kind = kind;
    this.#shipped = shipped;
    this.#own = own;
  }

  /** Names of those that come with the package, sorted. */
  async shippedNames(): Promise<string[]> {
    const files = await readdir(this.#shipped);
    return files
      .filter((file) => file.endsWith(EXTENSION))
      .map((file) => file.slice(0, -EXTENSION.length))
      .sort();
  }

  /** Those of the user, sorted, and the YAML and JSON files that go by no name. Throws `file_unreadable`. */
  async ownNames(folder = this.#own): Promise<{ names: string[]; nameless: string[] }> {
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
      if (file.endsWith(EXTENSION) && PLAIN_NAME.test(name)) names.push(name);
      else if (/\.(?:ya?ml|json)$/i.test(file)) nameless.push(join(folder, file));
    }
    return { names, nameless };
  }

  shippedLocation(name: string): NamedLocation {
    return { name, origin: 'shipped', path: join(this.#shipped, name + EXTENSION), shown: name };
  }

  ownLocation(name: string, folder = this.#own): NamedLocation {
    const path = join(folder, name + EXTENSION);
    return { name, origin: 'own', path, shown: path };
  }

  /** Where what goes by that name or path is, or would be. Throws `file_unreadable` for a folder that cannot be looked into. */
  async locate(nameOrPath: string, folder = this.#own): Promise<FileLocation> {
    if (!PLAIN_NAME.test(nameOrPath)) {
      return { name: null, origin: 'file', path: nameOrPath, shown: nameOrPath };
    }
    const own = this.ownLocation(nameOrPath, folder);
    return (await this.isThere(own)) ? own : this.shippedLocation(nameOrPath);
  }

  /** Is there a file, or a link to one that may be gone? What is there and cannot be read must not be passed over. */
  async isThere({ path }: FileLocation): Promise<boolean> {
    try {
      await lstat(path);
      return true;
    } catch (cause) {
      if (isAbsent(cause)) return false;
      throw fileError(path, cause);
    }
  }

  /** The bytes of the file. Errors: `file_not_found`, for a name with those that there are; `file_unreadable`. */
  async read(location: FileLocation, folder = this.#own): Promise<Uint8Array> {
    const { name, origin, path, shown } = location;
    try {
      return await readFile(path);
    } catch (cause) {
      if (origin === 'shipped' && isAbsent(cause)) throw await this.unknown(name!, folder, cause);
      const { code, data } = fileError(shown, cause);
      const why =
        code === 'file_not_found'
          ? 'no such file; check the path'
          : `cannot be read (${reason(cause)}); give a readable YAML or JSON file`;
      throw new AuditError(code, `${this.#kind} ${shown}: ${why}`, data, { cause });
    }
  }

  /** `file_not_found` for a name, with the names that there are. */
  async unknown(name: string, folder = this.#own, cause?: unknown): Promise<AuditError> {
    const own = (await this.ownNames(folder)).names;
    const yours =
      own.length === 0
        ? `you have none of your own (in ${folder})`
        : `your own (in ${folder}): ${own.join(', ')}`;
    const shipped = (await this.shippedNames()).join(', ');
    const message = `no ${this.#kind} is called "${name}"; shipped are: ${shipped}; ${yours}. For a file elsewhere give its path (./${name}.yaml)`;
    return new AuditError('file_not_found', message, { file: name, known: [...own] }, { cause });
  }

  /**
   * Where the user's own one of that name is. Throws `bad_argument` for one that comes with the package and
   * `file_not_found` for a name that there is not.
   */
  async requireOwn(name: string, action: 'changed' | 'deleted', folder = this.#own): Promise<NamedLocation> {
    const location = this.ownLocation(name, folder);
    if (await this.isThere(location)) return location;
    if (!(await this.shippedNames()).includes(name)) throw await this.unknown(name, folder);
    const message = `${name} comes with the package and is not ${action}; for one of your own: logit-audit ${this.#kind} create NAME --from ${name}`;
    throw new AuditError('bad_argument', message, { name });
  }

  /** Deletes the user's own one of that name. Errors: those of {@link requireOwn}, and `file_unwritable`. */
  async delete(name: string, folder = this.#own): Promise<NamedLocation> {
    const location = await this.requireOwn(name, 'deleted', folder);
    try {
      await rm(location.path);
    } catch (cause) {
      const message = `${location.path} cannot be deleted (${reason(cause)})`;
      throw new AuditError('file_unwritable', message, { file: location.path }, { cause });
    }
    return location;
  }
}

function isAbsent(cause: unknown): boolean {
  const { code } = cause as { code?: unknown };
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function reason(cause: unknown): string {
  const code = (cause as { code?: unknown }).code;
  return code === 'EISDIR' ? 'it is a folder' : String(code ?? cause);
}
