/**
 * Files as bytes, with what can go wrong on the way as errors of ours.
 */
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AuditError } from '../errors.ts';
import { fileError } from '../files/file-error.ts';

const CHUNK_BYTES = 256 * 1024;

/** Throws unless `path` is a file: `file_not_found`, or `file_unreadable` for a folder or anything else. */
export function checkFile(path: string): void {
  let kind: { isFile(): boolean; isDirectory(): boolean };
  try {
    kind = statSync(path);
  } catch (cause) {
    throw fileError(path, cause);
  }
  if (kind.isFile()) return;
  const what = kind.isDirectory() ? 'is a folder' : 'is not a regular file';
  throw new AuditError('file_unreadable', `${path} ${what}; give a file: it is read more than once`, {
    file: path,
  });
}

/**
 * Paths of the files in a folder (not below it) whose names `pattern` matches, by name in the order of code units.
 * `wanted` says in messages which files are meant. Throws `file_not_found` when there is none, `file_unreadable` when `folder` is no folder.
 */
export function filesIn(folder: string, pattern: RegExp, wanted = `whose name matches ${pattern}`): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ENOTDIR') throw fileError(folder, cause);
    throw new AuditError(
      'file_unreadable',
      `${folder} is no folder; give a folder, or open the file itself`,
      {
        file: folder,
      },
    );
  }
  const matching = names.filter((name) => name.search(pattern) !== -1).sort();
  const paths = matching
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  if (paths.length > 0) return paths;
  throw new AuditError('file_not_found', `${folder} holds no file ${wanted}; check the folder`, {
    file: folder,
    pattern: String(pattern),
  });
}

/** The bytes of a file, chunk by chunk; at least as far as they are asked for. */
export async function* readBytes(path: string): AsyncGenerator<Buffer, void, undefined> {
  checkFile(path);
  try {
    yield* createReadStream(path, { highWaterMark: CHUNK_BYTES });
  } catch (cause) {
    throw fileError(path, cause);
  }
}
