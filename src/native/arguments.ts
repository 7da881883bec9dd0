/**
 * Checks on what callers hand to the metrics addon. The addon checks values; here it is only whether an argument is of
 * the type that it must be, so that a plain array instead of a typed one is an error that names it. Checks read a few
 * properties and never the entries of a typed array.
 *
 * A check returns what it read. Options may be objects with getters, or proxies: they are read once, into plain objects
 * of ours, and nothing of the caller's runs between the last check of an array's memory and its use (memory.ts).
 */
import { AuditError } from '../errors.ts';

/** A class of typed arrays, or another class. */
type Constructor = abstract new (...inputs: never[]) => unknown;

/** What an argument must be: a number, a string, true or false, an object of a class, or a list of one of these. */
export type Kind = 'number' | 'string' | 'boolean' | Constructor | { readonly listOf: Kind };

/** Fields of an object: what each must be where it is there. */
export type Fields = Readonly<Record<string, Kind>>;

/** `value`, a list as a copy of it. Throws `bad_argument` unless it is of that kind. */
export function checkArgument<T>(name: string, value: T, kind: Kind): T {
  const read = readAs(value, kind);
  if (read !== NO_MATCH) return read as T;
  throw new AuditError('bad_argument', `\`${name}\` is ${described(value)}: pass ${wanted(kind)}`, {
    input: name,
  });
}

/**
 * The `required` and `optional` fields of `value` in a new object without a prototype. Throws `bad_argument` unless
 * `value` is an object with the required fields, and whatever of the optional ones it has is of its kind. Without
 * required fields, `value` may be left out.
 */
export function checkObject<T>(name: string, value: T, required: Fields, optional: Fields = {}): T {
  const names = Object.keys(required);
  if (names.length === 0 && value == null) return undefined as T;
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) {
    throw new AuditError('bad_argument', `\`${name}\` is ${described(value)}: pass an object`, {
      input: name,
    });
  }
  const fields = value as Readonly<Record<string, unknown>>;
  const read: Record<string, unknown> = Object.create(null);
  for (const field of names) read[field] = checkArgument(field, fields[field], required[field]!);
  for (const field of Object.keys(optional)) {
    const given = fields[field];
    // null is refused where undefined is not: the addon would take it for a value of the wrong type.
    if (given !== undefined) read[field] = checkArgument(field, given, optional[field]!);
  }
  return read as T;
}

const NO_MATCH = Symbol('no match');

function readAs(value: unknown, kind: Kind): unknown {
  if (typeof kind === 'string') return typeof value === kind ? value : NO_MATCH;
  // By its kind inside and not by its prototype: arrays of other realms count, objects that only look like one do not.
  if (typeof kind === 'function') return isA(value, kind) ? value : NO_MATCH;
  if (!Array.isArray(value)) return NO_MATCH;
  const entries: unknown[] = [];
  for (let index = 0; index < value.length; index += 1) {
    const entry = readAs(value[index], kind.listOf);
    if (entry === NO_MATCH) return NO_MATCH;
    entries.push(entry);
  }
  return entries;
}

const TYPED_ARRAY = Object.getPrototypeOf(Uint8Array) as Constructor;
const typeName = Object.getOwnPropertyDescriptor(TYPED_ARRAY.prototype, Symbol.toStringTag)!.get!;

function isA(value: unknown, kind: Constructor): boolean {
  if (Object.getPrototypeOf(kind) === TYPED_ARRAY) return typeName.call(value) === kind.name;
  return value instanceof kind;
}

function wanted(kind: Kind): string {
  if (typeof kind === 'string') return `a ${kind}`;
  if (typeof kind === 'function') return `${/^[AEIOU]/.test(kind.name) ? 'an' : 'a'} ${kind.name}`;
  return `an array of which each entry is ${wanted(kind.listOf)}`;
}

function described(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return `of type ${value.constructor?.name ?? 'object'}`;
  return `of type ${typeof value}`;
}
