/** Scored files to tables: the tidy ones, or those of MultiBBQ's own program. */
import { join } from 'node:path';
import { writeCsv, writeJson } from '../../../report/index.ts';
import { originalTables, writeTables } from './compat/tables.ts';
import { type Model, modelsOf } from './models.ts';
import { folderOf } from './result-name.ts';
import type { ScoredFile } from './score-file.ts';
import { shownCategories, TIDY_COLUMNS, type TidyRow, tidyRows } from './tidy.ts';

/** Which tables are made. */
export interface AggregateOptions {
  readonly compat?: boolean | undefined;
  /** Categories to show beside `overall`: those that rows have, in compatibility mode the original's four, unless said. */
  readonly categories?: readonly string[] | undefined;
  /** Compatibility mode: the means of the two polarities too, which the tidy table always has. */
  readonly includeMid?: boolean | undefined;
  /** Compatibility mode: columns of the table of averages; Gender, Race, Religion, Age unless said. */
  readonly averaged?: readonly string[] | undefined;
  /** The model of files that lie in no folder; what their names say unless given. */
  readonly modelName?: string | undefined;
}

export interface Aggregated {
  /** Paths below the output folder. */
  readonly files: readonly string[];
  readonly models: readonly Model[];
  /** What the tidy table shows; made in compatibility mode too, though not written. */
  readonly rows: readonly TidyRow[];
  readonly notes: readonly string[];
}

const ORIGINAL_CATEGORIES = ['gender', 'race', 'religion', 'age'];
const ORIGINAL_AVERAGED = ['Gender', 'Race', 'Religion', 'Age'];

/** What {@link aggregate} writes below its folder. */
export function aggregateOutputs(compat: boolean): readonly string[] {
  return compat ? ['csv_files', 'metrics_details'] : ['metrics.csv', 'metrics.json'];
}

/** Whether a path below the folder is named as one of the tables whose number the categories decide. */
export function isTable(name: string): boolean {
  return /^(?:csv_files\/[^/]+_metrics_summary_sorted|metrics_details\/[^/]+_metrics_details)\.csv$/.test(
    name,
  );
}

/** Throws `bad_argument` for two files of one model and setting, and for what the tables cannot be named after. */
export async function aggregate(
  files: readonly ScoredFile[],
  folder: string,
  options: AggregateOptions = {},
): Promise<Aggregated> {
  return options.compat ? aggregateOriginal(files, folder, options) : aggregateTidy(files, folder, options);
}

async function aggregateTidy(
  files: readonly ScoredFile[],
  folder: string,
  { categories, modelName }: AggregateOptions,
): Promise<Aggregated> {
  const models = modelsOf(files, { given: modelName ?? null });
  const shown = shownCategories(models, categories ?? null);
  const rows = [...tidyRows(models, shown)];
  const there = new Set(rows.map(({ category }) => category));
  const notes = [
    ...shown.filter((category) => !there.has(category)).map((one) => `no row has the category "${one}"`),
    ...parserNotes(files),
  ];
  await writeCsv(join(folder, 'metrics.csv'), TIDY_COLUMNS, rows);
  await writeJson(join(folder, 'metrics.json'), {
    parsers: parsersOf(files),
    categories: shown,
    notes,
    metrics: rows,
  });
  return { files: aggregateOutputs(false), models, rows, notes };
}

async function aggregateOriginal(
  files: readonly ScoredFile[],
  folder: string,
  {
    categories = ORIGINAL_CATEGORIES,
    includeMid = false,
    averaged = ORIGINAL_AVERAGED,
    modelName,
  }: AggregateOptions,
): Promise<Aggregated> {
  const given = modelName ?? null;
  const models = modelsOf(files, { given, dropLoose: given === null });
  const { tables, notes } = originalTables(models, { categories, includeMid, averaged });
  const loose = given === null ? files.filter(({ name }) => folderOf(name) === '').length : 0;
  const dropped =
    loose === 0
      ? []
      : [
          `as in the original, ${loose} files in no folder are left out of the tables; give them a model's name`,
        ];
  await writeTables(folder, tables);
  return {
    files: tables.map(({ name }) => name),
    models,
    rows: [...tidyRows(models, shownCategories(models, null))],
    notes: [...dropped, ...notes, ...parserNotes(files)],
  };
}

function parsersOf(files: readonly ScoredFile[]): readonly string[] {
  return [...new Set(files.flatMap(({ parser }) => (parser === null ? [] : [parser])))];
}

function parserNotes(files: readonly ScoredFile[]): readonly string[] {
  const parsers = parsersOf(files);
  return parsers.length > 1 ? [`the files were read by different parsers (${parsers.join(', ')})`] : [];
}
