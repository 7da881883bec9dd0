/**
 * A data file as rows, whatever its format. Rows are read as they are asked for: the memory used depends on the
 * longest row, not on the file.
 */
import { extname } from 'node:path';
import { AuditError } from '../errors.ts';
import { csvRows } from './csv.ts';
import { checkFile, readBytes } from './file.ts';
import { jsonlRows } from './jsonl.ts';
import type { DatasetRow } from './row.ts';

export type DatasetFormat = 'jsonl' | 'csv' | 'tsv';

const EXTENSIONS: Readonly<Record<string, DatasetFormat>> = {
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.json': 'jsonl',
  '.csv': 'csv',
  '.tsv': 'tsv',
};

export interface DatasetOptions {
  /** Told by the name of the file unless said. */
  readonly format?: DatasetFormat;
}

export interface Dataset {
  readonly path: string;
  readonly format: DatasetFormat;
  /**
   * The rows in order, from the start at every call. A row that cannot be read carries an `error` and the stream goes
   * on; it throws `data_malformed` for a CSV header that names no columns, `file_unreadable` when reading fails.
   */
  rows(): AsyncGenerator<DatasetRow, void, undefined>;
}

/** Opens a data file. Errors: `file_not_found`, `file_unreadable`, `bad_argument` when the format cannot be told. */
export function openDataset(path: string, options: DatasetOptions = {}): Dataset {
  const format = formatOf(path, options);
  checkFile(path);
  return { path, format, rows: () => readRows(readBytes(path), path, format) };
}

/** The rows in a stream of bytes. */
export function readRows(
  source: AsyncIterable<Buffer>,
  file: string,
  format: DatasetFormat,
): AsyncGenerator<DatasetRow, void, undefined> {
  if (format === 'jsonl') return jsonlRows(source, file);
  return csvRows(source, file, format === 'tsv' ? '\t' : ',');
}

function formatOf(path: string, options: DatasetOptions): DatasetFormat {
  const format = options.format ?? EXTENSIONS[extname(path).toLowerCase()];
  if (format !== undefined) return format;
  throw new AuditError(
    'bad_argument',
    `${path}: the format cannot be told from the name; give a file that ends in ${Object.keys(EXTENSIONS).join(', ')}, or say the format`,
    { file: path },
  );
}
