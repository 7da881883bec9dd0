/** Pairs of rows, put together by the key that both have. */
import type { PairSide } from '../../contract/index.ts';
import type { RowClusters } from './clusters.ts';

/** A pair of which both sides are there. */
export interface Pair {
  readonly pair: string;
  readonly a: number;
  readonly b: number;
  /** Those of its row a. */
  readonly clusters: RowClusters;
}

export class Pairs {
  readonly #pairs = new Map<string, { a?: number; b?: number; clusters?: RowClusters }>();
  #repeated = 0;

  /** Of two rows of one key and side the first is taken; the other has no partner. */
  add({ pair: key, side, value }: PairSide, clusters: RowClusters): void {
    const pair = this.#pairs.get(key) ?? {};
    if (pair[side] === undefined) {
      pair[side] = value;
      if (side === 'a') pair.clusters = clusters;
    } else this.#repeated += 1;
    this.#pairs.set(key, pair);
  }

  /** The pairs of which both sides are there. */
  whole(): Pair[] {
    return [...this.#pairs].flatMap(([pair, { a, b, clusters }]) =>
      a === undefined || b === undefined || clusters === undefined ? [] : [{ pair, a, b, clusters }],
    );
  }

  /** Rows without a partner. */
  get unpaired(): number {
    return this.#pairs.size - this.whole().length + this.#repeated;
  }
}
