/** The original's files between the stages: its columns alone, and cells as Python writes them. */
import { pythonFloat, type Row } from '../../../../report/index.ts';
import { originalEvaluationColumns } from '../evaluation-file.ts';
import type { Layout } from '../layout.ts';
import { originalColumns } from '../predictions.ts';

/** Columns of whole numbers; all others that hold numbers hold floats. */
const WHOLE = /^(?:row|n|n_\w+|band_distance_\w+)$/;

export const pythonLayout: Layout = {
  compat: true,
  predictions: originalColumns,
  evaluation: originalEvaluationColumns,
  covariates: ({ attributes }) =>
    attributes.filter(({ making }) => !['labels', 'number'].includes(making.kind)),
  repeats: true,
  cells: pythonCells,
  csv: { lineFeed: true },
};

/** Floats with a point, and True and False. */
export function pythonCells(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => {
      if (typeof value === 'boolean') return [key, value ? 'True' : 'False'];
      if (typeof value === 'number' && !WHOLE.test(key)) return [key, pythonFloat(value)];
      return [key, value];
    }),
  );
}

/** Cells that `read_csv` takes for missing, as its documentation lists them. */
const MISSING: ReadonlySet<string> = new Set([
  ...['', '#N/A', '#N/A N/A', '#NA', '-1.#IND', '-1.#QNAN', '-NaN', '-nan', '1.#IND', '1.#QNAN'],
  ...['<NA>', 'N/A', 'NA', 'NULL', 'NaN', 'None', 'n/a', 'nan', 'null'],
]);

/** The text of a cell, empty for one that is missing. */
export function pandasCell(text: string): string {
  return MISSING.has(text) ? '' : text;
}
