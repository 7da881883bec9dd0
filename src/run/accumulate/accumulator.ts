/** What takes the rows of one metric, one after the other, and makes its value of them. */

import type { Fields, MetricDefinition, RowIdentity } from '../../contract/index.ts';
import { checkInterval, type IntervalOptions as Options } from '../../numbers/index.ts';
import type { RowClusters } from './clusters.ts';
import type { MetricValue } from './value.ts';

/** Of a run: how often a bootstrap draws (default 10,000), and its seed (default 0). */
export type IntervalOptions = Required<Pick<Options, 'ci' | 'level'>> & Pick<Options, 'resamples' | 'seed'>;

export const DEFAULT_RESAMPLES = 10_000;
export const DEFAULT_SEED = 0;

/** Before anything is measured, not hours later. Throws `bad_argument` for an interval that the metrics cannot have. */
export function checkIntervals(interval: IntervalOptions, metrics: readonly MetricDefinition[]): void {
  checkInterval(interval);
  // These have a bootstrap whatever the method of the others.
  if (metrics.some(({ kind }) => kind === 'composite')) checkInterval(interval, 1);
}

export interface Accumulator {
  /** A row that was measured; `row` is its number in the data. Default: it is its own cluster. */
  add(row: number, result: Fields, slices: RowIdentity['slices'], clusters?: RowClusters): void;
  /** A row that could not be asked. */
  addSkipped(row: number): void;
  value(options: IntervalOptions): Promise<MetricValue>;
}
