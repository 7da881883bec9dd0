/**
 * CSV and TSV with a header: records of strings by column. Fields are split by csv-parse, records framed by
 * csv-record.ts; what is wrong with one row stays with that row, what is wrong with the header is thrown.
 */
import { parse } from 'csv-parse/sync';
import { AuditError } from '../errors.ts';
import type { CsvRecord } from './csv-record.ts';
import { csvRecords } from './csv-record.ts';
import { physicalLines } from './lines.ts';
import type { DatasetRow } from './row.ts';
import { malformedRow, quoteForMessage } from './row.ts';
import { textProblem } from './utf8.ts';

// Records go to the parser in blocks: it has a price per call.
const BLOCK_RECORDS = 256;
const BLOCK_BYTES = 256 * 1024;
const LINE_FEED = Buffer.from('\n');

/** A record with its fields, or with what is wrong with it. */
interface SplitRecord {
  readonly record: CsvRecord;
  readonly fields: readonly string[];
  readonly problem: string | null;
  readonly byteOffset?: number;
}

/** The rows of the CSV in `source`, numbered from `first`. Throws `data_malformed` when the header cannot name the columns. */
export async function* csvRows(
  source: AsyncIterable<Buffer>,
  file: string,
  delimiter: string,
  first = 0,
): AsyncGenerator<DatasetRow, void, undefined> {
  let columns: readonly string[] | null = null;
  let index = first;
  for await (const split of splitRecords(csvRecords(physicalLines(source), delimiter), delimiter)) {
    if (columns === null) {
      columns = readHeader(split, file);
      continue;
    }
    yield readRow(split, columns, file, index);
    index += 1;
  }
}

function readRow(split: SplitRecord, columns: readonly string[], file: string, index: number): DatasetRow {
  const { record, fields, problem, byteOffset } = split;
  const place = { file, line: record.line, index };
  if (problem !== null) {
    const data = byteOffset === undefined ? {} : { byteOffset };
    return malformedRow(place, problem, { ...data, lastLine: record.lastLine });
  }
  if (fields.length !== columns.length) {
    const columnsSaid = `${fields.length} ${fields.length === 1 ? 'column' : 'columns'}`;
    return malformedRow(
      place,
      `has ${columnsSaid}, the header has ${columns.length}; quote fields that hold a separator, and leave none out`,
      { columns: fields.length, expected: columns.length },
    );
  }
  // fromEntries defines keys of the row itself, whatever their name ("__proto__" included).
  const value = Object.fromEntries(columns.map((column, at) => [column, fields[at]!]));
  return { ...place, value };
}

function readHeader(split: SplitRecord, file: string): readonly string[] {
  const { record, fields, problem } = split;
  const fault = problem ?? headerProblem(fields);
  if (fault === null) return fields;
  throw new AuditError('data_malformed', `${file}: the header (line ${record.line}) ${fault}`, {
    file,
    line: record.line,
  });
}

/**
 * The first column may go without a name: published files (CrowS-Pairs is one) keep the row labels of a data frame
 * there, and they are read under the key "". Any other must have one.
 */
function headerProblem(fields: readonly string[]): string | null {
  const seen = new Map<string, number>();
  for (const [at, name] of fields.entries()) {
    const labels = at === 0 && name === '' && fields.length > 1;
    if (name.trim() === '' && !labels) return `has no name for column ${at + 1}; name every column`;
    const first = seen.get(name);
    if (first !== undefined) {
      return `names columns ${first + 1} and ${at + 1} both ${quoteForMessage(name)}; give each a name of its own`;
    }
    seen.set(name, at);
  }
  return null;
}

async function* splitRecords(
  records: AsyncIterable<CsvRecord>,
  delimiter: string,
): AsyncGenerator<SplitRecord, void, undefined> {
  let block: CsvRecord[] = [];
  let size = 0;
  let first = true;
  for await (const record of records) {
    block.push(record);
    size += record.bytes.length;
    // The header goes alone: a fault in it ends the file before any row is read.
    if (!first && block.length < BLOCK_RECORDS && size < BLOCK_BYTES) continue;
    yield* splitBlock(block, delimiter);
    block = [];
    size = 0;
    first = false;
  }
  yield* splitBlock(block, delimiter);
}

function splitBlock(block: readonly CsvRecord[], delimiter: string): SplitRecord[] {
  const checked = block.map((record): SplitRecord => {
    if (record.problem !== null) return { record, fields: [], problem: record.problem };
    const fault = textProblem(record.bytes, record.offset);
    if (fault === null) return { record, fields: [], problem: null };
    return { record, fields: [], problem: fault.problem, byteOffset: fault.at };
  });
  const sound = checked.filter(({ problem }) => problem === null);
  if (sound.length === 0) return checked;
  const rows = parseFields(
    sound.map(({ record }) => record.bytes),
    delimiter,
  );
  let next = 0;
  return checked.map((split) => (split.problem === null ? { ...split, fields: rows[next++]! } : split));
}

/** One array of fields for each record. */
function parseFields(records: readonly Buffer[], delimiter: string): string[][] {
  const rows = parse(Buffer.concat(records.flatMap((bytes) => [bytes, LINE_FEED])), {
    bom: false,
    delimiter,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
  }) as string[][];
  if (rows.length !== records.length) {
    throw new AuditError('internal', `${records.length} CSV records were split into ${rows.length} rows`);
  }
  return rows;
}
