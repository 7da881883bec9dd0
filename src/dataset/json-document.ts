/**
 * One JSON document as rows: the elements of an array. The document is read whole and held against the grammar, so that
 * a fault is reported before the first row; of its values only the row that is asked for is made.
 */
import { AuditError } from '../errors.ts';
import {
  elementsAt,
  JsonFault,
  type JsonMember,
  type JsonSpan,
  jsonFault,
  membersAt,
  OPEN_ARRAY,
  OPEN_OBJECT,
  skipSpace,
  valuesIn,
} from './json-scan.ts';
import { columnOf, LINE_FEED, markLength } from './lines.ts';
import type { DatasetRow } from './row.ts';
import { quoteForMessage } from './row.ts';
import { encodingProblem, NUL_ADVICE } from './utf8.ts';

/** Longest document that is read, in bytes: it is in memory as long as its rows are read. */
export const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024;
const SHOWN_KEYS = 12;

/** Keys that lead to the array of the rows, several such ways in the order in which they are tried. */
export type RowsAt = readonly (readonly string[])[];

export interface DocumentOptions {
  readonly rowsAt?: RowsAt | undefined;
  readonly maxBytes?: number | undefined;
}

/**
 * The rows of the document in `source`, numbered from `first`: of a document that is an array its elements, of an
 * object the elements of the array at the first way of `rowsAt` that is there. Throws `data_malformed`.
 */
export async function* documentRows(
  source: AsyncIterable<Buffer>,
  file: string,
  first = 0,
  options: DocumentOptions = {},
): AsyncGenerator<DatasetRow, void, undefined> {
  const { rowsAt = [], maxBytes } = options;
  const { bytes, start } = await readDocument(source, file, maxBytes);
  if (start === bytes.length) return;
  const rows = elementsAt(bytes, bytes[start] === OPEN_ARRAY ? start : arrayAt(bytes, start, file, rowsAt));
  let index = first;
  let line = 1;
  let counted = 0;
  for (const { start: at, end } of rows) {
    line += lineFeeds(bytes.subarray(counted, at));
    counted = at;
    yield { file, line, index, value: JSON.parse(bytes.toString('utf8', at, end)) as unknown };
    index += 1;
  }
}

/**
 * The rows of values that stand one after another, each over several lines, as programs print JSON for reading; where
 * not even the first is whole, `otherwise` gives those of the bytes. Throws `data_malformed`, before the first row.
 */
export async function* valueRows(
  source: AsyncIterable<Buffer>,
  file: string,
  first: number,
  otherwise: (bytes: Buffer) => AsyncGenerator<DatasetRow, void, undefined>,
): AsyncGenerator<DatasetRow, void, undefined> {
  const bytes = await textOf(source, file, MAX_DOCUMENT_BYTES);
  const spans: JsonSpan[] = [];
  try {
    for (const span of valuesIn(bytes)) spans.push(span);
  } catch (thrown) {
    if (!(thrown instanceof JsonFault)) throw thrown;
    if (spans.length > 0) throw notJson(bytes, file, thrown);
    yield* otherwise(bytes);
    return;
  }
  let index = first;
  let line = 1;
  let counted = 0;
  for (const { start, end } of spans) {
    line += lineFeeds(bytes.subarray(counted, start));
    counted = start;
    yield { file, line, index, value: JSON.parse(bytes.toString('utf8', start, end)) as unknown };
    index += 1;
  }
}

/**
 * A whole document without its byte-order mark, held against the grammar, and where its value starts: at the end of the
 * bytes where there is none. Throws `data_malformed`.
 */
export async function readDocument(
  source: AsyncIterable<Buffer>,
  file: string,
  maxBytes = MAX_DOCUMENT_BYTES,
): Promise<{ readonly bytes: Buffer; readonly start: number }> {
  const bytes = await textOf(source, file, maxBytes);
  const start = skipSpace(bytes, 0);
  if (start === bytes.length) return { bytes, start };
  const fault = jsonFault(bytes);
  if (fault !== null) throw notJson(bytes, file, fault);
  return { bytes, start };
}

