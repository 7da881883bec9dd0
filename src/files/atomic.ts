/**
 * Files that are there whole or not at all: written under another name in the same folder, synced, then renamed.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { AuditError } from '../errors.ts';
import { type Life, lifeOfMark, newMark } from './living.ts';

/**
 * Writes `path` from pieces of text or bytes, making its folder if need be; what was there is replaced at the end. On any
 * fault, of the pieces too, nothing is left behind and the old file stays. Errors: `file_unwritable` for a path that
 * cannot be written, `storage_failed` for a disk that is full or fails; what the pieces throw passes through.
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

/** A file that is written bit by bit, beside other work, and takes its place at the end. Where a write fails, nothing is left behind. */
export interface AtomicFile {
  write(piece: string | Uint8Array): Promise<void>;
  /** Puts the file in its place. */
  commit(): Promise<void>;
  /** Leaves nothing behind but what {@link commit} has put in its place. May be called twice. */
  discard(): Promise<void>;
}

/**
 * Makes a folder and those above it, if need be, for the file `path`. Errors: those of {@link writeAtomic}. At once and not
 * in the background: there Node reports ENOENT where the disk is full.
 */
export function makeFolder(folder: string, path = folder): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw writeError(path, cause);
  }
}

/** Opens the file that `commit` will put at `path`. Errors, of its methods too: those of {@link writeAtomic}. */
export async function openAtomic(path: string): Promise<AtomicFile> {
  const temporary = temporaryName(path);
  makeFolder(dirname(path), path);
  clearOnce(resolve(dirname(path)));
  const handle = await attempt(path, () => open(temporary, 'wx'));
  async function discard(): Promise<void> {
    // What a failing disk says here comes second to the fault that led here.
    await handle.close().catch(() => undefined);
    await rm(temporary, { force: true }).catch(() => undefined);
  }
  async function orDiscard(action: () => Promise<void>): Promise<void> {
    try {
      await attempt(path, action);
    } catch (thrown) {
      await discard();
      throw thrown;
    }
  }
  return {
    write: (piece) => orDiscard(() => writeAll(handle, piece)),
    commit: () =>
      orDiscard(async () => {
        await handle.sync();
        await handle.close();
        await rename(temporary, path);
      }),
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
]);

/** Faults of the storage itself, which another path in the same place would meet too. */
const STORAGE: ReadonlyMap<unknown, string> = new Map([
  ['ENOSPC', 'the disk is full; make space'],
  ['EDQUOT', 'the quota of disk space is used up; make space'],
  ['EFBIG', 'the file would be larger than is allowed here (ulimit -f, or the file system); raise the limit'],
  ['EROFS', 'the file system is read-only; make it writable, or write elsewhere'],
  ['EIO', 'the disk reports an input/output error; check the disk'],
]);

/** Names of files until they are whole: in an earlier version without a mark of who writes them. */
const TEMPORARY = /^\.(.+)\.([0-9a-f]{28}|[0-9a-f]{12})\.tmp$/;

/** A name in the folder of `path` for what is to become `path`; it tells which process writes it. */
export function temporaryName(path: string): string {
  return join(dirname(path), `.${basename(path)}.${newMark()}.tmp`);
}

export interface Temporary {
  /** Name of the file that it was to become. */
  readonly intended: string;
  readonly writer: Life;
}

/** What the name of a file says of it; null for a file that is none of ours. */
export function readTemporary(file: string): Temporary | null {
  const [, intended, mark] = TEMPORARY.exec(file) ?? [];
  return intended === undefined ? null : { intended, writer: lifeOfMark(mark!) };
}

/** Removes the files in a folder that processes had not finished which are gone. A courtesy: its own faults are passed over. */
export function clearTemporaries(folder: string): void {
  try {
    for (const file of readdirSync(folder)) {
      if (readTemporary(file)?.writer === 'gone') rmSync(join(folder, file), { force: true });
    }
  } catch {
    // Whoever writes next tries again.
  }
}

const cleared = new Set<string>();

/** Once a process and folder: a checkpoint is written after every window. */
function clearOnce(folder: string): void {
  if (cleared.has(folder)) return;
  cleared.add(folder);
  clearTemporaries(folder);
}

/**
 * What the file system threw at writing, as an error of ours: `file_unwritable`, `storage_failed` for a disk that is full or
 * fails, `internal` for the rest. An error of ours passes through.
 */
export function writeError(path: string, cause: unknown): AuditError {
  if (cause instanceof AuditError) return cause;
  const code = (cause as { code?: unknown }).code;
  const storage = STORAGE.get(code);
  if (storage !== undefined) {
    const message = `${path} cannot be written: ${storage}, then run the command again (a run: with --resume)`;
    return new AuditError('storage_failed', message, { file: path, reason: code }, { cause });
  }
  if (CALLERS_FAULT.has(code)) {
    const message = `${path} cannot be written (${String(code)}); give a path in a folder that may be written to`;
    return new AuditError('file_unwritable', message, { file: path }, { cause });
  }
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AuditError('internal', `writing ${path} failed: ${why}`, { file: path }, { cause });
}
