/**
 * Files as bytes, with what can go wrong on the way told as errors of ours.
 */
import { createReadStream, statSync } from 'node:fs';
import { AuditError } from '../errors.ts';
import { fileError } from '../file-error.ts';

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

/** The bytes of a file, chunk by chunk; at least as far as they are asked for. */
export async function* readBytes(path: string): AsyncGenerator<Buffer, void, undefined> {
  checkFile(path);
  try {
    yield* createReadStream(path, { highWaterMark: CHUNK_BYTES });
  } catch (cause) {
    throw fileError(path, cause);
  }
}
