/** What an object must hold, as data: its keys, and for each what a value of it can be. */
import { z } from 'zod';
import { AuditError } from '../../errors.ts';

const shared = {
  /** Without it there is no answer. Left out: true. */
  required: z.boolean({ error: 'give true or false' }).optional(),
  /** A value that cannot be read is left out with a note, and the rest stands. Left out: false. */
  soft: z.boolean({ error: 'give true or false' }).optional(),
};
const BOUND = 'give a number';
const WORDS = 'give a list of texts';

const integer = z.strictObject({
  type: z.literal('integer'),
  min: z.int({ error: 'give a whole number' }).optional(),
  max: z.int({ error: 'give a whole number' }).optional(),
  ...shared,
});
const number = z.strictObject({
  type: z.literal('number'),
  min: z.number({ error: BOUND }).optional(),
  max: z.number({ error: BOUND }).optional(),
  ...shared,
});
const boolean = z.strictObject({ type: z.literal('boolean'), ...shared });
const string = z.strictObject({ type: z.literal('string'), ...shared });
const label = z.strictObject({
  type: z.literal('enum'),
  /** The values, as they are given back. */
  values: z.array(z.string({ error: WORDS }), { error: WORDS }).min(1, 'give one value or more'),
  /** Other words for them. */
  aliases: z
    .record(z.string(), z.string({ error: 'give one of the values' }), {
      error: 'give words, each with its value',
    })
    .optional(),
  /** Words for no value at all: null. */
  empty: z.array(z.string({ error: WORDS }), { error: WORDS }).optional(),
  ...shared,
});

const TYPES = ['integer', 'number', 'boolean', 'string', 'enum'] as const;
const FIELD = z
  .discriminatedUnion('type', [integer, number, boolean, string, label], {
    error: `give a field with a type: ${TYPES.join(', ')}`,
  })
  .superRefine((field, context) => {
    const fault = (key: string, message: string) =>
      context.addIssue({ code: 'custom', path: [key], message });
    if (field.soft && field.required !== false) {
      fault('soft', 'a soft field can be left out; set required: false, or leave soft out');
    }
    if ('min' in field && field.min !== undefined && field.max !== undefined && field.min > field.max) {
      fault('min', `${field.min} is above max, ${field.max}`);
    }
    if (field.type === 'enum') checkWords(field, fault);
  });

const SCHEMA = z.strictObject({
  fields: z
    .record(z.string(), FIELD, { error: 'give the keys of the object, each with its field' })
    .refine((fields) => Object.keys(fields).length > 0, 'give one key or more'),
  /** Keys that are in the object and not here: kept as they are, or left out. Left out: keep. */
  others: z.enum(['keep', 'drop'], { error: 'give keep or drop' }).optional(),
});

/** The keys of an object in the order in which they are read. */
export type ObjectSchema = z.infer<typeof SCHEMA>;
export type FieldSchema = z.infer<typeof FIELD>;
export type EnumField = z.infer<typeof label>;

export interface SchemaFault {
  /** Keys and indices from the root. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export type CheckedSchema =
  | { readonly schema: ObjectSchema; readonly faults: readonly [] }
  | { readonly schema: null; readonly faults: readonly SchemaFault[] };

/** Holds data against the form of a schema, without throwing. */
export function checkSchema(data: unknown): CheckedSchema {
  const parsed = SCHEMA.safeParse(data, { error: () => 'give a schema: keys "fields" and "others"' });
  if (parsed.success) return { schema: parsed.data, faults: [] };
  return { schema: null, faults: parsed.error.issues.map(faultOf) };
}

/** Checks that `data` is a schema of fields. Throws `schema_invalid` with key and message of every fault (`data.faults`). */
export function readSchema(data: unknown): ObjectSchema {
  const { schema, faults } = checkSchema(data);
  if (schema !== null) return schema;
  const lines = faults.map(({ path, message }) => `${path.join('.') || 'the schema'}: ${message}`);
  throw new AuditError('schema_invalid', `not a schema: ${lines.join('; ')}`, {
    key: faults[0]?.path.join('.') ?? '',
    faults,
  });
}

/** Words are compared without regard to case and to spaces around them. */
export function folded(word: string): string {
  return word.trim().toLowerCase();
}

function checkWords(field: EnumField, fault: (key: string, message: string) => void): void {
  const seen = new Map<string, string>();
  const take = (key: string, word: string) => {
    const before = seen.get(folded(word));
    if (before !== undefined)
      fault(key, `${JSON.stringify(word)} is there already, in ${before}; a word means one thing`);
    seen.set(folded(word), key);
  };
  for (const value of field.values) take('values', value);
  for (const [alias, value] of Object.entries(field.aliases ?? {})) {
    take('aliases', alias);
    if (!field.values.includes(value)) fault('aliases', `${JSON.stringify(value)} is none of the values`);
  }
  for (const word of field.empty ?? []) take('empty', word);
}

function faultOf(issue: z.core.$ZodIssue): SchemaFault {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  if (issue.code !== 'unrecognized_keys') return { path, message: issue.message };
  const key = issue.keys[0] ?? '';
  return { path: [...path, key], message: 'no key of this name; check its spelling, or leave it out' };
}
