/** The share of rows that are hits, with Wilson's interval. */
import { wilson } from '../../metrics.ts';
import type { Fields, RowIdentity, ShareMetric } from '../../suite/index.ts';
import type { Accumulator, IntervalOptions } from './accumulator.ts';
import type { ShareValue } from './value.ts';

export class ShareAccumulator implements Accumulator {
  readonly #metric: ShareMetric;
  #hits = 0;
  #n = 0;

  constructor(metric: ShareMetric) {
    this.#metric = metric;
  }

  add(_row: number, result: Fields, slices: RowIdentity['slices']): void {
    const hit = this.#metric.hit(result, slices);
    if (hit === null) return;
    this.#n += 1;
    if (hit) this.#hits += 1;
  }

  addSkipped(): void {}

  async value({ level }: IntervalOptions): Promise<ShareValue> {
    const [hits, n] = [this.#hits, this.#n];
    if (n === 0) return { kind: 'share', mean: null, hits, n, ci: null, reason: 'no row counts' };
    const { mean, low, high } = wilson(hits, n, { level });
    return { kind: 'share', mean, hits, n, ci: { low, high, level, method: 'wilson' } };
  }
}
