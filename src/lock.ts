/** That one process alone writes: a lock file, which names the process. A killed one leaves it behind. */
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { writeError } from './atomic.ts';
import type { AuditError } from './errors.ts';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Two locks of one process differ. */
  readonly token: string;
}

function codeOf(thrown: unknown): unknown {
  return (thrown as { code?: unknown }).code;
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // It is there, and another user's.
    return codeOf(thrown) === 'EPERM';
  }
}

/** Of a lock whose process is known to be gone. What cannot be read was being written: somebody is there. */
function isLeftBehind(text: string): boolean {
  let holder: Holder;
  try {
    holder = JSON.parse(text);
  } catch {
    return false;
  }
  return holder.host === hostname() && Number.isInteger(holder.pid) && !isAlive(holder.pid);
}

/** Takes a lock out of the way that was left behind as `text`; one that somebody else took meanwhile is put back. */
function clear(lock: string, text: string, token: string): void {
  const aside = `${lock}.${token}`;
  try {
    renameSync(lock, aside);
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return;
    throw thrown;
  }
  try {
    if (read(aside) !== text) linkSync(aside, lock);
  } catch (thrown) {
    if (codeOf(thrown) !== 'EEXIST') throw thrown;
  } finally {
    unlinkSync(aside);
  }
}

/**
 * Takes the lock file at `lock`; one that a dead process of this machine left is taken over. Returns what gives it back.
 * Throws what `held` makes where another process has it, and `file_unwritable`.
 */
export function takeLock(lock: string, held: () => AuditError): () => void {
  const token = randomBytes(6).toString('hex');
  const own = JSON.stringify({ pid: process.pid, host: hostname(), token } satisfies Holder);
  try {
    const before = read(lock);
    if (before !== null && isLeftBehind(before)) clear(lock, before, token);
    writeFileSync(lock, own, { flag: 'wx' });
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') throw held();
    throw writeError(lock, thrown);
  }
  return () => {
    // Nobody else's.
    if (read(lock) === own) unlinkSync(lock);
  };
}
