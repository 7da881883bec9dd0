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
  type SurveyPart,
  surveyParts,
  uniqueIds,
} from '../dataset/index.ts';
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

/** Does something for the run at a place in a list, whose faults it may name. */
export type Named = <T>(index: number, action: () => T | Promise<T>) => Promise<T>;

/** What is looked at of a run's data. */
interface Surveyed extends Pick<PartOfData, 'limit'> {
  readonly suite: Suite;
  readonly files: readonly string[];
  readonly options: SuiteOptions;
  readonly sample: Sample | null;
}

/**
 * The survey of each, where several are about the same files in one pass. Throws what `surveyParts` throws, under what
 * `named` makes of it for the first of them.
 */
export async function surveyRuns(all: readonly Surveyed[], named: Named): Promise<Survey[]> {
  const groups = new Map<string, Surveyed[]>();
  for (const one of all) {
    const key = JSON.stringify([one.suite.name, one.files]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const surveys = new Map<Surveyed, Survey>();
  for (const group of groups.values()) {
    const { suite, files } = group[0]!;
    const found = await named(all.indexOf(group[0]!), () =>
      surveyParts(files, group.map(partOf), readOptions(suite)),
    );
    for (const [at, one] of group.entries()) surveys.set(one, found[at]!);
  }
  return all.map((one) => surveys.get(one)!);
}

function partOf({ suite, options, sample, limit }: Surveyed): SurveyPart {
  return {
    ...(limit === undefined ? {} : { limit }),
    validate: (row) => {
      const checked = readRow(suite, row, options);
      return checked.ok ? null : checked.error;
    },
    idOf: idOf(suite, options),
    keep: keepOf(suite, options, sample),
  };
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
