/**
 * Files as bytes, with what can go wrong on the way told as errors of ours.
 */
import { createReadStream, statSync } from 'node:fs';
import { AuditError, toAuditError } from '../errors.ts';

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

/** What the file system threw, as an error of ours: `file_not_found` or `file_unreadable`. */
export function fileError(path: string, cause: unknown): AuditError {
  const code = (cause as { code?: unknown }).code;
  if (cause instanceof AuditError || typeof code !== 'string') return toAuditError(cause);
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new AuditError(
      'file_not_found',
      `${path}: no such file; check the path`,
      { file: path },
      { cause },
    );
  }
  const message = `${path} cannot be read (${code}); check its permissions`;
  return new AuditError('file_unreadable', message, { file: path }, { cause });
}
