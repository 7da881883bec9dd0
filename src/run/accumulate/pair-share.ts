/** The share of pairs of rows that are hits. */
import { wilson } from '../../metrics.ts';
import type { Fields, PairShareMetric, RowIdentity } from '../../suite/index.ts';
import type { Accumulator, IntervalOptions } from './accumulator.ts';
import { Pairs } from './pairs.ts';
import type { ShareValue } from './value.ts';

export class PairShareAccumulator implements Accumulator {
  readonly #metric: PairShareMetric;
  readonly #pairs = new Pairs();

  constructor(metric: PairShareMetric) {
    this.#metric = metric;
  }

  add(_row: number, result: Fields, slices: RowIdentity['slices']): void {
    const own = this.#metric.side(result, slices);
    if (own !== null) this.#pairs.add(own);
  }

  addSkipped(): void {}

  async value({ level }: IntervalOptions): Promise<ShareValue> {
    const whole = this.#pairs.whole();
    const hits = whole.filter(({ a, b }) => this.#metric.hit(a, b)).length;
    const head = { kind: 'share', hits, n: whole.length, unpaired: this.#pairs.unpaired } as const;
    if (whole.length === 0) return { ...head, mean: null, ci: null, reason: 'no two rows make a pair' };
    const { mean, low, high } = wilson(hits, whole.length, { level });
    return { ...head, mean, ci: { low, high, level, method: 'wilson' } };
  }
}
