/**
 * Tables as CSV (RFC 4180): a header, numbers in the shortest form that reads back as the same number, and an empty
 * cell where there is no value. Text can be guarded on request against spreadsheets that take it for a formula.
 */
import { stringify } from 'csv-stringify/sync';
import { AuditError } from '../errors.ts';
import { openAtomic, writeAtomic } from '../files/atomic.ts';
import type { Cell, Column, Row } from './table.ts';

/** Of a table's column, what a file needs. */
export type CsvColumn = Pick<Column, 'key' | 'header'>;

export interface CsvOptions {
  /**
   * Puts an apostrophe before text that a spreadsheet would run: text that begins with = + - @, a tab or a return, and is
   * no number. Left out: as {@link guardSpreadsheets} says.
   */
  readonly escapeFormulas?: boolean;
  /** Starts the file with a byte-order mark, by which some spreadsheets know UTF-8. */
  readonly bom?: boolean;
  /** Ends lines with a line feed alone, as programs on Unix write them, and not as RFC 4180 says. */
  readonly lineFeed?: boolean;
}

let guarded = false;

/**
 * Sets whether this process writes CSV files for spreadsheets: the default of `escapeFormulas`. A command writes its files
 * from many places, all for one reader, and decides once.
 */
export function guardSpreadsheets(on: boolean): void {
  guarded = on;
}

// Rows are turned into text in blocks: the writer has a price per call.
const BLOCK_ROWS = 512;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** The whole file as text. Errors: as of {@link writeCsv}, but for those of the disk. */
export function formatCsv(
  columns: readonly CsvColumn[],
  rows: Iterable<Row>,
  options: CsvOptions = {},
): string {
  const head = headOf(columns, options);
  const records = Array.from(rows, (row, index) => fieldsOf(columns, row, index, options));
  return head + lines(records, columns, options);
}

/**
 * Writes rows to `path`, in memory that does not grow with them; the file appears when it is whole. Errors:
 * `bad_argument` for no columns or two of one name, `not_finite` for a number that is none (absent is null), both
 * before the file is touched; those of `writeAtomic`.
 */
export async function writeCsv(
  path: string,
  columns: readonly CsvColumn[],
  rows: Iterable<Row> | AsyncIterable<Row>,
  options: CsvOptions = {},
): Promise<void> {
  await writeAtomic(path, csvPieces(columns, rows, options));
}

/** A CSV file that is written row by row, beside other work, and takes its place at the end. */
export interface CsvFile {
  write(row: Row): Promise<void>;
  /** Puts the file in its place. */
  commit(): Promise<void>;
  /** Leaves nothing behind. */
  discard(): Promise<void>;
}

/** Opens the file that `commit` will put at `path`. Errors, of its methods too: those of {@link writeCsv}. */
export async function openCsv(
  path: string,
  columns: readonly CsvColumn[],
  options: CsvOptions = {},
): Promise<CsvFile> {
  const head = headOf(columns, options);
  const file = await openAtomic(path);
  let block: string[][] = [];
  let index = 0;
  async function flush(): Promise<void> {
    if (block.length > 0) await file.write(lines(block, columns, options));
    block = [];
  }
  await file.write(head);
  return {
    async write(row) {
      block.push(fieldsOf(columns, row, index++, options));
      if (block.length >= BLOCK_ROWS) await flush();
    },
    async commit() {
      await flush();
      await file.commit();
    },
    discard: () => file.discard(),
  };
}

async function* csvPieces(
  columns: readonly CsvColumn[],
  rows: Iterable<Row> | AsyncIterable<Row>,
  options: CsvOptions,
): AsyncGenerator<string, void, undefined> {
  yield headOf(columns, options);
  let block: string[][] = [];
  let index = 0;
  for await (const row of rows) {
    block.push(fieldsOf(columns, row, index++, options));
    if (block.length < BLOCK_ROWS) continue;
    yield lines(block, columns, options);
    block = [];
  }
  if (block.length > 0) yield lines(block, columns, options);
}

function headOf(columns: readonly CsvColumn[], options: CsvOptions): string {
  const names = columns.map(({ key, header }) => header ?? key);
  if (names.length === 0)
    throw new AuditError('bad_argument', 'a CSV file needs at least one column; none was given');
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) {
    const message = `two columns of the CSV file are called "${twice}"; give each a header of its own`;
    throw new AuditError('bad_argument', message, { column: twice });
  }
  return (options.bom ? '\uFEFF' : '') + lines([names.map((name) => guard(name, options))], columns, options);
}

function fieldsOf(columns: readonly CsvColumn[], row: Row, index: number, options: CsvOptions): string[] {
  return columns.map(({ key }) => fieldOf(Object.hasOwn(row, key) ? row[key] : null, key, index, options));
}

function fieldOf(value: Cell, key: string, index: number, options: CsvOptions): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return guard(value, options);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new AuditError(
      'not_finite',
      `column "${key}" of row ${index + 1} is ${value}; a value that could not be had is null`,
      { column: key, index },
    );
  }
  return String(value);
}

function guard(text: string, options: CsvOptions): string {
  const { escapeFormulas = guarded } = options;
  return escapeFormulas && FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

function lines(
  records: readonly (readonly string[])[],
  columns: readonly CsvColumn[],
  { lineFeed = false }: CsvOptions,
): string {
  return stringify(records as string[][], {
    record_delimiter: lineFeed ? '\n' : '\r\n',
    // A lone return or line feed ends a line too, for whoever reads the file.
    quoted_match: /[\r\n]/,
    // A lone empty field would make a blank line, which is no row to most readers.
    quoted_empty: columns.length === 1,
  });
}
