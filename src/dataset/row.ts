/**
 * What comes out of a data file: rows, each with the place where it stands, and either its value or the reason why it
 * has none. A bad row is told, not thrown: the rows behind it are still worth reading.
 */
import type { ErrorData } from '../errors.ts';
import { AuditError } from '../errors.ts';

export interface DatasetRow {
  /** Physical line, from 1, on which the row starts. */
  readonly line: number;
  /** Number of the row, from 0; blank lines and a CSV header are no rows. */
  readonly index: number;
  /** Any JSON value, or for CSV a record of strings by column; undefined where `error` is set. */
  readonly value: unknown;
  /** `data_malformed`: what is wrong with the row and where. */
  readonly error?: AuditError;
}

/** Where a row is: for messages and for the data of errors. */
export interface RowPlace {
  readonly file: string;
  readonly line: number;
  readonly index: number;
}

/** The row that could not be read; `problem` goes on after "row 3 (line 4) ". */
export function malformedRow(
  place: RowPlace,
  problem: string,
  data: ErrorData = {},
  cause?: unknown,
): DatasetRow {
  const { file, line, index } = place;
  const error = new AuditError(
    'data_malformed',
    `${file}: row ${index + 1} (line ${line}) ${problem}`,
    { file, line, index, ...data },
    cause === undefined ? undefined : { cause },
  );
  return { line, index, value: undefined, error };
}

/** Text out of a data file, fit for a message: short, and with control characters spelt out. */
export function quoteForMessage(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 60)}...` : text;
  return JSON.stringify(short);
}
