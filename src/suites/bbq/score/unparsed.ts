/** Answers that could not be read, by why: a model that declines is not one that rambles. */
import type { UnparsedReason } from '../../../parse/index.ts';

/** How many for each reason that there was. */
export type Unparsed = Readonly<Partial<Record<UnparsedReason, number>>>;

export class UnparsedTally {
  readonly #counts = new Map<UnparsedReason, number>();

  add(reason: UnparsedReason): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
  }

  /** The most frequent first. */
  counts(): Unparsed {
    return Object.fromEntries([...this.#counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)));
  }
}
