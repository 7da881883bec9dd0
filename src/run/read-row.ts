/** A row as the suite's schema reads it, read once however many ask: where it belongs, its id, what it asks. */

import type { OptionTable, OptionValues, Suite } from '../contract/index.ts';
import { type CheckedRow, checkRow, type DatasetRow } from '../dataset/index.ts';

export type SuiteOptions = OptionValues<OptionTable>;

const readRows = new WeakMap<
  DatasetRow,
  { readonly schema: Suite['schema']; readonly checked: CheckedRow<unknown> }
>();
const schemas = new WeakMap<SuiteOptions, Suite['schema']>();

function schemaOf(suite: Suite, options: SuiteOptions): Suite['schema'] {
  if (!suite.schemaWith) return suite.schema;
  const known = schemas.get(options);
  if (known) return known;
  const schema = suite.schemaWith(options);
  schemas.set(options, schema);
  return schema;
}

export function readRow(suite: Suite, row: DatasetRow, options: SuiteOptions): CheckedRow<unknown> {
  const schema = schemaOf(suite, options);
  const known = readRows.get(row);
  if (known?.schema === schema) return known.checked;
  const checked = checkRow(schema, row);
  readRows.set(row, { schema, checked });
  return checked;
}
