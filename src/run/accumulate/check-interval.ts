/** Whether an interval can be worked out as asked: told before anything is measured, not after hours of it. */

import type { MetricDefinition } from '../../contract/index.ts';
import { aggregateSync, percentileIntervalSync } from '../../numbers/index.ts';
import { DEFAULT_RESAMPLES, type IntervalOptions } from './accumulator.ts';

/** Two rows, for the metric core's own checks. */
const VALUES = Float64Array.of(0, 1);
const CLUSTERS = Uint32Array.of(0, 1);

/** Throws `bad_argument` for a method, a level, a seed or a number of resamples that the metrics cannot have. */
export function checkInterval(interval: IntervalOptions, metrics: readonly MetricDefinition[]): void {
  aggregateSync(VALUES, { cluster: CLUSTERS, ...interval });
  const { resamples = DEFAULT_RESAMPLES, level } = interval;
  // These have a bootstrap whatever the method of the others.
  if (!metrics.some(({ kind }) => kind === 'composite')) return;
  aggregateSync(VALUES, { cluster: CLUSTERS, ...interval, ci: 'bootstrap' });
  percentileIntervalSync(new Float64Array(resamples), { level });
}
