/** The mean difference between the two rows of many pairs. */

import type { DifferenceMetric, Fields, RowIdentity } from '../../contract/index.ts';
import { pairedDifference } from '../../numbers/index.ts';
import type { Accumulator, IntervalOptions } from './accumulator.ts';
import { clusterIdsOf, ownCluster } from './clusters.ts';
import { Pairs } from './pairs.ts';
import { sharesDifference } from './shares-difference.ts';
import { fromUnbiased } from './unbiased.ts';
import type { DifferenceValue } from './value.ts';

export class DifferenceAccumulator implements Accumulator {
  readonly #metric: DifferenceMetric;
  readonly #pairs = new Pairs();

  constructor(metric: DifferenceMetric) {
    this.#metric = metric;
  }

  add(row: number, result: Fields, slices: RowIdentity['slices'], clusters = ownCluster(row)): void {
    const own = this.#metric.side(result, slices);
    if (own !== null) this.#pairs.add(own, clusters);
  }

  addSkipped(): void {}

  async value(options: IntervalOptions): Promise<DifferenceValue> {
    const whole = this.#pairs.whole();
    const head = { kind: 'difference', n: whole.length, unpaired: this.#pairs.unpaired } as const;
    if (whole.length === 0) {
      return { ...head, mean: null, ci: null, pValue: null, reason: 'no two rows make a pair' };
    }
    const { range, yesNo, unbiased } = this.#metric;
    const [a, b] = [whole.map((pair) => pair.a), whole.map((pair) => pair.b)].map((values) =>
      Float64Array.from(values),
    ) as [Float64Array, Float64Array];
    const clustered = clusterIdsOf(whole.map(({ clusters }) => clusters));
    if (yesNo && !clustered) {
      const found = sharesDifference(a, b, options.level);
      return { ...head, ...found, ...fromUnbiased(unbiased, found.mean, found.ci, found.pValue) };
    }
    const { mean, ci, pValue, reason } = await pairedDifference(a, b, {
      ...(clustered?.ids ?? { cluster: Uint32Array.from(whole.keys()) }),
      ...(range ? { range } : {}),
      ...options,
    });
    return {
      ...head,
      mean,
      ci: ci ?? null,
      pValue: pValue ?? null,
      ...fromUnbiased(unbiased, mean, ci, pValue),
      ...(clustered?.clusters ? { clusters: clustered.clusters } : {}),
      ...(reason ? { reason } : {}),
    };
  }
}
