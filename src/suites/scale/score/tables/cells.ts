/** What all tables say of a cell: how many rows it has, and what became of them. */
import type { CountedRow } from '../counted.ts';
import { ALL_TIERS, tierOrder } from '../parse-success.ts';

export interface CellCounts {
  readonly rows: number;
  /** Answers that could not be read, or that are not counted. */
  readonly failed: number;
  /** Of nobody among the participants. */
  readonly unmatched: number;
  /** Of participants without a score. */
  readonly no_truth: number;
}

export const COUNT_COLUMNS = ['rows', 'failed', 'unmatched', 'no_truth'] as const;

export function countsOf(rows: readonly CountedRow[]): CellCounts {
  const count = (status: CountedRow['status']) => rows.filter((row) => row.status === status).length;
  return {
    rows: rows.length,
    failed: count('error'),
    unmatched: count('unmatched'),
    no_truth: count('no_truth'),
  };
}

/** Rows by tier: all of them first, those without a tier too. */
export function tierCells(
  rows: readonly CountedRow[],
  known: readonly string[],
): { readonly tier: string; readonly rows: readonly CountedRow[] }[] {
  const byTier = groupBy(rows, ({ tier }) => tier);
  byTier.delete(null);
  const names = tierOrder(
    [...byTier.keys()].filter((tier) => tier !== null),
    known,
  );
  return [{ tier: ALL_TIERS, rows }, ...names.map((tier) => ({ tier, rows: byTier.get(tier)! }))];
}

export function groupBy<Key>(
  rows: readonly CountedRow[],
  keyOf: (row: CountedRow) => Key,
): Map<Key, CountedRow[]> {
  const parts = new Map<Key, CountedRow[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const part = parts.get(key);
    if (part === undefined) parts.set(key, [row]);
    else part.push(row);
  }
  return parts;
}
