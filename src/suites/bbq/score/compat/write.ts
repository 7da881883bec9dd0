/** The original's tables as CSV files. */
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { AuditError } from '../../../../errors.ts';
import { writeAtomic } from '../../../../files/atomic.ts';
import type { Table } from './tables.ts';

/** Writes the tables below `folder`. Throws `bad_argument` for a category that makes no file name; of `writeAtomic`. */
export async function writeTables(folder: string, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables) checkName(name);
  for (const { name, bom, records } of tables) {
    const text = stringify(records as string[][], { record_delimiter: '\n', quoted_match: /\r/ });
    await writeAtomic(join(folder, name), [(bom ? '\uFEFF' : '') + text]);
  }
}

/** Categories come out of data, and name files here: none may lead elsewhere. */
function checkName(name: string): void {
  const parts = name.split('/');
  if (parts.length === 2 && !/[\\\p{Cc}]/u.test(name)) return;
  const message = `a category cannot be part of the file name ${JSON.stringify(name)}; rename it, or leave the mode out`;
  throw new AuditError('bad_argument', message, { name });
}
