/** One string of a text that is JSON or close to it: where it ends, and what must be changed so that it is one of JSON. */
import type { NumberFault, Repair } from './types.ts';

/** Characters from `from` up to, without, `to` are to be `text`. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** A number that JSON's readers cannot hold stands there; its value is put in later. */
  readonly number?: NumberFault;
}

/** Where changes are noted. */
export interface EditSink {
  edit(from: number, to: number, text: string, repair: Repair): void;
  number(from: number, to: number, fault: NumberFault): void;
}

export type StringScan =
  | { readonly ok: true; readonly end: number }
  /** `cut`: the text ends inside it. */
  | { readonly ok: false; readonly at: number; readonly cut: boolean; readonly expected: string };

const BACKSLASH = 92;
const QUOTE = 34;
const APOSTROPHE = 39;
const ESCAPES = new Set([...'"\\/bfnrt'].map((character) => character.charCodeAt(0)));
const LETTER_U = 117;
const RAW_SPACES = new Map([
  [9, '\\t'],
  [10, '\\n'],
  [13, '\\r'],
]);

interface Delimiter {
  readonly closers: readonly number[];
  readonly repair: Repair | null;
}

const codes = (characters: string) => [...characters].map((character) => character.charCodeAt(0));
const DOUBLE: Delimiter = { closers: codes('"'), repair: null };
const SINGLE: Delimiter = { closers: codes("'"), repair: 'single_quotes' };
/** Writers differ in which of the pair opens; one kind closes whichever of its own opened. */
const SMART: Delimiter = { closers: codes('“”'), repair: 'smart_quotes' };
const SMART_SINGLE: Delimiter = { closers: codes('‘’'), repair: 'smart_quotes' };
const DELIMITERS = new Map<number, Delimiter>([
  [QUOTE, DOUBLE],
  [APOSTROPHE, SINGLE],
  ...codes('“”„').map((code) => [code, SMART] as const),
  ...codes('‘’‚').map((code) => [code, SMART_SINGLE] as const),
]);

export function opensString(code: number): boolean {
  return DELIMITERS.has(code);
}

/** Reads the string that the quote at `start` opens. */
export function scanString(text: string, start: number, sink: EditSink): StringScan {
  const { closers, repair } = DELIMITERS.get(text.charCodeAt(start))!;
  if (repair !== null) sink.edit(start, start + 1, '"', repair);
  let mixed = -1;
  for (let at = start + 1; ; at++) {
    const code = text.charCodeAt(at);
    if (Number.isNaN(code)) {
      return mixed === -1 ? cut(at) : broken(mixed, 'a closing quote of the kind that opened the string');
    }
    if (closers.includes(code)) {
      if (repair !== null) sink.edit(at, at + 1, '"', repair);
      return { ok: true, end: at + 1 };
    }
    if (code === BACKSLASH) {
      const spelt = scanEscape(text, at, { closers, repair }, sink);
      if (!spelt.ok) return spelt;
      at = spelt.end - 1;
    } else if (code === QUOTE) {
      // Only within other quotes, which have been noted.
      if (mixed === -1 && endsPart(text, at + 1)) mixed = at;
      sink.edit(at, at + 1, '\\"', repair!);
    } else if (code < 32) {
      const spelt = RAW_SPACES.get(code);
      if (spelt === undefined) return broken(at, 'a string without control characters');
      sink.edit(at, at + 1, spelt, 'raw_newlines');
    }
  }
}

function scanEscape(text: string, at: number, { closers, repair }: Delimiter, sink: EditSink): StringScan {
  const escaped = text.charCodeAt(at + 1);
  if (Number.isNaN(escaped)) return cut(at + 1);
  if (ESCAPES.has(escaped)) return { ok: true, end: at + 2 };
  if (escaped === LETTER_U) return scanUnicode(text, at + 2);
  if (escaped === APOSTROPHE || closers.includes(escaped)) {
    sink.edit(at, at + 1, '', repair ?? 'escaped_apostrophes');
    return { ok: true, end: at + 2 };
  }
  return broken(at + 1, 'an escape of JSON');
}

function scanUnicode(text: string, from: number): StringScan {
  for (let at = from; at < from + 4; at++) {
    if (at >= text.length) return cut(at);
    if (!/[\da-fA-F]/.test(text[at]!)) return broken(at, 'a hexadecimal digit');
  }
  return { ok: true, end: from + 4 };
}

/** What follows is what follows a string. */
function endsPart(text: string, from: number): boolean {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n') at += 1;
  return at < text.length && ':,}]'.includes(text[at]!);
}

function cut(at: number): StringScan {
  return { ok: false, at, cut: true, expected: 'the rest of a string' };
}

function broken(at: number, expected: string): StringScan {
  return { ok: false, at, cut: false, expected };
}
