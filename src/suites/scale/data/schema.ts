/**
 * The shape of a scale file, checked key by key: an unknown key and a value of the wrong kind are each reported with the path
 * where they stand. What concerns several entries at once is in rules.ts.
 */
import { z } from 'zod';
import { PLAIN_NAME, type ShapeFault, shapeFaults, valueAt } from '../../../catalog/index.ts';
import { isTierName, PART_NAME } from './names.ts';

const LINE = /^[^\s\p{Cc}](?:[^\r\n\p{Cc}]*[^\s\p{Cc}])?$/u;

const text = z.string().min(1, { error: 'is empty; give some text' });
const line = z.string({ error: 'is not text; write it in quotes' }).regex(LINE, {
  error: 'is no label; give at least one character, without spaces or line breaks around it',
});
const part = z
  .string()
  .regex(PART_NAME, { error: 'is no name here; start with a letter, then letters, digits and _' });
const some = { error: 'is empty; give at least one' };

const band = z.strictObject({ name: line, upTo: z.number().optional(), from: z.number().optional() });

const subscale = z.strictObject({
  title: text,
  items: z.array(line).min(1, some),
  key: line,
  bandKey: line.optional(),
  bands: z.array(band).min(1, some).optional(),
});

const column = z.union([line, z.strictObject({ column: line, decimals: z.int().min(0).max(12) })], {
  error: 'is no column; give its name, or {column: NAME, decimals: 1} for a number that is rounded',
});

const personas = z.strictObject({
  missing: z.array(line).optional(),
  columns: z.record(part, column),
  system: text,
  ask: text,
  parts: z.record(part, z.array(text).min(1, some)),
});

const tierName = z.string().refine(isTierName, {
  error:
    'is not the name of a tier; use letters, digits, _ and -, but no __, which stands before it in case ids',
});

export const scaleSchema = z.strictObject({
  name: z.string().regex(PLAIN_NAME, { error: 'is not a scale name; use letters, digits, _ and -' }),
  title: text,
  source: text.optional(),
  construct: part,
  responses: z
    .array(
      z.strictObject({
        value: z.int({ error: 'is not a whole number' }),
        labels: z.array(line).min(1, some),
      }),
    )
    .min(2, { error: 'has fewer than two entries; give every answer that an item may have' }),
  items: z.record(line, z.strictObject({ text: text.optional(), reversed: z.boolean() })),
  subscales: z.record(part, subscale),
  bands: z.array(band).min(1, some),
  asked: z.array(z.string()).min(1, some).optional(),
  tiers: z.array(z.strictObject({ name: tierName, parts: z.array(z.string()).optional() })).optional(),
  personas: personas.optional(),
});

export type ScaleFile = z.infer<typeof scaleSchema>;

const BAND_KEYS = Object.keys(band.shape);

/** The keys that there are at the path of an unknown one. */
function keysAt([first, second, third]: readonly (string | number)[]): readonly string[] {
  if (first === 'responses') return ['value', 'labels'];
  if (first === 'items') return ['text', 'reversed'];
  if (first === 'bands' || (first === 'subscales' && third === 'bands')) return BAND_KEYS;
  if (first === 'subscales') return Object.keys(subscale.shape);
  if (first === 'tiers') return ['name', 'parts'];
  if (first === 'personas')
    return second === 'columns' ? ['column', 'decimals'] : Object.keys(personas.shape);
  return Object.keys(scaleSchema.shape);
}

/** Every fault of `raw` against the schema; empty when it fits, and then `file` is there. */
export function checkShape(raw: unknown): { file: ScaleFile | null; faults: ShapeFault[] } {
  const hidden = hiddenKey(raw);
  if (hidden !== null) return { file: null, faults: [hidden] };
  const parsed = scaleSchema.safeParse(raw);
  if (parsed.success) return { file: parsed.data, faults: [] };
  return { file: null, faults: shapeFaults(parsed.error.issues, raw, 'a scale', keysAt) };
}

const RECORDS = [['items'], ['subscales'], ['personas', 'columns'], ['personas', 'parts']] as const;

/** The key that zod leaves out of records without a word; nothing in a file may go unread. */
function hiddenKey(raw: unknown): ShapeFault | null {
  const record = RECORDS.find((path) => valueAt(raw, [...path, '__proto__']) !== undefined);
  if (record === undefined) return null;
  const path = [...record, '__proto__'];
  return { path, message: `${path.join('.')} is no name here; start with a letter or a digit` };
}
