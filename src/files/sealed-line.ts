/**
 * Lines of JSON that carry a checksum, so that a changed digit is seen when they are read again. The last member of
 * the object is `crc32`, in eight hexadecimal digits, over the bytes of the line in front of that member; in a file whose
 * lines have an order it continues the checksum of the line before, so a missing, doubled or moved line is seen too.
 */
import { crc32 } from 'node:zlib';

/** The checksum before the first line. */
export const NO_CRC = 0;

const SEAL = /,"crc32":"([0-9a-f]{8})"\}$/;

/** A line, without its line feed, and its checksum. */
export interface SealedLine {
  readonly line: string;
  readonly crc: number;
}

/** `json`: an object with at least one member, as text. */
export function sealLine(json: string, previous = NO_CRC): SealedLine {
  const body = json.slice(0, -1);
  const crc = crc32(body, previous);
  return { line: `${body},"crc32":"${crc.toString(16).padStart(8, '0')}"}`, crc };
}

export type OpenedLine =
  | { readonly kind: 'whole'; readonly json: string; readonly crc: number }
  /** `crc`: what the line says, which the next one continues. */
  | { readonly kind: 'damaged'; readonly crc: number }
  /** It names a checksum and has none that can be read: torn, or damaged at its end. */
  | { readonly kind: 'cut' }
  /** No checksum: written by an earlier version, or torn in front of it. */
  | { readonly kind: 'unsealed' };

/** Holds a line against its checksum. */
export function openLine(line: string, previous = NO_CRC): OpenedLine {
  const digits = SEAL.exec(line.slice(-SEAL_LENGTH))?.[1];
  // In a string of JSON the quotes would be escaped.
  if (digits === undefined) return { kind: line.includes('"crc32":') ? 'cut' : 'unsealed' };
  const body = line.slice(0, -SEAL_LENGTH);
  const crc = Number.parseInt(digits, 16);
  return crc32(body, previous) === crc ? { kind: 'whole', json: `${body}}`, crc } : { kind: 'damaged', crc };
}

const SEAL_LENGTH = ',"crc32":"00000000"}'.length;
