/** Scores as JSON, and read back from it. */
import { z } from 'zod';
import { rowProblem } from '../../../dataset/index.ts';
import { UNPARSED_REASONS } from '../../../parse/index.ts';
import { FIELDS } from './fields.ts';
import { requireName } from './result-name.ts';
import type { ScoredFile } from './score-file.ts';
import type { GroupScores, Measured } from './tally.ts';
import type { Unparsed } from './unparsed.ts';

/** Values by field. */
export type Values<V> = Readonly<Record<string, V>>;

/** A group for all rows and for each category. */
export interface Block<G> {
  readonly overall: G;
  readonly by_category: Readonly<Record<string, G>>;
}

type Scores = Pick<ScoredFile, 'overall' | 'byCategory'>;

function blockOf<G>({ overall, byCategory }: Scores, group: (scores: GroupScores) => G): Block<G> {
  return {
    overall: group(overall),
    by_category: Object.fromEntries([...byCategory].map(([category, scores]) => [category, group(scores)])),
  };
}

/** The values, null where there is none. */
export function valuesBlock(scores: Scores): Block<Values<number | null>> {
  return blockOf(scores, ({ fields }) =>
    Object.fromEntries([...fields].map(([key, { value }]) => [key, value])),
  );
}

/** The values as the original has them, 0 where there is none; of the fields that `which` says. */
export function originalBlock(scores: Scores, which: 'own' | 'beside'): Block<Values<number>> {
  return blockOf(scores, ({ fields }) =>
    Object.fromEntries(
      [...fields]
        .filter(([key]) => BESIDE.has(key) === (which === 'beside'))
        .map(([key, { value }]) => [key, value ?? 0]),
    ),
  );
}

/** Fields that the original does not have, and that stand beside its block. */
const BESIDE: ReadonlySet<string> = new Set(FIELDS.filter(({ always }) => always).map(({ key }) => key));

interface Counts {
  readonly hits: number;
  readonly n: number;
  readonly reason?: string;
  /** [hits, n] by question template. */
  readonly templates?: Readonly<Record<string, readonly number[]>>;
}

/** What the values are made of, and why one is null. */
export function countsBlock(scores: Scores): Block<Record<string, number | Counts | Unparsed | null>> {
  return blockOf(scores, ({ rows, unparsed, unparsedReasons, fields }) => ({
    rows,
    unparsed,
    ...(unparsedReasons === null ? {} : { unparsed_reasons: unparsedReasons }),
    ...Object.fromEntries(
      [...fields].flatMap(([key, { hits, n, reason, templates }]) =>
        hits === null || n === null
          ? []
          : [
              [
                key,
                {
                  hits,
                  n,
                  ...(reason === null ? {} : { reason }),
                  ...(templates ? { templates: Object.fromEntries(templates) } : {}),
                },
              ],
            ],
      ),
    ),
  }));
}

const valuesSchema = z.record(z.string(), z.number().nullable());
const count = z.int().min(0);
const reasonsSchema = z.partialRecord(z.enum(UNPARSED_REASONS), count);
const countsSchema = z
  .object({ rows: count.nullable(), unparsed: count.nullable(), unparsed_reasons: reasonsSchema.optional() })
  .catchall(
    z.object({
      hits: count,
      n: count,
      reason: z.string().optional(),
      templates: z.record(z.string(), z.tuple([count, count])).optional(),
    }),
  );
const blockSchema = <G extends z.ZodType>(group: G) =>
  z.looseObject({ overall: group, by_category: z.record(z.string(), group) });

const entrySchema = blockSchema(valuesSchema).extend({
  json_name: z.string().min(1),
  parser: z.string().optional(),
  counts: blockSchema(countsSchema).optional(),
});

/** An entry of combined_metrics.json. */
export type CombinedEntry = z.input<typeof entrySchema>;

export function combinedEntry(file: ScoredFile): CombinedEntry {
  return {
    json_name: file.name,
    ...valuesBlock(file),
    ...(file.parser === null ? {} : { parser: file.parser }),
    counts: countsBlock(file) as NonNullable<CombinedEntry['counts']>,
  };
}

/**
 * An entry, ours or the original's, as scores. Throws `row_invalid` for what is no entry, `bad_argument` for a name
 * that says no split.
 */
export function fromEntry(
  value: unknown,
  place: { readonly file: string; readonly line?: number; readonly index: number },
): ScoredFile {
  const parsed = entrySchema.safeParse(value);
  if (!parsed.success) throw rowProblem(parsed.error.issues, { line: 1, ...place, value });
  const { json_name, overall, by_category, counts, parser = null } = parsed.data;
  return {
    name: json_name,
    setting: requireName(json_name).setting,
    parser,
    overall: groupFrom(overall, counts?.overall),
    byCategory: new Map(
      Object.entries(by_category).map(([category, values]) => [
        category,
        groupFrom(values, counts?.by_category[category]),
      ]),
    ),
  };
}

function groupFrom(
  values: z.output<typeof valuesSchema>,
  counts: z.output<typeof countsSchema> | undefined,
): GroupScores {
  const measured = (key: string, value: number | null): Measured => {
    const own = counts?.[key] as Counts | undefined;
    const reason = value === null ? (own?.reason ?? 'the combined file holds no value') : null;
    const templates = own?.templates as Readonly<Record<string, readonly [number, number]>> | undefined;
    return {
      value,
      hits: own?.hits ?? null,
      n: own?.n ?? null,
      reason,
      ...(templates ? { templates: new Map(Object.entries(templates)) } : {}),
    };
  };
  return {
    rows: counts?.rows ?? null,
    unparsed: counts?.unparsed ?? null,
    unparsedReasons: counts?.unparsed_reasons ?? null,
    fields: new Map(Object.entries(values).map(([key, value]) => [key, measured(key, value)])),
  };
}
