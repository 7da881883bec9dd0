/**
 * Says where bytes stop being UTF-8. Decoders replace what they cannot read and continue; a tool whose numbers depend on
 * the exact text must not.
 */
import { isUtf8 } from 'node:buffer';

/** Goes on after what is wrong: "row 3 (line 4) ", or the name of a file and a space. */
export interface EncodingFault {
  /** Byte offset in the file. */
  readonly at: number;
  readonly problem: string;
}

/** What is wrong with the encoding of `bytes`, which lie at `offset` in their file, or null if nothing is. */
export function encodingProblem(bytes: Uint8Array, offset: number): EncodingFault | null {
  if (isUtf8(bytes)) return null;
  const at = offset + firstInvalid(bytes);
  const byte = bytes[at - offset] ?? 0;
  const hex = byte.toString(16).toUpperCase().padStart(2, '0');
  // A byte-order mark of UTF-16 can only be the first thing in a file.
  const advice =
    at === 0 && byte >= 0xfe ? 'it looks like UTF-16: save the file as UTF-8' : 'save the file as UTF-8';
  return { at, problem: `is not UTF-8: byte 0x${hex} at byte offset ${at} of the file; ${advice}` };
}

/**
 * What keeps `bytes` from being text: their encoding, or a NUL. That one is UTF-8, but in a file of text it is the mark
 * of UTF-16, which would otherwise be read as letters with NULs between them.
 */
export function textProblem(bytes: Uint8Array, offset: number): EncodingFault | null {
  const encoding = encodingProblem(bytes, offset);
  if (encoding !== null) return encoding;
  const nul = bytes.indexOf(0);
  if (nul === -1) return null;
  const at = offset + nul;
  return { at, problem: `has a NUL at byte offset ${at} of the file; ${NUL_ADVICE}` };
}

export const NUL_ADVICE = 'it looks like UTF-16, or no text at all: save the file as UTF-8';

/** Index of the first byte of the first sequence that is not UTF-8; the length if there is none. */
export function firstInvalid(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return at;
}

/** Length of the valid sequence that starts at `at`, 0 if it is not valid (Unicode, table 3-7). */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  const length =
    lead >= 0xc2 && lead <= 0xdf ? 2 : (lead & 0xf0) === 0xe0 ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  // The second byte rules out overlong forms, surrogates and what lies above U+10FFFF.
  const second = bytes[at + 1]!;
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let i = at + 2; i < at + length; i++) if ((bytes[i]! & 0xc0) !== 0x80) return 0;
  return length;
}
