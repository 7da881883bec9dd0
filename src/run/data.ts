/** The data of a suite: its files, how they are read, and what is wrong with their rows. */
import { statSync } from 'node:fs';
import type { Suite } from '../contract/index.ts';
import {
  type DatasetOptions,
  type DatasetRow,
  filesIn,
  type IdOf,
  openDataset,
  type Survey,
  surveyDataset,
  uniqueIds,
} from '../dataset/index.ts';
import { AuditError } from '../errors.ts';
import { readRow, type SuiteOptions } from './read-row.ts';
import { checkChoice, drawSample, type Sample, type SampleChoice } from './sample.ts';

function readOptions({ rowsAt, unfold }: Suite): DatasetOptions {
  return { ...(rowsAt ? { rowsAt } : {}), ...(unfold ? { unfold } : {}) };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The files that are meant: a folder stands for those in it that the suite reads, where it reads folders. */
export function dataFiles(
  { name, filesIn: pattern, data: wanted }: Suite,
  data: string | readonly string[],
): readonly string[] {
  const paths = typeof data === 'string' ? [data] : data;
  return paths.flatMap((path) =>
    pattern && isFolder(path) ? filesIn(path, pattern, `for ${name} (${wanted})`) : [path],
  );
}

/** Throws, without reading them, for files that are not there or that the suite cannot read. */
export function checkDataFiles(suite: Suite, data: string | readonly string[]): void {
  openDataset(dataFiles(suite, data), readOptions(suite));
}

/**
 * Looks at all rows before a model is loaded for them. Throws what {@link surveyData} throws, the first bad row's error
 * where `strict` asks for it, and where no row can be used.
 */
export async function checkData(
  suite: Suite,
  data: string | readonly string[],
  options: SuiteOptions,
  { strict = false, ...part }: PartOfData & { readonly strict?: boolean } = {},
): Promise<void> {
  const files = dataFiles(suite, data);
  const sample = await sampleOf(suite, files, options, part);
  const { rows, invalid, firstError } = await surveyData(suite, files, options, part.limit, sample);
  if (firstError === undefined || (!strict && invalid < rows)) return;
  if (strict || rows === 1) throw firstError;
  const { code, message, data: place } = firstError;
  throw new AuditError(code, `${message} (none of the ${rows} rows can be used)`, place);
}

function idOf(suite: Suite, options: SuiteOptions): IdOf {
  return (row) => {
    const checked = readRow(suite, row, options);
    return checked.ok ? suite.identify(checked.value, row).id : null;
  };
}

/** Whether the run is about the row: of its sample, and of a suite that takes a part of its data only, those of that part. */
function keepOf(
  suite: Suite,
  options: SuiteOptions,
  sample: Sample | null = null,
): (row: DatasetRow) => boolean {
  return (row) => {
    if (sample !== null && !sample.chosen.has(row.index)) return false;
    if (!suite.belongs) return true;
    const checked = readRow(suite, row, options);
    // Where a row that cannot be read belongs is not known: every part counts it.
    return !checked.ok || suite.belongs!(checked.value, options);
  };
}

/** Which rows a run is about: the first, or a random sample. */
export interface PartOfData {
  readonly limit?: number | undefined;
  readonly sample?: SampleChoice | undefined;
}

/** Null where no sample is asked for. Throws `bad_argument` where the first rows are asked for as well. */
export async function sampleOf(
  suite: Suite,
  files: readonly string[],
  options: SuiteOptions,
  { limit, sample }: PartOfData,
): Promise<Sample | null> {
  if (sample === undefined) return null;
  checkChoice(sample, limit);
  const keep = keepOf(suite, options);
  return drawSample(
    suite,
    options,
    () => keptRows(openDataset(files, readOptions(suite)).rows(), keep),
    sample,
  );
}

/** Throws what `surveyDataset` throws, and `data_empty` where no row belongs to what the options ask for. */
export async function surveyData(
  suite: Suite,
  files: readonly string[],
  options: SuiteOptions,
  limit?: number,
  sample: Sample | null = null,
): Promise<Survey> {
  const survey = await surveyDataset(files, {
    ...readOptions(suite),
    ...(limit === undefined ? {} : { limit }),
    validate: (row) => {
      const checked = readRow(suite, row, options);
      return checked.ok ? null : checked.error;
    },
    idOf: idOf(suite, options),
    keep: keepOf(suite, options, sample),
  });
  if (survey.rows > 0) return survey;
  const message = `${files.join(', ')}: no row belongs to what ${suite.name} was asked for; give other options or other data`;
  throw new AuditError('data_empty', message, { files: [...files], suite: suite.name });
}

async function* keptRows(
  rows: AsyncIterable<DatasetRow>,
  keep: (row: DatasetRow) => boolean,
): AsyncGenerator<DatasetRow, void, undefined> {
  for await (const row of rows) if (keep(row)) yield row;
}

/** The first `count` rows that are meant; one with the id of an earlier one carries an error. */
export async function* dataRows(
  suite: Suite,
  files: readonly string[],
  options: SuiteOptions,
  count: number,
  sample: Sample | null = null,
): AsyncGenerator<DatasetRow> {
  let left = count;
  if (left <= 0) return;
  const keep = keepOf(suite, options, sample);
  const rows = keptRows(openDataset(files, readOptions(suite)).rows(), keep);
  for await (const row of uniqueIds(rows, idOf(suite, options))) {
    yield row;
    left -= 1;
    if (left <= 0) return;
  }
}
