/** The value of what a scan found whole, with what was done to the text. */

import { createHash } from 'node:crypto';
import { normalised, type WholeScan } from './scan.ts';
import type { JsonAnswer, JsonValue, Note, NumberFault } from './types.ts';

/** The same text for values that are the same, and only for these. */
export function canonical(value: JsonValue): string {
  return JSON.stringify(value, (_key, part: JsonValue) => (isObject(part) ? sorted(part) : part));
}

function sorted(object: { readonly [key: string]: JsonValue }): unknown {
  return Object.fromEntries(
    Object.keys(object)
      .sort()
      .map((key) => [key, object[key]]),
  );
}

export function isObject(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keys in all objects of a value. */
export function countKeys(value: JsonValue): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, part) => sum + countKeys(part), 0);
  if (!isObject(value)) return 0;
  return Object.keys(value).reduce((sum, key) => sum + 1 + countKeys(value[key]!), 0);
}

/** Where a text has markers of a byte-level tokenizer; found once for a text, however many values are in it. */
export interface Markers {
  /** Index of the first and of the last; -1 without any. */
  readonly first: number;
  readonly last: number;
  /** There are spaces or line feeds that are none. */
  readonly spaced: boolean;
}

/** A value, and what is to be said of its numbers. */
export interface Parsed {
  readonly value: JsonValue;
  readonly notes: readonly Note[];
}

export function markersIn(text: string): Markers {
  const last = Math.max(text.lastIndexOf('Ġ'), text.lastIndexOf('Ċ'));
  return { first: text.search(/[ĠĊ]/), last, spaced: /[ \n]/.test(text) };
}

/** As `JSON.parse` makes it (of a key that is there twice the last counts), but for numbers that it cannot hold. */
export function parsed(text: string, scan: WholeScan, markers: Markers): Parsed {
  const read = (standIn?: (place: number) => string) => {
    const json = normalised(text, scan, standIn);
    return JSON.parse(inMarkers(scan, markers) ? withoutMarkers(json) : json) as JsonValue;
  };
  const faults = scan.edits.filter(({ number }) => number !== undefined);
  if (faults.length === 0) return { value: read(), notes: [] };
  const written = faults.map(({ from, to, number }) => ({ found: text.slice(from, to), fault: number! }));
  return withNumbers(read, written, standIns(text.slice(scan.start, scan.end)));
}

/** A text that is not in `json`, whatever escapes its strings have, as it is made of the whole of it; with the number. */
function standIns(json: string): (place: number) => string {
  const mark = createHash('sha256').update(json).digest('base64url');
  return (place) => `${mark}${place}`;
}

/** The value with null for a number that is not finite and its digits for one that is too large, and where they are. */
function withNumbers(
  read: (standIn: (place: number) => string) => JsonValue,
  written: readonly { readonly found: string; readonly fault: NumberFault }[],
  standIn: (place: number) => string,
): Parsed {
  const places = new Map(written.map((number, place) => [standIn(place), number]));
  const notes: Note[] = [];
  const replace = (value: JsonValue, path: string): JsonValue => {
    const number = typeof value === 'string' ? places.get(value) : undefined;
    if (number !== undefined) {
      const { found, fault } = number;
      notes.push({ code: fault, key: path, message: `${path} is ${shortened(found)}; ${MEANS[fault]}` });
      return fault === 'non_finite_number' ? null : found;
    }
    if (Array.isArray(value))
      return value.map((part, index) => replace(part as JsonValue, `${path}[${index}]`));
    if (!isObject(value)) return value;
    const members = Object.entries(value);
    return Object.fromEntries(
      members.map(([key, part]) => [key, replace(part, path === '' ? key : `${path}.${key}`)]),
    );
  };
  return {
    value: replace(
      read((place) => JSON.stringify(standIn(place))),
      '',
    ),
    notes,
  };
}

const SHOWN = 60;
const shortened = (found: string) => (found.length > SHOWN ? `${found.slice(0, SHOWN)}...` : found);

const MEANS: Readonly<Record<NumberFault, string>> = {
  non_finite_number: 'no finite number, read as null',
  unsafe_integer: 'beyond 2^53, where numbers blur; kept as the text of its digits',
};

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
