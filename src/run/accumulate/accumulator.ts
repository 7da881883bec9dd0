/** What takes the rows of one metric, one after the other, and makes its value of them. */

import type { Fields, RowIdentity } from '../../contract/index.ts';
import type { IntervalMethod } from '../../numbers/index.ts';
import type { RowClusters } from './clusters.ts';
import type { MetricValue } from './value.ts';

/** Method, level, seed and number of resamples of an interval. */
export interface IntervalOptions {
  readonly ci: IntervalMethod;
  readonly level: number;
  /** Of a bootstrap, which draws rows: how often (default 10,000), and the seed, a whole number (default 0). */
  readonly resamples?: number;
  readonly seed?: number;
}

export const DEFAULT_RESAMPLES = 10_000;
export const DEFAULT_SEED = 0;

export interface Accumulator {
  /** A row that was measured; `row` is its number in the data. Default: it is its own cluster. */
  add(row: number, result: Fields, slices: RowIdentity['slices'], clusters?: RowClusters): void;
  /** A row that could not be asked. */
  addSkipped(row: number): void;
  value(options: IntervalOptions): Promise<MetricValue>;
}
