/** The bytes of a scale file, YAML or JSON, to a scale. */
import { createHash } from 'node:crypto';
import { type PlacedFault, readYaml } from '../../../catalog/index.ts';
import { checkRules } from './rules.ts';
import type { Personas, Scale, ScaleBand, ScaleOrigin, Subscale } from './scale.ts';
import { checkShape, type ScaleFile } from './schema.ts';
import { responseRange } from './scores.ts';
import { type ReadTemplates, readTemplates } from './templates.ts';

/** A file that was read as far as it can be. */
export interface ExaminedScale {
  /** Null if there are faults. */
  readonly scale: Scale | null;
  readonly faults: readonly PlacedFault[];
  readonly templates: ReadTemplates;
  /** What the parser finds odd but can read. */
  readonly warnings: readonly PlacedFault[];
  /** Line of what stands at a path, from 1; null where that has no place. */
  lineOf(path: readonly (string | number)[]): number | null;
}

/**
 * Reads a scale and tells what is wrong with it, without throwing; `file` is what messages call it. Faults come in three
 * storeys, and a higher one is only looked at when those below are clean: the text is YAML, each key has the right shape,
 * the entries fit together.
 */
export async function examineScale(
  bytes: Uint8Array,
  file: string,
  origin: ScaleOrigin,
): Promise<ExaminedScale> {
  const { value, faults: unread, warnings, lineOf } = readYaml(bytes, file);
  const rest = { warnings, lineOf };
  if (unread.length > 0) return { scale: null, faults: unread, templates: new Map(), ...rest };
  const shape = checkShape(value);
  const templates: ReadTemplates = shape.file === null ? new Map() : await readTemplates(shape.file);
  const faults = shape.file === null ? shape.faults : checkRules(shape.file, templates);
  if (shape.file === null || faults.length > 0) {
    const placed = faults.map((fault) => ({ ...fault, file, line: lineOf(fault.path) }));
    return { scale: null, faults: placed, templates, ...rest };
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { scale: { ...toScale(shape.file), origin, file, sha256 }, faults: [], templates, ...rest };
}

function toScale(content: ScaleFile): Omit<Scale, 'origin' | 'file' | 'sha256'> {
  const bands = toBands(content.bands);
  const subscales = Object.entries(content.subscales).map(([name, of]) => [
    name,
    toSubscale(name, of, content, bands),
  ]);
  return {
    name: content.name,
    title: content.title,
    source: content.source ?? null,
    construct: content.construct,
    responses: content.responses.toSorted((a, b) => a.value - b.value),
    items: Object.fromEntries(
      Object.entries(content.items).map(([key, { text, reversed }]) => [
        key,
        { text: text ?? null, reversed },
      ]),
    ),
    subscales: Object.fromEntries(subscales),
    bands,
    asked: content.asked ?? Object.keys(content.subscales),
    tiers: (content.tiers ?? []).map(({ name, parts }) => ({ name, parts: parts ?? [] })),
    personas: content.personas === undefined ? null : toPersonas(content.personas),
  };
}

function toSubscale(
  name: string,
  { title, items, key, bandKey, bands }: ScaleFile['subscales'][string],
  { responses }: ScaleFile,
  shared: readonly ScaleBand[],
): Subscale {
  const { lowest, highest } = responseRange({ responses });
  return {
    name,
    title,
    items,
    key,
    bandKey: bandKey ?? null,
    min: items.length * lowest,
    max: items.length * highest,
    bands: bands === undefined ? shared : toBands(bands),
  };
}

function toBands(bands: ScaleFile['bands']): ScaleBand[] {
  return bands.map(({ name, upTo, from }) => ({ name, upTo: upTo ?? null, from: from ?? null }));
}

function toPersonas({ missing, columns, ...rest }: NonNullable<ScaleFile['personas']>): Personas {
  const entries = Object.entries(columns).map(([name, of]) => [
    name,
    typeof of === 'string' ? { column: of, decimals: null } : of,
  ]);
  return { missing: missing ?? [], columns: Object.fromEntries(entries), ...rest };
}
