/** Small tables that a suite needs next to its data, such as statistics of occupations: read whole, and wholly right. */
import type { z } from 'zod';
import { AuditError } from '../errors.ts';
import { checkRow } from './check.ts';
import { type DatasetOptions, openDataset } from './dataset.ts';

/**
 * The rows of a file as the schema reads them; fields of CSV and TSV come as strings. Throws the error of the first bad
 * row (`data_malformed`, `row_invalid`), `data_empty` when there are none, and what `openDataset` throws.
 */
export async function tableFile<T>(
  path: string,
  schema: z.ZodType<T>,
  options: DatasetOptions = {},
): Promise<readonly T[]> {
  const records: T[] = [];
  for await (const row of openDataset(path, options).rows()) {
    const checked = checkRow(schema, row);
    if (!checked.ok) throw checked.error;
    records.push(checked.value);
  }
  if (records.length > 0) return records;
  throw new AuditError('data_empty', `${path} holds no rows; give a table with at least one`, { file: path });
}
