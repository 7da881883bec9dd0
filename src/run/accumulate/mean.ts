/** The gated mean over the steps of all rows. */
import type { Fields, MeanMetric, RowIdentity } from '../../suite/index.ts';
import type { Accumulator, IntervalOptions } from './accumulator.ts';
import { StepColumn } from './step-column.ts';
import type { MeanValue } from './value.ts';

export class MeanAccumulator implements Accumulator {
  readonly #metric: MeanMetric;
  readonly #column = new StepColumn();

  constructor(metric: MeanMetric) {
    this.#metric = metric;
  }

  add(row: number, result: Fields, slices: RowIdentity['slices']): void {
    const { values, gate } = this.#metric.steps(result, slices);
    this.#column.add(row, values, gate);
  }

  addSkipped(row: number): void {
    this.#column.addUngated(row, this.#metric.skippedSteps);
  }

  async value(options: IntervalOptions): Promise<MeanValue> {
    return { kind: 'mean', ...(await this.#column.aggregate(options)) };
  }
}
