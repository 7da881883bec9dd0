/** The gated mean over the steps of all rows. */
import type { Fields, MeanMetric, RowIdentity } from '../../contract/index.ts';
import type { Accumulator, IntervalOptions } from './accumulator.ts';
import { ownCluster } from './clusters.ts';
import { StepColumn } from './step-column.ts';
import { fromUnbiased } from './unbiased.ts';
import type { MetricValue } from './value.ts';

export class MeanAccumulator implements Accumulator {
  readonly #metric: MeanMetric;
  readonly #column = new StepColumn();

  constructor(metric: MeanMetric) {
    this.#metric = metric;
  }

  add(row: number, result: Fields, slices: RowIdentity['slices'], clusters = ownCluster(row)): void {
    const { values, gate } = this.#metric.steps(result, slices);
    this.#column.add(clusters, values, gate);
  }

  addSkipped(): void {
    this.#column.addUngated(this.#metric.skippedSteps);
  }

  async value(options: IntervalOptions): Promise<MetricValue> {
    const { range, unbiased, sides } = this.#metric;
    const found = await this.#column.mean(options, range);
    if (unbiased === undefined || found.value === null) return found;
    const { pValue, ...test } = await this.#column.testAgainst(unbiased, sides === true, options, range);
    return { ...found, ...fromUnbiased(unbiased, found.value, found.ci, pValue, test) };
  }
}
