/**
 * Physical lines to CSV records, by the quoting rules of RFC 4180. The CSV parser proper splits records into fields,
 * but loses its place at the first stray quote and takes the rows behind it for quoted text; framing the records first
 * keeps a bad one to itself, and gives each its line and byte offset.
 */
import type { PhysicalLine } from './lines.ts';
import { MAX_ROW_BYTES, withoutReturn } from './lines.ts';

export interface CsvRecord {
  /** First and last physical line, from 1. */
  readonly line: number;
  readonly lastLine: number;
  /** Byte offset of the record in the file. */
  readonly offset: number;
  /** The record without its line break; empty where there is a problem. */
  readonly bytes: Buffer;
  /** What breaks the record, continuing "row 3 (line 4) ", or null. */
  readonly problem: string | null;
}

const QUOTE = 34;
const LINE_FEED = Buffer.from('\n');

type State = 'start' | 'plain' | 'quoted' | 'closed' | 'stray quote' | 'text after quote';

/** The records of `lines` that are not blank. A broken one ends at the end of the line where it breaks. */
export async function* csvRecords(
  lines: AsyncIterable<PhysicalLine>,
  delimiter: string,
  maxBytes = MAX_ROW_BYTES,
): AsyncGenerator<CsvRecord, void, undefined> {
  const separator = delimiter.charCodeAt(0);
  let open: PhysicalLine[] = [];
  let size = 0;
  let last: PhysicalLine | null = null;
  for await (const line of lines) {
    const first = open[0] ?? line;
    if (open.length === 0 && !line.tooLong && isBlank(line.bytes, separator)) continue;
    size = (open.length === 0 ? 0 : size + 1) + line.bytes.length;
    const state = line.tooLong
      ? 'start'
      : scan(line.bytes, separator, open.length === 0 ? 'start' : 'quoted');
    const tooLong = line.tooLong || size > maxBytes;
    last = line;
    if (state === 'quoted') {
      // Of a record that is too long only its first line is kept, for its place.
      if (tooLong) open = [first];
      else open.push(line);
      continue;
    }
    const problem = tooLong ? overlong(maxBytes) : breakage(state);
    yield finish(first, line, problem === null ? [...open, line] : [], problem);
    open = [];
    size = 0;
  }
  if (open[0] !== undefined && last !== null) {
    const problem =
      size > maxBytes
        ? overlong(maxBytes)
        : 'opens a quote that is never closed; close it, or double it if it is text';
    yield finish(open[0], last, [], problem);
  }
}

function finish(
  first: PhysicalLine,
  last: PhysicalLine,
  lines: PhysicalLine[],
  problem: string | null,
): CsvRecord {
  const parts = lines.flatMap(({ bytes }, index) => (index === 0 ? [bytes] : [LINE_FEED, bytes]));
  const whole = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  const through = last.line > first.line ? ` (taken for one row up to line ${last.line})` : '';
  return {
    line: first.line,
    lastLine: last.line,
    offset: first.offset,
    bytes: withoutReturn(whole),
    problem: problem === null ? null : problem + through,
  };
}

/** Nothing but spaces; tabs count as such unless they separate fields. */
function isBlank(bytes: Buffer, separator: number): boolean {
  return bytes.every((byte) => byte !== separator && (byte === 32 || byte === 9 || byte === 13));
}

/** Reads one line from `state`; ends early at the first thing that RFC 4180 does not allow. */
function scan(bytes: Buffer, separator: number, state: State): State {
  // Most lines hold no quote at all, and looking for one is much faster than reading byte by byte.
  if (!bytes.includes(QUOTE)) return state === 'quoted' ? 'quoted' : 'plain';
  let now = state;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (now === 'quoted') {
      if (byte === QUOTE) now = 'closed';
    } else if (byte === separator) {
      now = 'start';
    } else if (byte === QUOTE) {
      if (now === 'plain') return 'stray quote';
      now = 'quoted';
    } else if (now === 'closed') {
      const lineEnd = byte === 13 && at === bytes.length - 1;
      if (!lineEnd) return 'text after quote';
    } else {
      now = 'plain';
    }
  }
  return now;
}

function breakage(state: State): string | null {
  if (state === 'stray quote') {
    return 'has a quote inside a field that is not quoted; quote the whole field and double the quote';
  }
  if (state === 'text after quote') {
    return 'has text right after a closing quote; double a quote that is text, or put a separator after it';
  }
  return null;
}

function overlong(maxBytes: number): string {
  return `is longer than ${maxBytes} bytes; look for a quote that is not closed`;
}