async function textOf(source: AsyncIterable<Buffer>, file: string, maxBytes: number): Promise<Buffer> {
  const whole = await readWhole(source, file, maxBytes);
  const mark = markLength(whole);
  const bytes = whole.subarray(mark);
  const encoding = encodingProblem(bytes, mark);
  if (encoding !== null) throw malformed(file, ` ${encoding.problem}`, { byteOffset: encoding.at });
  return bytes;
}

function lineFeeds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
}

async function readWhole(source: AsyncIterable<Buffer>, file: string, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > maxBytes) {
      throw malformed(
        file,
        ` is one JSON document of more than ${maxBytes} bytes, and is read whole; give JSON Lines, a row a line`,
        { maxBytes },
      );
    }
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** Where the array at the first way that is there lies, in a value that is JSON and no array. */
function arrayAt(bytes: Buffer, start: number, file: string, rowsAt: RowsAt): number {
  if (rowsAt.length === 0) {
    const there = keysSaid(bytes, start, []);
    const advice = 'give an array, or say by rowsAt where in it the rows are';
    throw malformed(file, ` is one JSON document and no array of rows; ${there}; ${advice}`);
  }
  const ends = new Set<string>();
  for (const way of rowsAt) {
    const { at, taken } = follow(bytes, start, way);
    if (taken < way.length) {
      ends.add(keysSaid(bytes, at, way.slice(0, taken)));
    } else if (bytes[at] === OPEN_ARRAY) {
      return at;
    } else {
      throw malformed(file, `: ${nameOf(way)} is no array; its elements are to be the rows`, { rowsAt: way });
    }
  }
  const problem = ` has no rows at ${rowsAt.map(nameOf).join(' or ')}; ${[...ends].join('; ')}`;
  throw malformed(file, problem, { rowsAt });
}

/** How far `way` leads from the value at `start`: where to, and how many of its keys are there. */
function follow(bytes: Buffer, start: number, way: readonly string[]): { at: number; taken: number } {
  let at = start;
  for (const [taken, key] of way.entries()) {
    // Of a key that is there twice the last counts, as for JSON.parse.
    const member = membersOf(bytes, at)?.findLast((candidate) => candidate.key === key);
    if (member === undefined) return { at, taken };
    at = member.start;
  }
  return { at, taken: way.length };
}

/** The members of the value at `at`, null if it is no object. */
function membersOf(bytes: Buffer, at: number): readonly JsonMember[] | null {
  return bytes[at] === OPEN_OBJECT ? [...membersAt(bytes, at)] : null;
}

function keysSaid(bytes: Buffer, at: number, way: readonly string[]): string {
  const where = way.length === 0 ? 'the document' : nameOf(way);
  const keys = membersOf(bytes, at)?.map(({ key }) => key);
  if (keys === undefined) return `${where} is no object`;
  if (keys.length === 0) return `${where} has no keys`;
  const more = keys.length - SHOWN_KEYS;
  const shown = keys.slice(0, SHOWN_KEYS).map(quoteForMessage).join(', ');
  return `${where} has the keys ${shown}${more > 0 ? ` and ${more} more` : ''}`;
}

function nameOf(way: readonly string[]): string {
  return way.join('.');
}

function notJson(bytes: Buffer, file: string, { at, expected }: JsonFault): AuditError {
  const column = columnOf(bytes, at);
  const line = 1 + lineFeeds(bytes.subarray(0, at));
  const found = at === bytes.length ? 'the file ends' : `found ${quoteForMessage(characterAt(bytes, at))}`;
  const advice = bytes[at] === 0 ? `; ${NUL_ADVICE}` : '';
  const message = ` is not valid JSON at line ${line}, column ${column}: ${found}, expected ${expected}${advice}`;
  return malformed(file, message, { line, column });
}

function characterAt(bytes: Buffer, at: number): string {
  return String.fromCodePoint(bytes.toString('utf8', at, at + 4).codePointAt(0)!);
}

function malformed(file: string, problem: string, data: Readonly<Record<string, unknown>> = {}): AuditError {
  return new AuditError('data_malformed', `${file}${problem}`, { file, ...data });
}
