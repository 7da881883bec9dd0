/** What goes into the reading of JSON out of a model's text, and what comes out. */

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

/** Why there is no value. */
export type JsonFault =
  /** Nothing in the text is an object or an array, or is meant to be one. */
  | 'no_json'
  /** The text ends inside a value or inside a think block: the model was cut off. */
  | 'truncated'
  /** There is a value that breaks the rules of JSON, and that no light repair makes good. */
  | 'invalid_json'
  /** Several values that differ, and nothing tells which is the answer. */
  | 'multiple_objects';

/** What was changed so that the text is JSON; nothing of it takes away, adds or guesses a value. */
export const REPAIRS = [
  /** `[1, 2,]` */
  'trailing_commas',
  /** Typographic quotes around a string: “a”, „a“, ‘a’. */
  'smart_quotes',
  /** `'a'` */
  'single_quotes',
  /** True, False, None. */
  'python_literals',
  /** A line feed, carriage return or tab as it is inside a string. */
  'raw_newlines',
  /** `\'` inside a string in double quotes. */
  'escaped_apostrophes',
  /** No-break, zero-width and other spaces between the parts. */
  'odd_spaces',
] as const;
export type Repair = (typeof REPAIRS)[number];

/** What is wrong with a number that is written as one. */
export type NumberFault =
  /** NaN, Infinity, or a number too large for 64 bits: null. */
  | 'non_finite_number'
  /** A whole number beyond 2^53, where numbers blur: its digits, as a text. */
  | 'unsafe_integer';

export type NoteCode =
  | NumberFault
  /** Spaces and line feeds stood there as byte-level tokenizers spell them (U+0120, U+010A). */
  | 'bpe_markers'
  /** A key is there twice in one object; the last counts. */
  | 'duplicate_keys'
  /** The value ends the text of a think block that was never closed. */
  | 'unclosed_think'
  /** Of several values that differ, the first in a fence was taken, as asked for. */
  | 'first_fence'
  /** Of several values that differ, the last was taken, as asked for. */
  | 'last_object'
  /** Of several values that differ, one has the keys that are required. */
  | 'chosen_by_keys'
  /** The object was the only element of a list. */
  | 'list_of_one'
  /** NaN or Infinity was read as null, as the way of reading that was asked for lets it pass. */
  | 'nan_as_null'
  /** A soft field could not be read and was left out. */
  | 'field_dropped';

/** Something about the reading that its reader may want to know. */
export interface Note {
  readonly code: NoteCode;
  /** The key that is meant, where it is one; of a number the way to it (`a.b[0]`). */
  readonly key?: string;
  readonly message: string;
}

export type JsonAnswer =
  | {
      readonly status: 'ok';
      readonly value: JsonValue;
      /** `repairs` is not empty. */
      readonly repaired: boolean;
      readonly repairs: readonly Repair[];
      readonly notes: readonly Note[];
    }
  | { readonly status: JsonFault; readonly message: string };

/** What to do with several values that differ: no answer, or the first in a fence (none if none is), or the last. */
export const SEVERAL = ['refuse', 'first_fence', 'last'] as const;
export type Several = (typeof SEVERAL)[number];

export interface JsonOptions {
  /** Light repairs; without them, what needs one is `invalid_json`. Left out: true. */
  readonly repair?: boolean;
  /** Left out: `refuse`. */
  readonly several?: Several;
}
