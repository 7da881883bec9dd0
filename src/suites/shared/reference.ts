/** What the reference project's numbers have in common. */
import type { MetricFigures } from '../../contract/suite.ts';

/** What it puts behind a mean: half the width of the interval, and 0 where there are too few values for one. */
export function halfWidth({ ci }: MetricFigures): number {
  return ci === null ? 0 : (ci.high - ci.low) / 2;
}
