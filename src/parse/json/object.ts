/** The object that a model was asked for: out of its text, and held against a schema. */
import { choose } from './choose.ts';
import { type FieldFault, missingKeys, readFields } from './fields.ts';
import { extractOriginal } from './original.ts';
import type { ObjectSchema } from './schema.ts';
import type {
  JsonAnswer,
  JsonFault,
  JsonObject,
  JsonOptions,
  JsonValue,
  Note,
  NumberFault,
  Repair,
} from './types.ts';
import { canonical, isObject } from './value.ts';

/** Ways of reading that are kept to make published numbers again. */
export const JSON_COMPATS = ['psych755'] as const;
export type JsonCompat = (typeof JSON_COMPATS)[number];

export interface ObjectOptions extends JsonOptions {
  /** Read the text as this program does (`extractOriginal`); no repairs, and soft fields are hard. */
  readonly compat?: JsonCompat;
}

export type ObjectAnswer =
  | {
      readonly status: 'ok';
      readonly value: JsonObject;
      readonly repaired: boolean;
      readonly repairs: readonly Repair[];
      readonly notes: readonly Note[];
    }
  /** `key`: the key at fault, where it is one; `value`: the other fields, where a number alone is at fault. */
  | {
      readonly status: JsonFault | FieldFault;
      readonly message: string;
      readonly key?: string;
      readonly value?: JsonObject;
    };

/**
 * Reads the object in a text and its fields by `schema` (of `readSchema`). Of several objects that differ, the one that
 * has the required keys is the answer, if only one has them; a list of one object is that object.
 */
export function parseObject(text: string, schema: ObjectSchema, options: ObjectOptions = {}): ObjectAnswer {
  const original = options.compat === 'psych755';
  const found = original ? extractOriginal(text) : choose(text, options, (value) => fits(value, schema));
  if (found.status !== 'ok') return found;
  const object = asObject(found);
  if (object.status !== 'ok') return object;
  const numbers = numbersAt(object.notes, Array.isArray(found.value));
  const fields = readFields(object.value, schema, { soft: !original, numbers });
  if (fields.status !== 'ok') return fields;
  return { ...object, value: fields.value, notes: [...object.notes, ...fields.notes] };
}

/** The keys whose values are numbers that JSON could not hold; of an object in a list those of the first. */
function numbersAt(notes: readonly Note[], inList: boolean): ReadonlyMap<string, NumberFault> {
  const keys = new Map<string, NumberFault>();
  for (const { code, key } of notes) {
    if (key === undefined || (code !== 'non_finite_number' && code !== 'unsafe_integer')) continue;
    if (!inList) keys.set(key, code);
    else if (key.startsWith('[0].')) keys.set(key.slice('[0].'.length), code);
  }
  return keys;
}

function fits(value: JsonValue, schema: ObjectSchema): boolean {
  const object = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isObject(object) && missingKeys(object, schema).length === 0;
}

function asObject(found: JsonAnswer & { status: 'ok' }): JsonAnswer {
  const { value, notes } = found;
  if (!Array.isArray(value)) return found;
  const [first] = value as readonly JsonValue[];
  if (first === undefined || !value.every(isObject)) {
    return { status: 'no_json', message: 'the text has a list where an object was asked for' };
  }
  if (new Set(value.map(canonical)).size > 1) {
    return {
      status: 'multiple_objects',
      message: `the text has a list of ${value.length} objects that differ`,
    };
  }
  const note: Note = { code: 'list_of_one', message: 'the object was the only element of a list' };
  return { ...found, value: first, notes: [...notes, note] };
}
