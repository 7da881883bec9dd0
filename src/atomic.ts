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
  const file = await openAtomic(path);
  try {
    for await (const piece of pieces) await file.write(piece);
  } catch (thrown) {
    await file.discard();
    throw thrown;
  }
  await file.commit();
}

/** A file that is written bit by bit, beside other work, and takes its place at the end. */
export interface AtomicFile {
  write(piece: string | Uint8Array): Promise<void>;
  /** Puts the file in its place; where that fails, nothing is left behind. */
  commit(): Promise<void>;
  /** Leaves nothing behind. */
  discard(): Promise<void>;
}

/** Opens the file that `commit` will put at `path`. Errors, of its methods too: those of {@link writeAtomic}. */
export async function openAtomic(path: string): Promise<AtomicFile> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  const handle = await attempt(path, async () => {
    await mkdir(dirname(path), { recursive: true });
    return open(temporary, 'wx');
  });
  async function discard(): Promise<void> {
    await handle.close();
    await rm(temporary, { force: true });
  }
  return {
    write: (piece) => attempt(path, () => writeAll(handle, piece)),
    async commit() {
      try {
        await attempt(path, () => handle.sync());
        await handle.close();
        await attempt(path, () => rename(temporary, path));
      } catch (thrown) {
        await discard();
        throw thrown;
      }
    },
    discard,
  };
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
