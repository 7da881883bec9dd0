/**
 * Checks on what callers hand to the metrics addon. The addon checks values; here it is only whether an argument is of
 * the type that it must be, so that a plain array in the place of a typed one is an error that names it. Checks read a
 * few properties and never an array's entries: a call stays as cheap as it is.
 */
import { AuditError } from '../errors.ts';

/** A class; for the most part that of a typed array. */
type Constructor = abstract new (...inputs: never[]) => unknown;

/** What an argument must be: a number, a string, true or false, an object of a class, or a list of one of these. */
export type Kind = 'number' | 'string' | 'boolean' | Constructor | { readonly listOf: Kind };

/** Fields of an object: what each must be where it is there. */
export type Fields = Readonly<Record<string, Kind>>;

/** Throws `bad_argument` unless `value` is of that kind. */
export function checkArgument(name: string, value: unknown, kind: Kind): void {
  if (matches(value, kind)) return;
  throw new AuditError('bad_argument', `\`${name}\` is ${told(value)}: pass ${wanted(kind)}`, {
    input: name,
  });
}

/**
 * Throws `bad_argument` unless `value` is an object with the `required` fields, and whatever of the `optional` ones it
 * has is of its kind. Without required fields, `value` may be left out.
 */
export function checkObject(name: string, value: unknown, required: Fields, optional: Fields = {}): void {
  const names = Object.keys(required);
  if (names.length === 0 && value == null) return;
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) {
    throw new AuditError('bad_argument', `\`${name}\` is ${told(value)}: pass an object`, { input: name });
  }
  const fields = value as Readonly<Record<string, unknown>>;
  for (const field of names) checkArgument(field, fields[field], required[field]!);
  for (const field of Object.keys(optional)) {
    // null is refused where undefined is not: the addon would take it for a value of the wrong type.
    if (fields[field] !== undefined) checkArgument(field, fields[field], optional[field]!);
  }
}

function matches(value: unknown, kind: Kind): boolean {
  if (typeof kind === 'string') return typeof value === kind;
  if (typeof kind === 'function') return value instanceof kind;
  return Array.isArray(value) && value.every((entry) => matches(entry, kind.listOf));
}

function wanted(kind: Kind): string {
  if (typeof kind === 'string') return `a ${kind}`;
  if (typeof kind === 'function') return `${/^[AEIOU]/.test(kind.name) ? 'an' : 'a'} ${kind.name}`;
  return `an array of which each entry is ${wanted(kind.listOf)}`;
}

function told(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return `of type ${value.constructor?.name ?? 'object'}`;
  return `of type ${typeof value}`;
}
