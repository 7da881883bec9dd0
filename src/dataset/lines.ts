/**
 * Bytes to physical lines. Knows no format: it only counts, so that everything above can say where it is. Holds one
 * line at a time, and of a line that is longer than any row may be it keeps nothing but the fact.
 */

/** Longest row that is read, in bytes; a file without line breaks must not fill the memory. */
export const MAX_ROW_BYTES = 64 * 1024 * 1024;

export const LINE_FEED = 10;
/** A byte-order mark in UTF-8. */
export const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export interface PhysicalLine {
  /** From 1. */
  readonly line: number;
  /** Byte offset of the line in the file. */
  readonly offset: number;
  /** Without its line feed; a carriage return in front of that is still there. Empty if `tooLong`. */
  readonly bytes: Buffer;
  readonly tooLong: boolean;
}

/** The lines of `source`, a UTF-8 byte-order mark taken off the first. A file that ends in a line feed has no line after it. */
export async function* physicalLines(
  source: AsyncIterable<Buffer>,
  maxBytes = MAX_ROW_BYTES,
): AsyncGenerator<PhysicalLine, void, undefined> {
  let parts: Buffer[] = [];
  let length = 0;
  let line = 1;
  let offset = 0;
  const add = (part: Buffer) => {
    length += part.length;
    if (length <= maxBytes) parts.push(part);
    else parts = [];
  };
  const take = (): PhysicalLine => {
    const tooLong = length > maxBytes;
    const whole = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    const marked = line === 1 ? markLength(whole) : 0;
    return { line, offset: offset + marked, bytes: whole.subarray(marked), tooLong };
  };
  for await (const chunk of source) {
    let start = 0;
    for (let feed = chunk.indexOf(LINE_FEED); feed !== -1; feed = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, feed));
      yield take();
      offset += length + 1;
      line += 1;
      start = feed + 1;
      parts = [];
      length = 0;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (length > 0) yield take();
}

/** How many bytes of the beginning of a file are a byte-order mark: 3 or 0. */
export function markLength(bytes: Uint8Array): 0 | 3 {
  return MARK.every((byte, at) => bytes[at] === byte) ? 3 : 0;
}

/** Which character of its line, from 1, the one at byte `at` of UTF-8 is. */
export function columnOf(bytes: Uint8Array, at: number): number {
  const start = bytes.subarray(0, at).lastIndexOf(LINE_FEED) + 1;
  let column = 1;
  for (let i = start; i < at; i++) if ((bytes[i]! & 0xc0) !== 0x80) column += 1;
  return column;
}

/** `bytes` without the carriage return at its end. */
export function withoutReturn(bytes: Buffer): Buffer {
  return bytes.at(-1) === 13 ? bytes.subarray(0, -1) : bytes;
}
