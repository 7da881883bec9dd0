/** The log of a run: a line a thing that happened, with its time. */
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, writeError } from '../../../files/atomic.ts';

export class RunLog {
  readonly #file: string;

  /** Throws `file_unwritable`. */
  constructor(file: string) {
    this.#file = file;
    makeFolder(path.dirname(file), file);
  }

  /** Throws `file_unwritable`, `storage_failed`. */
  write(message: string): void {
    try {
      appendFileSync(this.#file, `${new Date().toISOString()} ${message.replaceAll('\n', ' ')}\n`);
    } catch (cause) {
      throw writeError(this.#file, cause);
    }
  }
}
