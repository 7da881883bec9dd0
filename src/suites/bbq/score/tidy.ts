/** Scores as one long table: a row a model, setting, category and metric, and the totals with what they are made of. */
import { ends } from '../../../numbers/estimate.ts';
import type { CsvColumn, Row } from '../../../report/index.ts';
import { shareInterval, totalInterval } from './intervals.ts';
import { categoriesOf, cellsOf, groupIn, type Model } from './models.ts';
import { OVERALL } from './row.ts';
import type { ScoredFile } from './score-file.ts';
import { TOTALS, type Total, totalOf } from './totals.ts';

export interface TidyRow extends Row {
  readonly model: string;
  /** `text`, `visual_language` or `visual_only`; null for a total. */
  readonly split: string | null;
  readonly context: string | null;
  /** Null for the mean of both. */
  readonly polarity: string | null;
  readonly category: string;
  /** A field's key; `FS_mid`, `BS_mid` for the mean of two polarities; `FS_total`, `BS_total`. */
  readonly metric: string;
  readonly value: number | null;
  /** At 95 %: Wilson's of a share, with templates as clusters where rows say theirs; of a total the bootstrap's over templates. */
  readonly ciLow: number | null;
  readonly ciHigh: number | null;
  readonly hits: number | null;
  /** Rows that count. */
  readonly n: number | null;
  readonly rows: number | null;
  readonly unparsed: number | null;
  /** Of these, texts that decline to answer. */
  readonly refused: number | null;
  /** How many scenarios a total joins. */
  readonly scenarios: number | null;
  /** Question templates: the clusters of the interval. */
  readonly templates: number | null;
  /** Why there is no value. */
  readonly reason: string | null;
  /** The scored file. */
  readonly file: string | null;
}

const EMPTY = {
  split: null,
  context: null,
  polarity: null,
  ciLow: null,
  ciHigh: null,
  hits: null,
  n: null,
  rows: null,
  unparsed: null,
  refused: null,
  scenarios: null,
  templates: null,
  file: null,
} as const;

export const TIDY_COLUMNS: readonly CsvColumn[] = [
  ...['model', 'split', 'context', 'polarity', 'category', 'metric', 'value', 'ciLow', 'ciHigh', 'hits', 'n'],
  ...['rows', 'unparsed', 'refused', 'scenarios', 'templates', 'reason', 'file'],
].map((key) => ({ key }));

/** The categories of a table: all rows together first, then those asked for, or all that rows have. */
export function shownCategories(
  models: readonly Model[],
  asked: readonly string[] | null,
): readonly string[] {
  const shown = asked ?? categoriesOf(models.flatMap(({ files }) => files));
  return [...new Set([OVERALL, ...shown])];
}

/** The rows of all models, each model's settings before its totals. */
export function* tidyRows(models: readonly Model[], categories: readonly string[]): Generator<TidyRow> {
  for (const model of models) {
    for (const file of model.files) {
      for (const category of categories) yield* groupRows(model.name, file, category);
    }
    for (const category of categories) yield* totalRows(model, category);
  }
}

function* groupRows(model: string, file: ScoredFile, category: string): Generator<TidyRow> {
  const group = groupIn(file, category);
  if (group === undefined) return;
  const { split, context, polarity } = file.setting;
  const { rows, unparsed, unparsedReasons } = group;
  const refused = unparsedReasons === null ? null : (unparsedReasons.refusal ?? 0);
  for (const [metric, measured] of group.fields) {
    const { value, hits, n, reason, templates } = measured;
    yield {
      ...EMPTY,
      ...{
        model,
        split,
        context,
        polarity,
        category,
        metric,
        value,
        hits,
        n,
        rows,
        unparsed,
        refused,
        reason,
      },
      ...ends(shareInterval(measured), 'ciLow', 'ciHigh'),
      templates: templates?.size ?? null,
      file: file.name,
    };
  }
}

function* totalRows(model: Model, category: string): Generator<TidyRow> {
  for (const { kind, value, reason, parts } of totalsIn(model, category)) {
    for (const part of parts) {
      const { scoredAs, context } = part.scenario;
      yield {
        ...EMPTY,
        model: model.name,
        split: scoredAs,
        context,
        category,
        metric: `${kind.prefix}_mid`,
        value: part.value,
        reason: part.reason,
      };
    }
    const scenarios = parts.filter((part) => part.value !== null).length;
    // Without a total there is nothing to give an interval of: one of the scenarios that remain would be another number's.
    const { n, ci, templates } =
      value === null ? { n: null, ci: null, templates: null } : totalInterval(kind, cellsOf(model, category));
    yield {
      ...EMPTY,
      model: model.name,
      category,
      metric: `${kind.prefix}_total`,
      value,
      ...ends(ci, 'ciLow', 'ciHigh'),
      n,
      scenarios,
      templates,
      reason,
    };
  }
}

/** The totals of a category that rows of the model have, of the fields that were scored. */
export function totalsIn(model: Model, category: string): readonly Total[] {
  const groups = model.files.map((file) => groupIn(file, category)).filter((group) => group !== undefined);
  return TOTALS.filter(({ field }) => groups.some(({ fields }) => fields.has(field))).map((kind) =>
    totalOf(kind, cellsOf(model, category)),
  );
}
