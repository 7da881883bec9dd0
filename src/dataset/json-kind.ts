/**
 * `.json` names two formats: one document, or JSON Lines. The beginning of the file tells which, up to the first thing
 * after its first line:
 *
 * - The first line is a whole value and more follows: JSON Lines.
 * - The first line is a whole value and all there is: an array is a document, and so is an object where the caller said
 *   at which of its keys the rows are; anything else is JSON Lines of one row.
 * - The first line begins an array that does not end on it: a document.
 * - The first line begins an object, and what follows continues it: a document. Where that cannot be, it is JSON
 *   Lines whose first line is broken.
 */
import { Readable } from 'node:stream';
import { documentRows, MAX_DOCUMENT_BYTES, type RowsAt, valueRows } from './json-document.ts';
import { isJsonSpace, jsonFault, OPEN_ARRAY, OPEN_OBJECT, skipSpace } from './json-scan.ts';
import { jsonlRows } from './jsonl.ts';
import { LINE_FEED, MARK } from './lines.ts';
import { joined } from './prelude.ts';
import type { DatasetRow } from './row.ts';

/**
 * The rows in `source`, numbered from `first`, whichever of the two it is. Of a file that is named JSON Lines, one that
 * holds an array of objects and nothing else is a document as well, and objects over several lines are rows.
 */
export async function* jsonRows(
  source: AsyncIterable<Buffer>,
  file: string,
  first = 0,
  rowsAt?: RowsAt,
  named: 'json' | 'jsonl' = 'json',
): AsyncGenerator<DatasetRow, void, undefined> {
  const chunks = source[Symbol.asyncIterator]();
  const head = await readHead(chunks);
  const all = joined(head.bytes, chunks);
  const lines = named === 'jsonl' && !beginsRows(head);
  if (named === 'jsonl' && head.bytes[head.start] === OPEN_OBJECT && isDocument(head, false)) {
    yield* valueRows(all, file, first, (bytes) => jsonlRows(Readable.from([bytes]), file, first));
  } else if (!lines && isDocument(head, rowsAt !== undefined))
    yield* documentRows(all, file, first, { rowsAt });
  else yield* jsonlRows(all, file, first);
}

interface Head {
  /** The file as far as it was read. */
  readonly bytes: Buffer;
  /** Index of the first byte that is no space, -1 if there is none; and of the end of its line. */
  readonly start: number;
  readonly lineEnd: number;
  /** Index of the first byte after that line that is no space, -1 if there is none. */
  readonly next: number;
}

/** Reads up to the first byte after the first line, or as much as a document may have. */
async function readHead(chunks: AsyncIterator<Buffer>): Promise<Head> {
  const read: Buffer[] = [];
  let size = 0;
  let start = -1;
  let lineEnd = -1;
  let next = -1;
  while (next === -1 && size <= MAX_DOCUMENT_BYTES) {
    const { done, value: chunk } = await chunks.next();
    if (done) break;
    for (let at = 0; at < chunk.length && next === -1; at++) {
      if (start !== -1 && lineEnd === -1) {
        at = chunk.indexOf(LINE_FEED, at);
        if (at === -1) break;
        lineEnd = size + at;
      } else if (!isJsonSpace(chunk[at]) && chunk[at] !== MARK[size + at]) {
        if (start === -1) start = size + at;
        else next = size + at;
      }
    }
    size += chunk.length;
    read.push(chunk);
  }
  return { bytes: Buffer.concat(read), start, lineEnd: lineEnd === -1 ? size : lineEnd, next };
}

/** An array of objects: of JSON Lines a row may be a list, but hardly one of these. */
function beginsRows({ bytes, start }: Head): boolean {
  return bytes[start] === OPEN_ARRAY && bytes[skipSpace(bytes, start + 1)] === OPEN_OBJECT;
}

function isDocument({ bytes, start, lineEnd, next }: Head, saysWhere: boolean): boolean {
  const lead = bytes[start];
  if (lead !== OPEN_ARRAY && lead !== OPEN_OBJECT) return false;
  const oneLine = next === -1;
  if (jsonFault(bytes.subarray(start, lineEnd)) === null)
    return oneLine && (lead === OPEN_ARRAY || saysWhere);
  if (lead === OPEN_ARRAY) return true;
  if (oneLine) return saysWhere;
  const begun = bytes.subarray(start, next + 1);
  const fault = jsonFault(begun);
  return fault === null || fault.at === begun.length;
}
