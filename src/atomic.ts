/**
 * Files that are there whole or not at all: written under another name in the same folder, synced, then renamed.
 */
import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AuditError } from './errors.ts';

/**
 * Writes `path` from pieces of text or bytes, making its folder if need be; what was there is replaced at the end. On any
 * fault, of the pieces too, nothing is left behind and the old file stays. Errors: `file_unwritable` for a path that
 * cannot be written, `internal` for a disk that fails; what the pieces throw passes through.
 */
export async function writeAtomic(
  path: string,
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  const handle = await attempt(path, async () => {
    await mkdir(dirname(path), { recursive: true });
    return open(temporary, 'wx');
  });
  try {
    try {
      for await (const piece of pieces) await attempt(path, () => writeAll(handle, piece));
      await attempt(path, () => handle.sync());
    } finally {
      await handle.close();
    }
    await attempt(path, () => rename(temporary, path));
  } catch (thrown) {
    await rm(temporary, { force: true });
    throw thrown;
  }
}

async function writeAll(handle: FileHandle, piece: string | Uint8Array): Promise<void> {
  await handle.writeFile(piece);
}

async function attempt<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    throw writeError(path, cause);
  }
}

const CALLERS_FAULT: ReadonlySet<unknown> = new Set([
  'EACCES',
  'EEXIST',
  'EISDIR',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOTDIR',
  'ENOTEMPTY',
  'EPERM',
  'EROFS',
]);

/** What the file system threw at writing, as an error of ours: `file_unwritable`, or `internal` for a disk that fails. */
export function writeError(path: string, cause: unknown): AuditError {
  const code = (cause as { code?: unknown }).code;
  if (CALLERS_FAULT.has(code)) {
    const message = `${path} cannot be written (${String(code)}); give a path in a folder that may be written to`;
    return new AuditError('file_unwritable', message, { file: path }, { cause });
  }
  const why = code === 'ENOSPC' ? 'the disk is full' : cause instanceof Error ? cause.message : String(cause);
  return new AuditError('internal', `writing ${path} failed: ${why}`, { file: path }, { cause });
}
