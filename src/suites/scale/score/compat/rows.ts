/** What the original's tables have in common: how rows are split by tier and group, and means that may be missing. */
import { type Attribute, hasGroups } from '../attributes/index.ts';
import type { CountedRow } from '../counted.ts';

/** How files name what is missing: pandas has one word for plain columns and one for columns that were made. */
export function missingName({ making }: Attribute): string {
  return making.kind === 'bins' || making.kind === 'groups' ? '<NA>' : 'nan';
}

/** The tier of rows without one, in tables that have such rows. */
export const NO_TIER = 'nan';

/** Attributes that rows are split by, with their place among all. */
export function groupings(attributes: readonly Attribute[]): { attribute: Attribute; at: number }[] {
  return attributes
    .map((attribute, at) => ({ attribute, at }))
    .filter(({ attribute }) => hasGroups(attribute));
}

/** Rows by a key, in the order of the keys; those without one last. */
export function splitBy(
  rows: readonly CountedRow[],
  keyOf: (row: CountedRow) => string | null,
): [string | null, CountedRow[]][] {
  const parts = new Map<string | null, CountedRow[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const part = parts.get(key);
    if (part === undefined) parts.set(key, [row]);
    else part.push(row);
  }
  return [...parts].sort(([a], [b]) => (a === null ? 1 : b === null ? -1 : a < b ? -1 : 1));
}

/** Null for no numbers. */
export function meanOf(numbers: readonly number[]): number | null {
  if (numbers.length === 0) return null;
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** Rows in which every side has an error: only they count for errors. */
export function usable(rows: readonly CountedRow[]): CountedRow[] {
  return rows.filter(({ sides }) => sides.every(({ absError }) => absError !== null));
}

/** The numbers of a side that are there. */
export function present<T>(rows: readonly CountedRow[], of: (row: CountedRow) => T | null): T[] {
  return rows.map(of).filter((value): value is T => value !== null);
}
