/** Pairs of rows, put together by the key that both have. */
import type { PairSide } from '../../suite/index.ts';

export class Pairs {
  readonly #pairs = new Map<string, { a?: number; b?: number }>();
  #repeated = 0;

  /** Of two rows of one key and side the first is taken; the other has no partner. */
  add({ pair: key, side, value }: PairSide): void {
    const pair = this.#pairs.get(key) ?? {};
    if (pair[side] === undefined) pair[side] = value;
    else this.#repeated += 1;
    this.#pairs.set(key, pair);
  }

  /** The pairs of which both sides are there. */
  whole(): { readonly pair: string; readonly a: number; readonly b: number }[] {
    return [...this.#pairs].flatMap(([pair, { a, b }]) =>
      a === undefined || b === undefined ? [] : [{ pair, a, b }],
    );
  }

  /** Rows without a partner. */
  get unpaired(): number {
    return this.#pairs.size - this.whole().length + this.#repeated;
  }
}
