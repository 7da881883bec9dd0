/** The mean difference between the two rows of many pairs. */

import type { DifferenceMetric, Fields, RowIdentity } from '../../contract/index.ts';
import type { Accumulator, IntervalOptions } from './accumulator.ts';
import { clusterIdsOf, ownCluster } from './clusters.ts';
import { Pairs } from './pairs.ts';
import { testDifference } from './test-difference.ts';
import { fromUnbiased } from './unbiased.ts';
import type { MetricValue } from './value.ts';

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

  async value(options: IntervalOptions): Promise<MetricValue> {
    const whole = this.#pairs.whole();
    const { unpaired } = this.#pairs;
    const head = { kind: 'difference', n: whole.length, unpaired, coverage: null } as const;
    if (whole.length === 0) {
      return { ...head, value: null, ci: null, pValue: null, reason: 'no two rows make a pair' };
    }
    const { range, yesNo, unbiased } = this.#metric;
    const [a, b] = [whole.map((pair) => pair.a), whole.map((pair) => pair.b)].map((values) =>
      Float64Array.from(values),
    ) as [Float64Array, Float64Array];
    const clustered = clusterIdsOf(whole.map(({ clusters }) => clusters));
    const ids = clustered?.ids ?? { cluster: Uint32Array.from(whole.keys()) };
    const columns = { a, b, ids, clustered: clustered !== null };
    const { value, ci, pValue, reason } = await testDifference(columns, yesNo === true, range, options);
    return {
      ...head,
      value,
      ci,
      pValue,
      // metrics.json has the reason of McNemar's test here, that of an interval at the end.
      ...(ci?.method === 'tango' ? { reason } : {}),
      ...fromUnbiased(unbiased, value, ci, pValue),
      ...(clustered ? { clusters: clustered.clusters } : {}),
      reason,
    };
  }
}
