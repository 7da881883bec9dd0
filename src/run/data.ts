/** The data of a suite: its files, how they are read, and what is wrong with their rows. */
import { statSync } from 'node:fs';
import {
  checkRow,
  type DatasetOptions,
  type DatasetRow,
  filesIn,
  type IdOf,
  openDataset,
  type Survey,
  surveyDataset,
  uniqueIds,
} from '../dataset/index.ts';
import type { Suite } from '../suite/index.ts';

function readOptions({ rowsAt }: Suite): DatasetOptions {
  return rowsAt ? { rowsAt } : {};
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

function idOf(suite: Suite): IdOf {
  return (row) => {
    const checked = checkRow(suite.schema, row);
    return checked.ok ? suite.identify(checked.value, row).id : null;
  };
}

export function surveyData(suite: Suite, files: readonly string[], limit?: number): Promise<Survey> {
  return surveyDataset(files, {
    ...readOptions(suite),
    ...(limit === undefined ? {} : { limit }),
    validate: (row) => {
      const checked = checkRow(suite.schema, row);
      return checked.ok ? null : checked.error;
    },
    idOf: idOf(suite),
  });
}

/** The first `count` rows; one with the id of an earlier one carries an error. */
export async function* dataRows(
  suite: Suite,
  files: readonly string[],
  count: number,
): AsyncGenerator<DatasetRow> {
  let left = count;
  if (left <= 0) return;
  for await (const row of uniqueIds(openDataset(files, readOptions(suite)).rows(), idOf(suite))) {
    yield row;
    left -= 1;
    if (left <= 0) return;
  }
}
