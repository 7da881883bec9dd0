/** The tables of MultiBBQ's own program, as records of text: their header rows, columns and empty cells. */

import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { AuditError } from '../../../../errors.ts';
import { writeAtomic } from '../../../../files/atomic.ts';
import { pythonFloat } from '../../../../report/index.ts';
import { categoriesOf, cellsOf, type Model } from '../models.ts';
import type { Context, Polarity, Setting } from '../result-name.ts';
import { OVERALL } from '../row.ts';
import { type CellOf, SCENARIOS, type Scenario, TOTALS, type TotalKind, totalOf } from '../totals.ts';

export interface Table {
  /** Path below the output folder, with `/`. */
  readonly name: string;
  /** Whether the file starts with a byte-order mark. */
  readonly bom: boolean;
  readonly records: readonly (readonly string[])[];
}

export interface TableOptions {
  /** Categories with details, in the order of the columns of the totals. */
  readonly categories: readonly string[];
  readonly includeMid: boolean;
  /** Categories of the table of averages, as its columns name them. */
  readonly averaged: readonly string[];
}

export interface Tables {
  readonly tables: readonly Table[];
  readonly notes: readonly string[];
}

const SPLIT_TITLES: Readonly<Record<Setting['scoredAs'], string>> = {
  visual_language: 'Visual Language',
  visual_only: 'Visual Only',
};
const CONTEXT_TITLES: Readonly<Record<Context, string>> = {
  ambiguous: 'Ambiguous',
  disambiguous: 'Disambiguous',
};
const POLARITY_TITLES: Readonly<Record<Polarity, string>> = {
  negative: 'Negative',
  nonnegative: 'Nonnegative',
};
const KIND_TITLES: Readonly<Record<string, { readonly score: string; readonly average: string }>> = {
  FS: { score: 'Fairness Score', average: 'Fairness Score \u2191' },
  BS: { score: 'Bias Score', average: 'Bias Score \u2193' },
};

/** The original adds it to denominators, and counts a share without rows as 0. */
const TOTAL_RULES = { epsilon: 1e-10, empty: 0 } as const;

interface Slot {
  readonly scenario: Scenario;
  readonly polarity: Polarity;
}

const slotsOf = (scenarios: readonly Scenario[]): readonly Slot[] =>
  scenarios.flatMap((scenario) => [
    { scenario, polarity: 'negative' as const },
    { scenario, polarity: 'nonnegative' as const },
  ]);
const LANGUAGE = SCENARIOS.filter(({ scoredAs }) => scoredAs === 'visual_language');
const VISUAL = SCENARIOS.filter(({ scoredAs }) => scoredAs === 'visual_only');
const SUMMARY_SLOTS = slotsOf([...LANGUAGE, ...VISUAL]);
const DETAIL_SLOTS = slotsOf([...VISUAL, ...LANGUAGE]);

const splitTitle = ({ scenario }: Slot) => SPLIT_TITLES[scenario.scoredAs];
const slotTitle = ({ scenario, polarity }: Slot) =>
  `${CONTEXT_TITLES[scenario.context]} ${POLARITY_TITLES[polarity]}`;

/** All tables of the models. */
export function originalTables(models: readonly Model[], options: TableOptions): Tables {
  const there = categoriesOf(models.flatMap(({ files }) => files));
  if (models.length === 0)
    return { tables: [], notes: ['no file lies in a folder of a model: no table is written'] };
  const wanted = [...new Set([OVERALL, ...options.categories])];
  const missing = options.categories.filter((category) => category !== OVERALL && !there.includes(category));
  const notes = missing.map((category) => `no row has the category "${category}": it is left out`);
  if (!options.categories.includes(OVERALL)) {
    notes.push(
      'as in the original, the summary of totals has no column "overall"; name it among the categories',
    );
  }
  const averages = averageTable(models, options.averaged);
  return {
    tables: [
      ...[OVERALL, ...there].map((category) => summaryTable(models, category)),
      ...(averages === null ? [] : [averages]),
      ...wanted
        .filter((category) => !missing.includes(category))
        .map((category) => detailsTable(models, category, options.includeMid)),
      totalsTable(
        models,
        options.categories.filter((category) => !missing.includes(category)),
      ),
    ],
    notes,
  };
}

/** The models that have scores of a category, with them. */
function rowsOf(models: readonly Model[], category: string): { name: string; cellOf: CellOf }[] {
  return models
    .map((model) => ({ name: model.name, cellOf: cellsOf(model, category) }))
    .filter(({ cellOf }) => SUMMARY_SLOTS.some((slot) => cellOf(slot.scenario, slot.polarity) !== undefined));
}

function summaryTable(models: readonly Model[], category: string): Table {
  const columns = SUMMARY_SLOTS.flatMap((slot) => TOTALS.map((kind) => ({ slot, kind })));
  return {
    name: `csv_files/${category}_metrics_summary_sorted.csv`,
    bom: true,
    records: [
      ['Model', ...columns.map(({ slot }) => splitTitle(slot))],
      ['', ...columns.map(({ slot }) => slotTitle(slot))],
      ['', ...columns.map(({ kind }) => titlesOf(kind).score)],
      ...rowsOf(models, category).map(({ name, cellOf }) => [
        name,
        ...columns.map(({ slot, kind }) => field(valueAt(cellOf, slot, kind))),
      ]),
    ],
  };
}

