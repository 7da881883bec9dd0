/**
 * Data files as rows, whatever their format, several as one. Rows are read as they are asked for: the memory used
 * depends on the longest row, not on the file (but a JSON document is read whole).
 */
import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { AuditError } from '../errors.ts';
import { csvRows } from './csv.ts';
import { checkFile, readBytes } from './file.ts';
import { documentRows, type RowsAt } from './json-document.ts';
import { jsonRows } from './json-kind.ts';
import { type TextKind, textBytes } from './prelude.ts';
import type { DatasetRow } from './row.ts';
import { textRows } from './text.ts';

/** `json` is one document; `text` is a row a line. */
export type DatasetFormat = 'jsonl' | 'json' | 'csv' | 'tsv' | 'text';

/** The name `.json` does not say whether the file is one document or JSON Lines; its content does. */
type NamedFormat = DatasetFormat | 'json or jsonl';

const KINDS: Readonly<Record<NamedFormat, TextKind>> = {
  jsonl: 'json',
  json: 'json',
  'json or jsonl': 'json',
  csv: 'csv',
  tsv: 'csv',
  text: 'text',
};

const EXTENSIONS: Readonly<Record<string, NamedFormat>> = {
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.json': 'json or jsonl',
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.txt': 'text',
  // WinoBias names its two halves so.
  '.txt.dev': 'text',
  '.txt.test': 'text',
};

export interface DatasetOptions {
  /** Of all files; by default by the name of each. */
  readonly format?: DatasetFormat;
  /**
   * Where the rows of a JSON document are that is an object: lists of keys, of which the first counts that is there,
   * such as `[['data', 'intrasentence'], ['rows']]`.
   */
  readonly rowsAt?: RowsAt;
  /** Of what is read as a row, the values that are rows, each of its place; default: it is one itself. */
  readonly unfold?: (value: unknown) => readonly unknown[];
}

export interface Dataset {
  /** The files in the order in which their rows come. */
  readonly files: readonly string[];
  /**
   * The rows in order, from the start at every call. A row that cannot be read carries an `error` and the stream goes
   * on; it throws `data_malformed` for a CSV header that names no columns and for a JSON document that is not valid or
   * has no rows where they should be, `file_unreadable` when reading fails.
   */
  rows(): AsyncGenerator<DatasetRow, void, undefined>;
}

/** A file and how to read it. */
export interface DataFile {
  readonly path: string;
  readonly format: NamedFormat;
}

/**
 * Opens a data file, or several as one data set. Errors: `file_not_found`, `file_unreadable`, `bad_argument` when a
 * format is unknown, a file is given twice or none is given.
 */
export function openDataset(paths: string | readonly string[], options: DatasetOptions = {}): Dataset {
  const files = dataFiles(paths, options);
  return { files: files.map(({ path }) => path), rows: () => rowsOfAll(files, options) };
}

/** What {@link openDataset} checks before anything is read. */
export function dataFiles(paths: string | readonly string[], options: DatasetOptions): readonly DataFile[] {
  const all = typeof paths === 'string' ? [paths] : paths;
  if (all.length === 0) throw new AuditError('bad_argument', 'no data file is given; give at least one');
  const seen = new Map<string, string>();
  return all.map((path) => {
    checkFile(path);
    const format = options.format ?? formatByName(path);
    const real = realpathSync(path);
    const earlier = seen.get(real);
    if (earlier !== undefined) {
      const said = earlier === path ? path : `${earlier} and ${path} are one file, which`;
      throw new AuditError('bad_argument', `${said} is given twice; give each data file once`, {
        file: path,
      });
    }
    seen.set(real, path);
    return { path, format };
  });
}

async function* rowsOfAll(
  files: readonly DataFile[],
  options: DatasetOptions,
): AsyncGenerator<DatasetRow, void, undefined> {
  let first = 0;
  for (const file of files) {
    for await (const row of readRows(readBytes(file.path), file, options, first)) {
      yield row;
      first = row.index + 1;
    }
  }
}

/** The rows in a stream of the bytes of one file, numbered from `first`. */
export function readRows(
  source: AsyncIterable<Buffer>,
  file: DataFile,
  { rowsAt, unfold }: Pick<DatasetOptions, 'rowsAt' | 'unfold'> = {},
  first = 0,
): AsyncGenerator<DatasetRow, void, undefined> {
  const rows = rowsAsRead(textBytes(source, file.path, KINDS[file.format]), file, rowsAt, first);
  return unfold ? unfolded(rows, unfold, first) : rows;
}

async function* unfolded(
  rows: AsyncIterable<DatasetRow>,
  unfold: NonNullable<DatasetOptions['unfold']>,
  first: number,
): AsyncGenerator<DatasetRow, void, undefined> {
  let index = first;
  for await (const row of rows) {
    const values = row.error === undefined ? unfold(row.value) : [row.value];
    for (const value of values) {
      yield { ...row, value, index };
      index += 1;
    }
  }
}

function rowsAsRead(
  source: AsyncIterable<Buffer>,
  { path, format }: DataFile,
  rowsAt: DatasetOptions['rowsAt'],
  first: number,
): AsyncGenerator<DatasetRow, void, undefined> {
  switch (format) {
    case 'jsonl':
      return jsonRows(source, path, first, rowsAt, 'jsonl');
    case 'json':
      return documentRows(source, path, first, { rowsAt });
    case 'json or jsonl':
      return jsonRows(source, path, first, rowsAt);
    case 'csv':
      return csvRows(source, path, ',', first);
    case 'tsv':
      return csvRows(source, path, '\t', first);
    case 'text':
      return textRows(source, path, first);
  }
}

function formatByName(path: string): NamedFormat {
  const name = basename(path).toLowerCase();
  const extension = Object.keys(EXTENSIONS).find((end) => name.endsWith(end));
  if (extension !== undefined) return EXTENSIONS[extension]!;
  throw new AuditError(
    'bad_argument',
    `${path}: the name does not say the format; give a file that ends in ${Object.keys(EXTENSIONS).join(', ')}, or say the format`,
    { file: path },
  );
}
