/**
 * CSV and TSV with a header: records of strings by column. Fields are split by csv-parse, records framed by
 * csv-record.ts; what is wrong with one row stays with that row, what is wrong with the header is thrown.
 */
import { parse } from 'csv-parse/sync';
import { AuditError } from '../errors.ts';
import type { CsvRecord } from './csv-record.ts';
import { csvRecords } from './csv-record.ts';
import { guessSeparator, namedSeparator } from './delimiter.ts';
import { type PhysicalLine, physicalLines } from './lines.ts';
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

/** The columns of a file, and how its rows are to be held against them. */
interface Header {
  readonly columns: readonly string[];
  /** Fields without a name behind the last column; in rows they are empty. */
  readonly unnamed: number;
  /** A space follows each separator, and is none of a field's. */
  readonly spaced: boolean;
}

/**
 * The rows of the CSV in `source`, numbered from `first`. `usual` is the separator that the file's name says. Throws
 * `data_malformed` when the header cannot name the columns.
 */
export async function* csvRows(
  source: AsyncIterable<Buffer>,
  file: string,
  usual: string,
  first = 0,
): AsyncGenerator<DatasetRow, void, undefined> {
  let header: Header | null = null;
  let index = first;
  const { delimiter, lines } = await withSeparator(physicalLines(source), usual);
  for await (const split of splitRecords(csvRecords(lines, delimiter), delimiter)) {
    if (header === null) {
      header = readHeader(split, file);
      continue;
    }
    yield readRow(split, header, file, index);
    index += 1;
  }
}

/** Lines at the head of the file that are looked at for the separator, as long as they are short. */
const HEAD_LINES = 200;
const HEAD_BYTES = 1024 * 1024;

async function withSeparator(
  source: AsyncGenerator<PhysicalLine, void, undefined>,
  usual: string,
): Promise<{ delimiter: string; lines: AsyncIterable<PhysicalLine> }> {
  const head: PhysicalLine[] = [];
  let size = 0;
  while (head.length < HEAD_LINES && size < HEAD_BYTES) {
    const { done, value } = await source.next();
    if (done) break;
    head.push(value);
    size += value.bytes.length;
  }
  const named = head[0] === undefined ? null : namedSeparator(head[0].bytes);
  if (named !== null) head.shift();
  const lines = async function* () {
    try {
      yield* head;
      yield* source;
    } finally {
      await source.return();
    }
  };
  return { delimiter: named ?? guessSeparator(head, usual), lines: lines() };
}

function readRow(split: SplitRecord, header: Header, file: string, index: number): DatasetRow {
  const { record, fields, problem, byteOffset } = split;
  const place = { file, line: record.line, index };
  if (problem !== null) {
    const data = byteOffset === undefined ? {} : { byteOffset };
    return malformedRow(place, problem, { ...data, lastLine: record.lastLine });
  }
  const { columns, spaced } = header;
  const extra = fields.slice(columns.length);
  const empty = extra.every((field) => field.trim() === '');
  if (fields.length < columns.length || !empty) {
    if (!empty && extra.length <= header.unnamed) {
      const at = columns.length + extra.findIndex((field) => field.trim() !== '') + 1;
      return malformedRow(
        place,
        `has a value in column ${at}, which the header does not name; name the column`,
      );
    }
    const columnsSaid = `${fields.length} ${fields.length === 1 ? 'column' : 'columns'}`;
    return malformedRow(
      place,
      `has ${columnsSaid}, the header has ${columns.length}; quote fields that hold a separator, and leave none out`,
      { columns: fields.length, expected: columns.length },
    );
  }
  // fromEntries defines keys of the row itself, whatever their name ("__proto__" included).
  const value = Object.fromEntries(
    columns.map((column, at) => [column, spaced && at > 0 ? unspaced(fields[at]!) : fields[at]!]),
  );
  return { ...place, value };
}

/** Spaces, and marks that cannot be seen, around a name. */
const OUTER_SPACE = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu;

function unspaced(field: string): string {
  return field.startsWith(' ') ? field.slice(1) : field;
}

function readHeader(split: SplitRecord, file: string): Header {
  const { record, fields, problem } = split;
  const names = fields.map((field) => field.replace(OUTER_SPACE, ''));
  const named = names.findLastIndex((name) => name !== '') + 1;
  const columns = names.slice(0, Math.max(named, 1));
  const fault = problem ?? headerProblem(columns);
  const spaced = fields.length > 1 && fields.slice(1, columns.length).every((field) => /^ \S/.test(field));
  if (fault === null) return { columns, unnamed: names.length - columns.length, spaced };
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
