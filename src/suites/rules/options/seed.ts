/** The seed by which the options of a thread are shuffled: made of its pair's id, so that everybody gets the same order. */
import { createHash } from 'node:crypto';
import type { ThreadType } from '../thread-type.ts';

const BASE = 36n;
/** What Python takes for white space beside what JavaScript does: four separators and the next line. */
const MORE_SPACE = ['\u001c', '\u001d', '\u001e', '\u001f', '\u0085'].join('');
const SPACE = new RegExp(`^[\\s${MORE_SPACE}]+|[\\s${MORE_SPACE}]+$`, 'gu');
const FORM = /^(?<sign>[+-]?)(?<digits>[0-9a-z]+(?:_[0-9a-z]+)*)$/i;
const DECIMAL = /\p{Nd}/u;

/** Decimal digits of all scripts lie in runs of ten from their zero. */
function decimalValue(character: string): number {
  const at = character.codePointAt(0)!;
  let zero = at;
  while (DECIMAL.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (at - zero) % 10;
}

/**
 * The whole number that a text is in base 36, by Python's rules: capitals, blanks around, single underscores within, a sign
 * and decimal digits of other scripts are taken. Null for any other text.
 */
export function fromBase36(text: string): bigint | null {
  const plain = text.replace(SPACE, '').replace(/\p{Nd}/gu, (digit) => String(decimalValue(digit)));
  const { sign, digits } = FORM.exec(plain)?.groups ?? {};
  if (digits === undefined) return null;
  let value = 0n;
  for (const digit of digits.replaceAll('_', '')) value = value * BASE + BigInt(Number.parseInt(digit, 36));
  return sign === '-' ? -value : value;
}

function sha256Number(text: string): bigint {
  return BigInt(`0x${createHash('sha256').update(text, 'utf8').digest('hex')}`);
}

/** The id as a number in base 36 + SHA-256 of "ID_TYPE" as a number; null where the id is no such number. */
export function optionSeed(modCommentId: string, type: ThreadType): bigint | null {
  const id = fromBase36(modCommentId);
  return id === null ? null : id + sha256Number(`${modCommentId}_${type}`);
}

/** The same, but with SHA-256 of the id where it is no number in base 36: what examples are drawn by at random. */
export function drawSeed(modCommentId: string, type: ThreadType): bigint {
  const id = fromBase36(modCommentId) ?? sha256Number(modCommentId);
  return id + sha256Number(`${modCommentId}_${type}`);
}
