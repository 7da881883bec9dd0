/** One writer a run: a file that says which process writes to the folder. */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { writeError } from '../atomic.ts';
import { AuditError } from '../errors.ts';

const LOCK = '.lock';

interface Owner {
  readonly pid: number;
  readonly host: string;
}

/** Null for a lock that is gone meanwhile or was torn. */
function ownerOf(file: string): Owner | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Owner;
  } catch {
    return null;
  }
}

/** Whether the process that the lock names is at work; one of another machine may be. */
function isAlive({ pid, host }: Owner): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === 'EPERM';
  }
}

function take(file: string): boolean {
  let handle: number;
  try {
    handle = openSync(file, 'wx');
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'EEXIST') return false;
    throw writeError(file, cause);
  }
  writeSync(handle, JSON.stringify({ pid: process.pid, host: hostname() } satisfies Owner));
  closeSync(handle);
  return true;
}

/**
 * Takes the folder for this process; a lock that a killed process left is taken over. Returns what gives it back. Throws
 * `output_exists` where another process writes to it.
 */
export function lockFolder(folder: string): () => void {
  const file = path.join(folder, LOCK);
  if (!take(file)) {
    const owner = ownerOf(file);
    if (owner && isAlive(owner)) {
      const message = `process ${owner.pid} on ${owner.host} writes to ${folder}; wait for it, or remove ${file} if it is no run`;
      throw new AuditError('output_exists', message, { folder, pid: owner.pid });
    }
    rmSync(file, { force: true });
    if (!take(file)) {
      const message = `another process has just taken ${folder}; wait for it`;
      throw new AuditError('output_exists', message, { folder });
    }
  }
  return () => rmSync(file, { force: true });
}
