/** One writer a run: a lock in its folder. */
import path from 'node:path';
import { AuditError } from '../errors.ts';
import { takeLock } from '../lock.ts';

/**
 * Takes the folder for this process; what a killed one left is taken over. Returns what gives it back. Throws
 * `output_exists` where another process writes to it.
 */
export function lockFolder(folder: string): () => void {
  const lock = path.join(folder, '.lock');
  return takeLock(lock, (holder, remedy) => {
    const message = `another process writes to ${folder} (${holder}); ${remedy}`;
    return new AuditError('output_exists', message, { folder, lock });
  });
}
