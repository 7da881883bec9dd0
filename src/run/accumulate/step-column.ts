/**
 * The steps of one metric over many rows, 13 bytes each (17 where rows are clustered in two ways): what an interval is worked
 * out from. It is all of a run that grows with its rows.
 */

import type { MetricHead } from '../../contract/index.ts';
import { aggregate, pairedDifference, signFlip } from '../../numbers/index.ts';
import type { IntervalOptions } from './accumulator.ts';
import { clusterIds, type RowClusters } from './clusters.ts';
import type { MetricValue } from './value.ts';

/** Many slices have a handful of rows. */
const FIRST_CAPACITY = 8;
const GROWTH = 1.5;

/**
 * A skipped row is a step that was not gated, so that coverage is the share of rows that could be measured; a failed row
 * is no step at all. A row's steps are in the clusters of the row.
 */
export class StepColumn {
  #steps = 0;
  #values = new Float64Array(FIRST_CAPACITY);
  #gate = new Uint8Array(FIRST_CAPACITY);
  /** By what rows are clustered, and a column for each way. */
  #by: readonly string[] = [];
  #clusters = [new Uint32Array(FIRST_CAPACITY)];

  /** `gate` has 0 or 1 for each value; without one all count. */
  add({ by, ids }: RowClusters, values: readonly number[], gate?: readonly number[]): void {
    this.#by = by;
    while (this.#clusters.length < ids.length) this.#clusters.push(new Uint32Array(this.#values.length));
    values.forEach((value, step) => {
      this.#push(ids, value, gate?.[step] === 0 ? 0 : 1);
    });
  }

  addUngated(steps: number): void {
    for (let step = 0; step < steps; step += 1) this.#push([], 0, 0);
  }

  /** Without a step that counts there is no mean. */
  async mean(interval: IntervalOptions, range: MetricHead['range']): Promise<MetricValue> {
    if (this.#steps === 0) {
      const reason = 'no row was measured or skipped';
      return { kind: 'mean', value: null, steps: 0, n: 0, coverage: null, ci: null, reason };
    }
    const { values, gate, ids, clusters } = this.#columns();
    const found = await aggregate(values, { gate, ...ids, ...(range ? { range } : {}), ...interval });
    const { mean, n: steps, gatedSteps: n, coverage, ci, reason = null } = found;
    const value = n === 0 ? null : mean;
    return { kind: 'mean', value, steps, n, coverage, ci, reason, ...(clusters ? { clusters } : {}) };
  }

  /**
   * The two-sided test that the mean is `value`, by the method and on the scale of the interval; there must be a step that counts. Of
   * differences of two `sides`, held against 0, by sign flips of clusters; but not of two ways that cross, where no flip leaves both alone.
   */
  async testAgainst(
    value: number,
    sides: boolean,
    interval: IntervalOptions,
    range: MetricHead['range'],
  ): Promise<{ readonly pValue: number | null; readonly nullHigh?: number | null }> {
    const { values, gate, ids } = this.#columns();
    if (sides && ids.cluster2 === undefined) {
      const { ci: _, ...drawn } = interval;
      const counts = (_: number, step: number) => gate[step] === 1;
      const cluster = ids.cluster.filter(counts);
      const { pValue, nullHigh } = await signFlip(values.filter(counts), { cluster, ...drawn });
      return { pValue, nullHigh };
    }
    const { pValue } = await pairedDifference(values, new Float64Array(values.length).fill(value), {
      gate,
      ...ids,
      ...(range ? { range: [range[0] - value, range[1] - value] as const } : {}),
      ...interval,
    });
    return { pValue };
  }

  #columns() {
    const gate = this.#gate.subarray(0, this.#steps);
    const columns = this.#clusters.map((ids) => ids.subarray(0, this.#steps));
    return { values: this.#values.subarray(0, this.#steps), gate, ...clusterIds(this.#by, columns, gate) };
  }

  #push(ids: readonly number[], value: number, gate: 0 | 1): void {
    const at = this.#steps;
    if (at === this.#values.length) this.#grow(Math.ceil(at * GROWTH));
    this.#values[at] = value;
    this.#gate[at] = gate;
    for (const [way, column] of this.#clusters.entries()) column[at] = ids[way] ?? 0;
    this.#steps += 1;
  }

  #grow(capacity: number): void {
    const values = new Float64Array(capacity);
    const gate = new Uint8Array(capacity);
    values.set(this.#values);
    gate.set(this.#gate);
    this.#values = values;
    this.#gate = gate;
    this.#clusters = this.#clusters.map((ids) => {
      const grown = new Uint32Array(capacity);
      grown.set(ids);
      return grown;
    });
  }
}
