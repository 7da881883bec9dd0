/** Rows as accumulators take them: a metric over plain fields, fed one row after the other. */

import type { Fields, MetricDefinition } from '../../../src/contract/index.ts';
import { type Accumulator, accumulatorOf, type IntervalOptions } from '../../../src/run/accumulate/index.ts';

export const INTERVAL: IntervalOptions = { ci: 'cluster', level: 0.95 };

/** null: a row that was skipped. */
export function filled(metric: MetricDefinition, rows: readonly (Fields | null)[]): Accumulator {
  const accumulator = accumulatorOf(metric);
  rows.forEach((row, index) => {
    if (row === null) accumulator.addSkipped(index);
    else accumulator.add(index, row, {});
  });
  return accumulator;
}

/** Numbers that look like data, the same each time. */
export function spread(count: number, seed: number): number[] {
  return Array.from({ length: count }, (_, i) => Math.sin((i + 1) * 12.9898 + seed * 78.233) * 3 + (i % 4));
}
