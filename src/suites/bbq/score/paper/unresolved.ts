/** Which kinds of rows have no target, and why: enough to see what is missing in the data, in bounded memory. */

import { reportedCategory } from './category.ts';
import { type BbqRow, tagOf } from './row.ts';

export interface Unresolved {
  readonly category: string;
  readonly reason: string;
  /** Tags of the options, and the groups that they were held against. */
  readonly tags: readonly string[];
  readonly stereotypedGroups: readonly string[];
  readonly rows: number;
}

/** Kinds beyond these are counted together. */
const MOST_KINDS = 200;

export class UnresolvedTally {
  readonly #kinds = new Map<string, { kind: Omit<Unresolved, 'rows'>; rows: number }>();
  #others = 0;

  add(row: BbqRow, reason: string): void {
    const kind = {
      category: reportedCategory(row),
      reason,
      tags: row.info.map(tagOf).sort(),
      stereotypedGroups: row.stereotyped,
    };
    const key = JSON.stringify(kind);
    const known = this.#kinds.get(key);
    if (known !== undefined) known.rows += 1;
    else if (this.#kinds.size < MOST_KINDS) this.#kinds.set(key, { kind, rows: 1 });
    else this.#others += 1;
  }

  /** Most rows first. */
  list(): Unresolved[] {
    const kinds = [...this.#kinds.values()].map(({ kind, rows }) => ({ ...kind, rows }));
    kinds.sort((a, b) => b.rows - a.rows);
    if (this.#others === 0) return kinds;
    const rest = { category: '', reason: 'of other kinds', tags: [], stereotypedGroups: [] };
    return [...kinds, { ...rest, rows: this.#others }];
  }
}
