/**
 * A look at the whole file before any work is done with it: its hash for the manifest, how many rows there are, and
 * the first that is not right, all in one pass.
 */
import { createHash } from 'node:crypto';
import { AuditError } from '../errors.ts';
import type { DatasetOptions } from './dataset.ts';
import { openDataset, readRows } from './dataset.ts';
import { readBytes } from './file.ts';
import type { DatasetRow } from './row.ts';

export interface SurveyOptions extends DatasetOptions {
  /** Look at the first `limit` rows only; hash and size are still of the whole file. */
  readonly limit?: number;
  /** A second opinion on each row that could be read. */
  readonly validate?: (row: DatasetRow) => AuditError | null;
}

export interface Survey {
  /** SHA-256 of the bytes of the file, in hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
  /** Rows looked at, those with an error included. */
  readonly rows: number;
  /** Rows that could not be read or that `validate` refused. */
  readonly invalid: number;
  readonly firstError?: AuditError;
}

/**
 * Reads the file once from end to end. Errors: those of `openDataset` and of its rows, `bad_argument` for a limit that
 * is no whole number from 1, `data_empty` when there are no rows.
 */
export async function surveyDataset(path: string, options: SurveyOptions = {}): Promise<Survey> {
  const { limit = Number.POSITIVE_INFINITY, validate = () => null } = options;
  if (options.limit !== undefined && (!Number.isSafeInteger(limit) || limit < 1)) {
    throw new AuditError('bad_argument', `limit is ${limit}; give a whole number from 1`, { limit });
  }
  const { format } = openDataset(path, options);
  const hash = createHash('sha256');
  let bytes = 0;
  const source = readBytes(path);
  const tapped: AsyncIterable<Buffer> & AsyncIterator<Buffer> = {
    [Symbol.asyncIterator]: () => tapped,
    next: async () => {
      const chunk = await source.next();
      if (chunk.done) return { done: true, value: undefined };
      hash.update(chunk.value);
      bytes += chunk.value.length;
      return chunk;
    },
    // No `return`: whoever stops asking for rows must not close the file, which is hashed to its end.
  };
  let rows = 0;
  let invalid = 0;
  let firstError: AuditError | null = null;
  try {
    for await (const row of readRows(tapped, path, format)) {
      rows += 1;
      const error = row.error ?? validate(row);
      if (error !== null) {
        invalid += 1;
        firstError ??= error;
      }
      if (rows >= limit) break;
    }
    for await (const _ of tapped) void _;
  } finally {
    await source.return();
  }
  if (rows === 0) {
    const what = bytes === 0 ? 'is empty' : 'holds no rows';
    throw new AuditError('data_empty', `${path} ${what}; give a file with at least one row`, {
      file: path,
      bytes,
    });
  }
  return { sha256: hash.digest('hex'), bytes, rows, invalid, ...(firstError === null ? {} : { firstError }) };
}
