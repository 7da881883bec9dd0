/** The shape of an attributes file, and what must hold between its entries. */
import { z } from 'zod';
import { PLAIN_NAME, type ShapeFault, shapeFaults } from '../../../../catalog/index.ts';
import type { Attribute, AttributeTable, Making } from './attributes.ts';

const text = z
  .string()
  .refine((value) => value.trim() === value && value !== '', { error: 'is empty, or has spaces around it' });
const labels = z.array(text).min(1, { error: 'is empty; give at least one label' });

const attribute = z.strictObject({
  column: text,
  order: labels.optional(),
  groups: z.record(text, labels).optional(),
  bins: z.array(text).min(2, { error: 'has fewer than two names; give one for each bin' }).optional(),
  number: z.literal(true, { error: 'is not true; leave the key out otherwise' }).optional(),
});

const schema = z.strictObject({
  name: z.string().regex(PLAIN_NAME, { error: 'is no plain name; use letters, digits, _ and -' }),
  title: text.optional(),
  missing: z.array(text).optional(),
  attributes: z.record(text, attribute),
});

type AttributesFile = z.infer<typeof schema>;

const MAKINGS = ['order', 'groups', 'bins', 'number'] as const;

/** The table in what a file holds, or its faults. */
export function readTable(raw: unknown): { table: AttributeTable | null; faults: ShapeFault[] } {
  const parsed = schema.safeParse(raw);
  if (!parsed.success) {
    return { table: null, faults: shapeFaults(parsed.error.issues, raw, 'an attributes file', keysAt) };
  }
  const faults = ruleFaults(parsed.data);
  return { table: faults.length > 0 ? null : toTable(parsed.data), faults };
}

function keysAt([first]: readonly (string | number)[]): readonly string[] {
  return Object.keys(first === 'attributes' ? attribute.shape : schema.shape);
}

function ruleFaults({ attributes }: AttributesFile): ShapeFault[] {
  if (Object.keys(attributes).length === 0) {
    return [{ path: ['attributes'], message: 'attributes is empty; give at least one' }];
  }
  return Object.entries(attributes).flatMap(([name, own]) => {
    const at = `attributes.${name}`;
    const makings = MAKINGS.filter((key) => own[key] !== undefined);
    if (makings.length > 1) {
      const message = `${at} has ${makings.join(' and ')}; an attribute is made in one way`;
      return [{ path: ['attributes', name], message }];
    }
    return [
      ...repeated(['attributes', name, 'order'], own.order ?? []),
      ...repeated(['attributes', name, 'groups'], Object.values(own.groups ?? {}).flat()),
      ...repeated(['attributes', name, 'bins'], own.bins ?? []),
    ];
  });
}

function repeated(path: string[], names: readonly string[]): ShapeFault[] {
  return names
    .filter((name, index) => names.indexOf(name) !== index)
    .map((name) => ({ path, message: `${path.join('.')} has "${name}" twice; name it once` }));
}

function toTable({ name, missing, attributes }: AttributesFile): AttributeTable {
  const all = Object.entries(attributes).map(([key, own]): Attribute => {
    return { name: key, column: own.column, making: toMaking(own) };
  });
  return { name, missing: missing ?? [], attributes: all };
}

function toMaking({ order, groups, bins, number }: AttributesFile['attributes'][string]): Making {
  if (order !== undefined) return { kind: 'order', labels: order };
  if (groups !== undefined) return { kind: 'groups', groups };
  if (bins !== undefined) return { kind: 'bins', names: bins };
  return number === undefined ? { kind: 'labels' } : { kind: 'number' };
}
