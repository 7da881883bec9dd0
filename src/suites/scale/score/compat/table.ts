/** A table of the original, whose columns are there whatever its rows have. */
import type { Row } from '../../../../report/index.ts';

export interface OriginalTable {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** Columns of whole numbers whose names do not say so. */
  readonly whole?: readonly string[];
}
