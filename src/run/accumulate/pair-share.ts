/** The share of pairs of rows that are hits. */
import type { Fields, PairShareMetric, RowIdentity } from '../../contract/index.ts';
import type { Accumulator, IntervalOptions } from './accumulator.ts';
import { ownCluster } from './clusters.ts';
import { Pairs } from './pairs.ts';
import { shareOf } from './share.ts';
import type { MetricValue } from './value.ts';

export class PairShareAccumulator implements Accumulator {
  readonly #metric: PairShareMetric;
  readonly #pairs = new Pairs();

  constructor(metric: PairShareMetric) {
    this.#metric = metric;
  }

  add(row: number, result: Fields, slices: RowIdentity['slices'], clusters = ownCluster(row)): void {
    const own = this.#metric.side(result, slices);
    if (own !== null) this.#pairs.add(own, clusters);
  }

  addSkipped(): void {}

  async value({ level }: IntervalOptions): Promise<MetricValue> {
    const whole = this.#pairs.whole();
    const hits = whole.map(({ a, b }) => this.#metric.hit(a, b));
    const rows = whole.map(({ clusters }) => clusters);
    const found = shareOf(hits, rows, level, this.#metric.unbiased, 'no two rows make a pair');
    return { kind: 'share', unpaired: this.#pairs.unpaired, ...found };
  }
}
