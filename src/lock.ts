/**
 * That one process alone writes: a lock file, which names the process. It is there whole or not at all, and one that a
 * killed process left is replaced without a moment in which two processes hold it.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { writeError } from './atomic.ts';
import type { AuditError } from './errors.ts';
import { describeSelf, type Holder, ownTokens, parseHolder, presenceOf } from './lock-holder.ts';

/** A holder touches its lock this often. Read only where nothing else can be known: see {@link isLeftBehind}. */
const SIGN_MS = 5_000;
const SILENCE_MS = 60_000;
/** Deeper than this no run of killed take-overs goes. */
const MOST_CLAIMS = 8;
/** Of file systems without hard links. */
const NO_LINKS: readonly unknown[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES'];

function codeOf(thrown: unknown): unknown {
  return (thrown as { code?: unknown }).code;
}

function unlessMissing<T>(action: () => T): T | null {
  try {
    return action();
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}

const read = (path: string) => unlessMissing(() => readFileSync(path, 'utf8'));
const remove = (path: string) => unlessMissing(() => unlinkSync(path));

function writeSynced(path: string, text: string): void {
  const file = openSync(path, 'wx');
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } catch (thrown) {
    closeSync(file);
    remove(path);
    throw thrown;
  }
  closeSync(file);
}

/** Puts `text` at `path` if nothing is there; `prepared` is a file that holds it. */
function place(prepared: string, path: string, text: string): boolean {
  try {
    linkSync(prepared, path);
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') return false;
    if (!NO_LINKS.includes(codeOf(thrown))) throw thrown;
  }
  try {
    writeSynced(path, text);
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') return false;
    throw thrown;
  }
}

/** How long ago a lock was touched, by the clock that the file system has. */
function silence(lock: string, prepared: string): number {
  const then = unlessMissing(() => statSync(lock).mtimeMs);
  return then === null ? 0 : statSync(prepared).mtimeMs - then;
}

/**
 * Whether the process that wrote `text` is gone for certain. What is no holder's text has no living writer, since locks
 * appear whole. A process in another container cannot be asked for: it is gone once it has not touched its lock for a minute.
 */
function isLeftBehind(lock: string, text: string, prepared: string): boolean {
  const holder = parseHolder(text);
  if (holder === null) return true;
  const presence = presenceOf(holder);
  return presence === 'gone' || (presence === 'unseen' && silence(lock, prepared) > SILENCE_MS);
}

/**
 * Replaces the lock that was left behind as `text`. The right to do so is a lock too, named after that text, so of all who
 * find it one replaces it, and only while it is still there; a claim of a killed process is taken over the same way.
 */
function replace(lock: string, text: string, prepared: string, own: string, depth: number): boolean {
  const claim = `${lock}.${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
  if (depth === MOST_CLAIMS || !acquire(claim, `${prepared}.${depth}`, own, depth + 1)) return false;
  try {
    if (read(lock) !== text) return false;
    renameSync(prepared, lock);
    return true;
  } finally {
    remove(claim);
  }
}

/** `prepared`: name for a file of this process's own. */
function acquire(lock: string, prepared: string, own: string, depth = 0): boolean {
  writeSynced(prepared, own);
  try {
    if (place(prepared, lock, own)) return true;
    const text = read(lock);
    if (text === null) return place(prepared, lock, own);
    return isLeftBehind(lock, text, prepared) && replace(lock, text, prepared, own, depth);
  } finally {
    remove(prepared);
  }
}

function isGone(lock: string): boolean {
  const text = read(lock);
  if (text === null) return true;
  const holder = parseHolder(text);
  return holder === null || presenceOf(holder) === 'gone';
}

function describe(holder: Holder | null): string {
  if (holder === null) return 'another process';
  const { pid, host, since } = holder;
  return `process ${pid} on ${host.replace(/[^\w.-]/g, '?')}${since === undefined ? '' : `, since ${since.replace(/[^\w:.+-]/g, '?')}`}`;
}

/** Who holds a lock, and what can be done about it. */
function whatToDo(lock: string, holder: Holder | null): string {
  const presence = holder && presenceOf(holder);
  if (presence === 'elsewhere') {
    return `whether it still runs cannot be seen from here; if it does not, delete ${lock}`;
  }
  if (presence === 'unseen') {
    return 'it is in another container of this machine; if it was killed, try again in a minute';
  }
  return `wait for its end, or end it`;
}

/**
 * Takes the lock file at `lock`; one that a dead process of this machine left is taken over. Returns what gives it back.
 * Throws what `held` makes where another process has it, of who that is and what to do, and what {@link writeError} makes.
 */
export function takeLock(lock: string, held: (holder: string, remedy: string) => AuditError): () => void {
  const token = randomBytes(6).toString('hex');
  const own = JSON.stringify(describeSelf(token));
  let taken: boolean;
  try {
    ownTokens.add(token);
    taken = acquire(lock, `${lock}.${token}.tmp`, own);
    // Somebody else was replacing what a killed process left: who that is shows in a moment.
    for (let tries = 0; !taken && tries < 50 && isGone(lock); tries++) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      taken = acquire(lock, `${lock}.${token}.tmp`, own);
    }
  } catch (thrown) {
    ownTokens.delete(token);
    throw writeError(lock, thrown);
  }
  if (!taken) {
    ownTokens.delete(token);
    const holder = parseHolder(unlessFault(() => read(lock)) ?? '');
    throw held(describe(holder), whatToDo(lock, holder));
  }
  const sign = setInterval(() => {
    const now = new Date();
    unlessFault(() => utimesSync(lock, now, now));
  }, SIGN_MS);
  sign.unref();
  return () => {
    clearInterval(sign);
    ownTokens.delete(token);
    // Nobody else's. What cannot be removed is found to be left behind later: no fault in front of a better one.
    unlessFault(() => {
      if (read(lock) === own) unlinkSync(lock);
    });
  };
}

function unlessFault<T>(action: () => T): T | null {
  try {
    return action();
  } catch {
    return null;
  }
}
