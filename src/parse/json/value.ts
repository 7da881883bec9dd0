/** The value of what a scan found whole, with what was done to the text. */
import { countKeys } from './same.ts';
import { normalised, type WholeScan } from './scan.ts';
import type { JsonAnswer, JsonValue, Note } from './types.ts';

/** As `JSON.parse` makes it: of a key that is there twice the last counts. */
export function parsed(text: string, scan: WholeScan): JsonValue {
  const json = normalised(text, scan);
  return JSON.parse(inMarkers(text, scan) ? withoutMarkers(json) : json) as JsonValue;
}

export function answer(text: string, scan: WholeScan, value: JsonValue, more: readonly Note[]): JsonAnswer {
  const { repairs, members } = scan;
  const notes = [...more];
  if (inMarkers(text, scan)) {
    const message =
      'markers of a tokenizer (U+0120, U+010A) were read as the space and line feed that they stand for';
    notes.push({ code: 'bpe_markers', message });
  }
  if (countKeys(value) < members) {
    notes.push({ code: 'duplicate_keys', message: 'a key is there twice in one object; the last counts' });
  }
  return { status: 'ok', value, repaired: repairs.length > 0, repairs, notes };
}

/**
 * Were spaces left as a byte-level tokenizer writes them? They are if markers part the pieces of the value, or stand
 * around it in a text without any other space. Those in a value alone are left: they are letters of Maltese too.
 */
function inMarkers(text: string, { markers, start, end }: WholeScan): boolean {
  if (markers) return true;
  if (/[ \n]/.test(text)) return false;
  return MARKER.test(text.slice(0, start)) || MARKER.test(text.slice(end));
}

const MARKER = /[ĠĊ]/;

function withoutMarkers(json: string): string {
  return json.replaceAll('Ġ', ' ').replaceAll('Ċ', '\\n');
}
