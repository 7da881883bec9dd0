/**
 * What comes out of a data file: rows, each with the place where it stands, and either its value or the reason why it
 * has none. A bad row is reported, not thrown: the rows behind it are still worth reading.
 */
import type { ErrorData } from '../errors.ts';
import { AuditError } from '../errors.ts';

export interface DatasetRow {
  /** Path of the file that the row comes from, as it was given. */
  readonly file: string;
  /** Physical line of that file, from 1, on which the row starts. */
  readonly line: number;
  /** Number of the row, from 0, through all files of the data set; blank lines and CSV headers are no rows. */
  readonly index: number;
  /** Any JSON value, for CSV a record of strings by column, for text `{ text }`; undefined where `error` is set. */
  readonly value: unknown;
  /** What is wrong with the row and where: `data_malformed`, or `row_invalid` for an id that an earlier row has. */
  readonly error?: AuditError;
}

/** Where a row is: for messages and for the data of errors. */
export type RowPlace = Pick<DatasetRow, 'file' | 'line' | 'index'>;

/** The row that could not be read; `problem` continues "row 3 (line 4) ". */
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
  return { file, line, index, value: undefined, error };
}

/** Text out of a data file, fit for a message: short, and with control characters spelt out. */
export function quoteForMessage(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 60)}...` : text;
  return JSON.stringify(short);
}
