/** Pairs of rows, put together by the key that both have. */
import type { PairSide } from '../../suite/index.ts';

export class Pairs {
  readonly #pairs = new Map<string, { a?: number; b?: number }>();

  add({ pair: key, side, value }: PairSide): void {
    const pair = this.#pairs.get(key) ?? {};
    pair[side] = value;
    this.#pairs.set(key, pair);
  }

  /** The pairs of which both sides are there. */
  whole(): { readonly pair: string; readonly a: number; readonly b: number }[] {
    return [...this.#pairs].flatMap(([pair, { a, b }]) =>
      a === undefined || b === undefined ? [] : [{ pair, a, b }],
    );
  }

  /** Keys of which one side is there. */
  get unpaired(): number {
    return this.#pairs.size - this.whole().length;
  }
}
