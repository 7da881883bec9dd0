/** One writer a run: a lock in its folder. */
import path from 'node:path';
import { AuditError } from '../errors.ts';
import { takeLock } from '../files/lock.ts';
import { LOCK } from './folder.ts';

/**
 * Takes the folder for this process; what a killed one left is taken over. Returns what gives it back. Throws
 * `output_exists` where another process writes to it.
 */
export function lockFolder(folder: string): () => void {
  const lock = path.join(folder, LOCK);
  return takeLock(lock, (holder) => {
    const message = `${folder} is written by ${holder}; wait for its end, or end it (if it is gone for certain, delete ${lock})`;
    return new AuditError('output_exists', message, { folder, lock });
  });
}
