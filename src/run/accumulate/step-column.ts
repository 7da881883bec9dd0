/**
 * The steps of one metric over many rows, 13 bytes each: what an interval is worked out from. It is all of a run that
 * grows with its rows.
 */
import { type AggregateResult, aggregate } from '../../metrics.ts';
import type { IntervalOptions } from './accumulator.ts';

/** Where every row failed. */
const NO_STEPS: AggregateResult = {
  mean: 0,
  n: 0,
  gatedSteps: 0,
  coverage: 0,
  ci: null,
  reason: 'no row was measured or skipped',
};

/** Many slices have a handful of rows. */
const FIRST_CAPACITY = 8;
const GROWTH = 1.5;

/**
 * A skipped row is a step that was not gated, so that coverage is the share of rows that could be measured; a failed row
 * is no step at all. A row's steps form one cluster.
 */
export class StepColumn {
  #steps = 0;
  #values = new Float64Array(FIRST_CAPACITY);
  #gate = new Uint8Array(FIRST_CAPACITY);
  #cluster = new Uint32Array(FIRST_CAPACITY);

  /** `gate` has 0 or 1 for each value; without one all count. */
  add(row: number, values: readonly number[], gate?: readonly number[]): void {
    values.forEach((value, step) => {
      this.#push(row, value, gate?.[step] === 0 ? 0 : 1);
    });
  }

  addUngated(row: number, steps: number): void {
    for (let step = 0; step < steps; step += 1) this.#push(row, 0, 0);
  }

  async aggregate(interval: IntervalOptions): Promise<AggregateResult> {
    if (this.#steps === 0) return NO_STEPS;
    return aggregate(this.#values.subarray(0, this.#steps), {
      gate: this.#gate.subarray(0, this.#steps),
      cluster: this.#cluster.subarray(0, this.#steps),
      ...interval,
    });
  }

  #push(row: number, value: number, gate: 0 | 1): void {
    const at = this.#steps;
    if (at === this.#values.length) this.#grow(Math.ceil(at * GROWTH));
    this.#values[at] = value;
    this.#gate[at] = gate;
    this.#cluster[at] = row;
    this.#steps += 1;
  }

  #grow(capacity: number): void {
    const values = new Float64Array(capacity);
    const gate = new Uint8Array(capacity);
    const cluster = new Uint32Array(capacity);
    values.set(this.#values);
    gate.set(this.#gate);
    cluster.set(this.#cluster);
    this.#values = values;
    this.#gate = gate;
    this.#cluster = cluster;
  }
}
