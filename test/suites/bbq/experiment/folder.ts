/** A working folder with a table of the user's own. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../temporary.ts';

export interface TableFolder {
  readonly folder: string;
  readonly file: string;
  put(text: string): void;
  read(): string;
}

export function tableFolder(): TableFolder {
  const folder = join(temporaryFolder(), 'experiments');
  const file = join(folder, 'bbq.yaml');
  return {
    folder,
    file,
    put(text) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, text);
    },
    read: () => readFileSync(file, 'utf8'),
  };
}
