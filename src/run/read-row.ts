/** A row as the suite's schema reads it, read once however many ask: where it belongs, its id, what it asks. */
import { type CheckedRow, checkRow, type DatasetRow } from '../dataset/index.ts';
import type { Suite } from '../suite/index.ts';

const readRows = new WeakMap<DatasetRow, { readonly suite: Suite; readonly checked: CheckedRow<unknown> }>();

export function readRow(suite: Suite, row: DatasetRow): CheckedRow<unknown> {
  const known = readRows.get(row);
  if (known?.suite === suite) return known.checked;
  const checked = checkRow(suite.schema, row);
  readRows.set(row, { suite, checked });
  return checked;
}
