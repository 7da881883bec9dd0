/** What the command prints of a row: one record, nested as JSON has it, and flat as CSV has it. */
import type { Nested } from '../../report/index.ts';

/** The records of the rows of one block after the other, in order. */
export type Records = AsyncGenerator<Nested[], void, undefined>;

/** A file measured: the columns of its CSV, which are known before a row is, and the rows. */
export interface Measured {
  readonly columns: readonly string[];
  readonly rows: number;
  readonly records: Records;
}

/** A number that JSON can hold: an infinite one by its name, as in "inf". */
export function tellable(value: number): number | string {
  if (value === Number.POSITIVE_INFINITY) return 'inf';
  return value === Number.NEGATIVE_INFINITY ? '-inf' : value;
}