function detailsTable(models: readonly Model[], category: string, includeMid: boolean): Table {
  const head: string[][] = [['Model'], [''], ['']];
  const put = (...titles: readonly string[]) => {
    for (const [at, title] of titles.entries()) head[at]!.push(title);
  };
  for (const kind of TOTALS) {
    for (const slot of DETAIL_SLOTS) put(splitTitle(slot), slotTitle(slot), titlesOf(kind).score);
    put(`${kind.prefix}_total`, '', '');
  }
  if (includeMid) {
    for (const kind of TOTALS) for (const { key } of SCENARIOS) put(`${kind.prefix}_mid`, key, '');
  }
  const body = rowsOf(models, category).map(({ name, cellOf }) => {
    const totals = TOTALS.map((kind) => totalOf(kind, cellOf, TOTAL_RULES));
    const scores = totals.flatMap(({ kind, value }) => [
      ...DETAIL_SLOTS.map((slot) => valueAt(cellOf, slot, kind)),
      value,
    ]);
    const middle = includeMid ? totals.flatMap(({ parts }) => parts.map(({ value }) => value)) : [];
    return [name, ...scores.map(field), ...middle.map(field)];
  });
  return { name: `metrics_details/${category}_metrics_details.csv`, bom: false, records: [...head, ...body] };
}

function totalsTable(models: readonly Model[], categories: readonly string[]): Table {
  const columns = TOTALS.flatMap((kind) => categories.map((category) => ({ kind, category })));
  const body = models
    .filter((model) => categories.some((category) => rowsOf([model], category).length > 0))
    .map((model) => [
      model.name,
      ...columns.map(({ kind, category }) =>
        field(totalOf(kind, cellsOf(model, category), TOTAL_RULES).value),
      ),
    ]);
  return {
    name: 'metrics_details/category_total_scores_summary.csv',
    bom: true,
    records: [
      ['Metric', ...columns.map(({ kind }) => `${kind.prefix}_total`)],
      ['Category', ...columns.map(({ category }) => category)],
      ['Model', ...columns.map(() => '')],
      ...body,
    ],
  };
}

/** The mean over the settings of a split, a column a category; null where no category that it names has rows. */
function averageTable(models: readonly Model[], averaged: readonly string[]): Table | null {
  const all = [LANGUAGE, VISUAL].flatMap((scenarios) =>
    TOTALS.flatMap((kind) => averaged.map((title) => ({ slots: slotsOf(scenarios), kind, title }))),
  );
  const rows = models.map((model) => ({
    name: model.name,
    means: all.map(({ slots, kind, title }) => {
      const cellOf = cellsOf(model, title.toLowerCase());
      return meanOf(slots.map((slot) => valueAt(cellOf, slot, kind)));
    }),
  }));
  const kept = all.flatMap((column, at) =>
    rows.some(({ means }) => means[at] != null) ? [{ ...column, at }] : [],
  );
  if (kept.length === 0) return null;
  return {
    name: 'csv_files/model_category_average_scores.csv',
    bom: true,
    records: [
      ['Model', ...kept.map(({ slots }) => splitTitle(slots[0]!))],
      ['', ...kept.map(({ kind }) => titlesOf(kind).average)],
      ['', ...kept.map(({ kind, title }) => `${kind.prefix}_${title}`)],
      ...rows
        .filter(({ means }) => means.some((mean) => mean !== null))
        .map(({ name, means }) => [name, ...kept.map(({ at }) => field(means[at]))]),
    ],
  };
}

function meanOf(values: readonly (number | null)[]): number | null {
  const present = values.filter((value) => value !== null);
  return present.length === 0 ? null : present.reduce((sum, value) => sum + value, 0) / present.length;
}

function titlesOf(kind: TotalKind): { readonly score: string; readonly average: string } {
  return KIND_TITLES[kind.prefix]!;
}

/** A value, 0 where nothing could be counted; null where there is no such file, category or field. */
function valueAt(cellOf: CellOf, { scenario, polarity }: Slot, kind: TotalKind): number | null {
  const measured = cellOf(scenario, polarity)?.fields.get(kind.field);
  return measured === undefined ? null : (measured.value ?? TOTAL_RULES.empty);
}

function field(value: number | null | undefined): string {
  return value == null ? '' : pythonFloat(value);
}

/** Writes the tables below `folder`. Throws `bad_argument` for a category that makes no file name; of `writeAtomic`. */
export async function writeTables(folder: string, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables) checkName(name);
  for (const { name, bom, records } of tables) {
    const text = stringify(records as string[][], { record_delimiter: '\n', quoted_match: /\r/ });
    await writeAtomic(join(folder, name), [(bom ? '\uFEFF' : '') + text]);
  }
}

/** Categories come out of data, and name files here: none may lead elsewhere. */
function checkName(name: string): void {
  const parts = name.split('/');
  if (parts.length === 2 && !/[\\\p{Cc}]/u.test(name)) return;
  const message = `a category cannot be part of the file name ${JSON.stringify(name)}; rename it, or leave the mode out`;
  throw new AuditError('bad_argument', message, { name });
}
