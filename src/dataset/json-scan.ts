/**
 * Where things stand in JSON: the first fault of a text, and the spans of an array's elements or an object's members.
 * Values are parsed by the platform; this only walks over them, because the platform does not say where a value lies
 * and says where a fault lies only sometimes. Works on bytes that are known to be UTF-8; no depth is too deep for it.
 */

/** Where a text stops being JSON; where that is its very end, the text is only the beginning of a value. */
export class JsonFault extends Error {
  override readonly name = 'JsonFault';

  constructor(
    /** Byte index. */
    readonly at: number,
    /** What could stand there, continuing "expected ". */
    readonly expected: string,
  ) {
    super(`expected ${expected} at ${at}`);
  }
}

/** Bytes of a value: from `start` up to, without, `end`. */
export interface JsonSpan {
  readonly start: number;
  readonly end: number;
}

export interface JsonMember extends JsonSpan {
  readonly key: string;
}

const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
const POINT = 46;
const COLON = 58;
export const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
export const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const LETTER_U = 117;
const LITERALS = new Map(['true', 'false', 'null'].map((word) => [word.charCodeAt(0), Buffer.from(word)]));
const ESCAPES = new Set(Buffer.from('"\\/bfnrtu'));

/** Space, tab, line feed, carriage return: the space between the parts of JSON. */
export function isJsonSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9;
}

/** The first fault of `bytes` as one JSON value with nothing but space around it, or null if they are one. */
export function jsonFault(bytes: Uint8Array): JsonFault | null {
  try {
    const rest = skipSpace(bytes, endOfValue(bytes, 0));
    return rest < bytes.length ? new JsonFault(rest, 'nothing more') : null;
  } catch (thrown) {
    if (thrown instanceof JsonFault) return thrown;
    throw thrown;
  }
}

/**
 * The values of a text that is one after another, with nothing but space between them. Throws {@link JsonFault} where
 * that ends.
 */
export function* valuesIn(bytes: Uint8Array): Generator<JsonSpan, void, undefined> {
  for (let start = skipSpace(bytes, 0); start < bytes.length; ) {
    const end = endOfValue(bytes, start);
    yield { start, end };
    start = skipSpace(bytes, end);
  }
}

/** The elements of the array at `at`, in JSON without a fault. */
export function* elementsAt(bytes: Uint8Array, at: number): Generator<JsonSpan, void, undefined> {
  let start = skipSpace(bytes, at + 1);
  if (bytes[start] === CLOSE_ARRAY) return;
  for (;;) {
    const end = endOfValue(bytes, start);
    yield { start, end };
    const separator = skipSpace(bytes, end);
    if (bytes[separator] === CLOSE_ARRAY) return;
    start = skipSpace(bytes, separator + 1);
  }
}

/** The members of the object at `at`, in JSON without a fault; a key that is there twice comes twice. */
export function* membersAt(bytes: Uint8Array, at: number): Generator<JsonMember, void, undefined> {
  let name = skipSpace(bytes, at + 1);
  if (bytes[name] === CLOSE_OBJECT) return;
  for (;;) {
    const afterName = endOfKey(bytes, name);
    const key = JSON.parse(Buffer.from(bytes.subarray(name, afterName)).toString()) as string;
    const start = skipSpace(bytes, afterColon(bytes, afterName));
    const end = endOfValue(bytes, start);
    yield { key, start, end };
    const separator = skipSpace(bytes, end);
    if (bytes[separator] === CLOSE_OBJECT) return;
    name = skipSpace(bytes, separator + 1);
  }
}

export function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isJsonSpace(bytes[at])) at += 1;
  return at;
}

function endOfValue(bytes: Uint8Array, from: number): number {
  // What closes each open array or object; a list and not recursion, or deep nesting would exhaust the stack.
  const open: number[] = [];
  let at = from;
  for (;;) {
    at = skipSpace(bytes, at);
    const lead = bytes[at];
    if (lead === OPEN_OBJECT || lead === OPEN_ARRAY) {
      const close = lead === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
      const inside = skipSpace(bytes, at + 1);
      if (bytes[inside] !== close) {
        open.push(close);
        at = close === CLOSE_OBJECT ? afterColon(bytes, endOfKey(bytes, inside)) : inside;
        continue;
      }
      at = inside + 1;
    } else {
      at = endOfScalar(bytes, at);
    }
    // A value has ended, and with it all that end here.
    for (;;) {
      const close = open.at(-1);
      if (close === undefined) return at;
      at = skipSpace(bytes, at);
      if (bytes[at] === COMMA) {
        at += 1;
        if (close === CLOSE_OBJECT) at = afterColon(bytes, endOfKey(bytes, skipSpace(bytes, at)));
        break;
      }
      at = after(bytes, at, close, close === CLOSE_OBJECT ? '"," or "}"' : '"," or "]"');
      open.pop();
    }
  }
}

function after(bytes: Uint8Array, at: number, byte: number, expected: string): number {
  if (bytes[at] !== byte) throw new JsonFault(at, expected);
  return at + 1;
}

function endOfKey(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== QUOTE) throw new JsonFault(at, 'a key in double quotes');
  return endOfString(bytes, at);
}

function afterColon(bytes: Uint8Array, at: number): number {
  return after(bytes, skipSpace(bytes, at), COLON, '":"');
}

function endOfScalar(bytes: Uint8Array, at: number): number {
  const lead = bytes[at];
  if (lead === QUOTE) return endOfString(bytes, at);
  if (lead === MINUS || isDigit(lead)) return endOfNumber(bytes, at);
  const literal = lead === undefined ? undefined : LITERALS.get(lead);
  if (literal === undefined) throw new JsonFault(at, 'a value');
  for (let i = 1; i < literal.length; i++) {
    if (bytes[at + i] !== literal[i]) throw new JsonFault(at + i, literal.toString());
  }
  return at + literal.length;
}

function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; ; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) {
      at += 1;
      const escaped = bytes[at];
      if (escaped === undefined || !ESCAPES.has(escaped)) throw new JsonFault(at, 'an escape of JSON');
      if (escaped !== LETTER_U) continue;
      for (let i = 1; i <= 4; i++)
        if (!isHex(bytes[at + i])) throw new JsonFault(at + i, 'a hexadecimal digit');
      at += 4;
    } else if (byte === undefined || byte < 32) {
      throw new JsonFault(at, 'the rest of a string (with control characters escaped)');
    }
  }
}

function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === MINUS ? start + 1 : start;
  // Nothing may follow a leading zero.
  at = bytes[at] === 48 ? at + 1 : endOfDigits(bytes, at);
  if (bytes[at] === POINT) at = endOfDigits(bytes, at + 1);
  if (bytes[at] === 101 || bytes[at] === 69) {
    at += 1;
    if (bytes[at] === 43 || bytes[at] === MINUS) at += 1;
    at = endOfDigits(bytes, at);
  }
  return at;
}

function endOfDigits(bytes: Uint8Array, from: number): number {
  if (!isDigit(bytes[from])) throw new JsonFault(from, 'a digit');
  let at = from + 1;
  while (isDigit(bytes[at])) at += 1;
  return at;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 57;
}

function isHex(byte: number | undefined): boolean {
  return isDigit(byte) || (byte !== undefined && (byte | 32) >= 97 && (byte | 32) <= 102);
}
