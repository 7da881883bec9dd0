/** Clusters that a user names: columns of the data, instead of those of the suite. */

import type { RowIdentity } from '../contract/index.ts';
import type { DatasetRow } from '../dataset/index.ts';
import { AuditError } from '../errors.ts';

/** At most this many cross. */
const MOST = 2;

/** Columns of the data as they are published; none: each row is its own cluster. */
export type ChosenClusters = readonly string[];

function cells({ value }: DatasetRow): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

function clusterOf(cell: unknown): string | null {
  if (cell === undefined || cell === null || cell === '') return null;
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}

/** A row without a value there is its own cluster. */
export function identityWith(
  identity: RowIdentity,
  row: DatasetRow,
  chosen: ChosenClusters | null,
): RowIdentity {
  if (chosen === null) return identity;
  const { id, slices } = identity;
  if (chosen.length === 0) return { id, slices };
  const own = cells(row);
  return {
    id,
    slices,
    clusters: Object.fromEntries(
      chosen.map((column) => [column, clusterOf(Object.hasOwn(own, column) ? own[column] : null)]),
    ),
  };
}

/** Throws `bad_argument` for more than two columns, one twice, and a column that no row has a value of. */
export async function checkChosen(chosen: ChosenClusters, rows: AsyncIterable<DatasetRow>): Promise<void> {
  if (chosen.length > MOST || new Set(chosen).size < chosen.length) {
    const message = `cluster is ${chosen.join(',')}; give one column, or two different ones`;
    throw new AuditError('bad_argument', message, { key: 'cluster' });
  }
  const left = new Set(chosen);
  const found = new Set<string>();
  for await (const row of rows) {
    if (left.size === 0) return;
    const own = cells(row);
    for (const column of Object.keys(own)) found.add(column);
    for (const column of left) {
      if (Object.hasOwn(own, column) && clusterOf(own[column]) !== null) left.delete(column);
    }
  }
  const [missing] = left;
  if (missing === undefined) return;
  const message = `cluster: no row has a value in column ${JSON.stringify(missing)}; the data have ${[...found].join(', ') || 'no columns'}`;
  throw new AuditError('bad_argument', message, { key: 'cluster', column: missing, found: [...found] });
}
