/** The fields of an object held against a schema: read as what they must be, or refused; never clamped, never guessed. */

import { type EnumField, type FieldSchema, folded, type ObjectSchema } from './schema.ts';
import type { JsonObject, JsonValue, Note, NumberFault } from './types.ts';
import { isObject } from './value.ts';

export type FieldFault =
  /** A required key is not there. */
  | 'missing_key'
  /** A number with a fraction, true, null, a list, or a text that is no whole number. */
  | 'not_integer'
  /** Below min or above max. */
  | 'out_of_range'
  /** NaN, Infinity, or a number too large for 64 bits. */
  | 'non_finite_number'
  /** A whole number beyond 2^53 where the field has no bound that it breaks. */
  | 'unsafe_integer'
  /** None of the values of an enum. */
  | 'bad_label'
  /** Another kind of value than the field is of; or no object at all. */
  | 'wrong_type';

export type FieldsAnswer =
  | { readonly status: 'ok'; readonly value: JsonObject; readonly notes: readonly Note[] }
  /** `key`: the key at fault; empty for the whole value. */
  /** Where the fault is that of a number alone, `value` has the other fields, and null for this one. */
  | {
      readonly status: FieldFault;
      readonly message: string;
      readonly key: string;
      readonly value?: JsonObject;
    };

export interface FieldsOptions {
  /** Numbers of the value that JSON could not hold, by their keys, as `extractJson` notes them. */
  readonly numbers?: ReadonlyMap<string, NumberFault>;
  /** Soft fields may be left out; without it they are as hard as the others. Left out: true. */
  readonly soft?: boolean;
}

type FieldAnswer =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly status: FieldFault; readonly found: string };

/**
 * Reads the fields of `value` by `schema` (of `readSchema`), in the schema's order; then come the other keys, if they
 * are kept. An optional key that is absent stays absent; one that is null, empty or (if soft) unreadable is null.
 */
export function readFields(
  value: JsonValue,
  schema: ObjectSchema,
  { soft = true, numbers = new Map() }: FieldsOptions = {},
): FieldsAnswer {
  if (!isObject(value)) {
    return { status: 'wrong_type', message: `the value is ${describe(value)}; give an object`, key: '' };
  }
  const missing = missingKeys(value, schema);
  if (missing.length > 0) {
    const message = `the object lacks ${missing.map((key) => JSON.stringify(key)).join(', ')}`;
    return { status: 'missing_key', message, key: missing[0]! };
  }
  const read: [string, JsonValue][] = [];
  const notes: Note[] = [];
  let fault: { readonly status: NumberFault; readonly key: string; readonly message: string } | null = null;
  for (const [key, field] of Object.entries(schema.fields)) {
    if (!Object.hasOwn(value, key)) continue;
    const answer = readField(value[key]!, field, numbers.get(key));
    if (answer.ok) {
      read.push([key, answer.value]);
      continue;
    }
    const message = `${key} is ${answer.found}; it must be ${wanted(field)}`;
    if (!(soft && field.soft)) {
      const { status } = answer;
      if (status !== 'non_finite_number' && status !== 'unsafe_integer') return { status, message, key };
      fault ??= { status, key, message };
      read.push([key, null]);
      continue;
    }
    notes.push({ code: 'field_dropped', key, message: `${message}; it was left out` });
    read.push([key, null]);
  }
  if (schema.others !== 'drop') {
    read.push(...Object.entries(value).filter(([key]) => !Object.hasOwn(schema.fields, key)));
  }
  const fields = Object.fromEntries(read);
  return fault === null ? { status: 'ok', value: fields, notes } : { ...fault, value: fields };
}

/** Required keys that an object lacks, in the schema's order. */
export function missingKeys(value: JsonObject, { fields }: ObjectSchema): string[] {
  return Object.keys(fields).filter((key) => fields[key]!.required !== false && !Object.hasOwn(value, key));
}

function readField(value: JsonValue, field: FieldSchema, number?: NumberFault): FieldAnswer {
  if (number === 'non_finite_number') return { ok: false, status: number, found: 'no finite number' };
  if (number === 'unsafe_integer' && field.type !== 'integer' && field.type !== 'number') {
    return refused(field.type === 'enum' ? 'bad_label' : 'wrong_type', value);
  }
  if (value === null && field.required === false) return { ok: true, value };
  switch (field.type) {
    case 'integer':
      return within(integerOf(value), value, field, 'not_integer');
    case 'number':
      return within(numberOf(value), value, field, 'wrong_type');
    case 'boolean':
      return typeof value === 'boolean' ? { ok: true, value } : refused('wrong_type', value);
    case 'string':
      return typeof value === 'string' ? { ok: true, value } : refused('wrong_type', value);
    case 'enum':
      return labelOf(value, field);
  }
}

function within(
  number: number | null,
  value: JsonValue,
  {
    min = -Infinity,
    max = Infinity,
  }: { readonly min?: number | undefined; readonly max?: number | undefined },
  status: FieldFault,
): FieldAnswer {
  if (number === null) return refused(status, value);
  // It is large, and how large it is cannot be said: no bound refuses it, and rounding would change it.
  const unbounded = number > 0 ? max === Infinity : min === -Infinity;
  if (!Number.isFinite(number) && unbounded) return refused('unsafe_integer', value);
  return !Number.isFinite(number) || number < min || number > max
    ? refused('out_of_range', value)
    : { ok: true, value: number };
}

const WHOLE = /^[+-]?\d+(?:\.0*)?$/;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A whole number, as a number or as a text that is one; beyond 2^53, where whole numbers blur, it is infinite. */
function integerOf(value: JsonValue): number | null {
  const number = typeof value === 'string' ? wholeText(value.trim()) : value;
  if (typeof number !== 'number') return null;
  if (Number.isSafeInteger(number)) return number === 0 ? 0 : number;
  return Number.isInteger(number) || !Number.isFinite(number) ? Math.sign(number) * Infinity : null;
}

function wholeText(text: string): number | null {
  return WHOLE.test(text) ? Number(text) : null;
}

function numberOf(value: JsonValue): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !DECIMAL.test(value.trim())) return null;
  const number = Number(value);
  return WHOLE.test(value.trim()) && !Number.isSafeInteger(number) ? Math.sign(number) * Infinity : number;
}

function labelOf(value: JsonValue, field: EnumField): FieldAnswer {
  if (typeof value !== 'string') return refused('bad_label', value);
  const word = folded(value);
  const same = (other: string) => folded(other) === word;
  const alias = Object.keys(field.aliases ?? {}).find(same);
  const found = field.values.find(same) ?? (alias === undefined ? undefined : field.aliases![alias]!);
  if (found !== undefined) return { ok: true, value: found };
  return field.empty?.some(same) ? { ok: true, value: null } : refused('bad_label', value);
}

function refused(status: FieldFault, value: JsonValue): FieldAnswer {
  return { ok: false, status, found: describe(value) };
}

const SHOWN = 60;

function describe(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text;
}

function wanted(field: FieldSchema): string {
  switch (field.type) {
    case 'integer':
      return `a whole number${range(field)}`;
    case 'number':
      return `a number${range(field)}`;
    case 'boolean':
      return 'true or false';
    case 'string':
      return 'a text';
    case 'enum':
      return `one of ${field.values.join(', ')}`;
  }
}

function range({
  min,
  max,
}: {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` from ${min}`;
  return max === undefined ? '' : ` up to ${max}`;
}
