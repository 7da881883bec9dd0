/** How the files between the stages are laid out: this program's way, and the original's. */
import type { CsvColumn, CsvOptions, Row } from '../../../report/index.ts';
import type { AttributeTable } from './attributes/index.ts';
import { evaluationColumns } from './evaluation-file.ts';
import { predictionColumns } from './predictions.ts';
import type { Side } from './sides.ts';

export interface Layout {
  /** Is it the original's? */
  readonly compat: boolean;
  readonly predictions: (sides: readonly Side[]) => CsvColumn[];
  readonly evaluation: (sides: readonly Side[], about: readonly string[]) => CsvColumn[];
  /** Attributes that the file of covariates holds; those that it lacks are columns of the evaluation. */
  readonly covariates: (table: AttributeTable) => AttributeTable['attributes'];
  /** Do files of participants have every row, or the first of each id? */
  readonly repeats: boolean;
  /** Numbers and truth values as the files have them. */
  readonly cells: (row: Row) => Row;
  readonly csv: CsvOptions;
}

export const OWN_LAYOUT: Layout = {
  compat: false,
  predictions: predictionColumns,
  evaluation: evaluationColumns,
  covariates: ({ attributes }) => attributes,
  repeats: false,
  cells: (row) => row,
  csv: {},
};
