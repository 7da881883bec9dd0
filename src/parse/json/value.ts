/** The value of what a scan found whole, with what was done to the text. */
import { countKeys } from './same.ts';
import { normalised, type WholeScan } from './scan.ts';
import type { JsonAnswer, JsonValue, Note } from './types.ts';

/** Where a text has markers of a byte-level tokenizer; found once for a text, however many values are in it. */
export interface Markers {
  /** Index of the first and of the last; -1 without any. */
  readonly first: number;
  readonly last: number;
  /** There are spaces or line feeds that are none. */
  readonly spaced: boolean;
}

export function markersIn(text: string): Markers {
  const last = Math.max(text.lastIndexOf('Ġ'), text.lastIndexOf('Ċ'));
  return { first: text.search(/[ĠĊ]/), last, spaced: /[ \n]/.test(text) };
}

/** As `JSON.parse` makes it: of a key that is there twice the last counts. */
export function parsed(text: string, scan: WholeScan, markers: Markers): JsonValue {
  const json = normalised(text, scan);
  return JSON.parse(inMarkers(scan, markers) ? withoutMarkers(json) : json) as JsonValue;
}

export function answer(
  value: JsonValue,
  scan: WholeScan,
  { markers, more }: { readonly markers: Markers; readonly more: readonly Note[] },
): JsonAnswer {
  const { repairs, members } = scan;
  const notes = [...more];
  if (inMarkers(scan, markers)) {
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
function inMarkers({ markers, start, end }: WholeScan, { first, last, spaced }: Markers): boolean {
  if (markers) return true;
  return !spaced && first !== -1 && (first < start || last >= end);
}

function withoutMarkers(json: string): string {
  return json.replaceAll('Ġ', ' ').replaceAll('Ċ', '\\n');
}
