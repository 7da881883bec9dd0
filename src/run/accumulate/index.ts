/** One accumulator for each rule by which rows become a number. */
import type { MetricDefinition } from '../../contract/index.ts';
import type { Accumulator } from './accumulator.ts';
import { CompositeAccumulator } from './composite.ts';
import { CorrelationAccumulator } from './correlation.ts';
import { DifferenceAccumulator } from './difference.ts';
import { MeanAccumulator } from './mean.ts';
import { PairShareAccumulator } from './pair-share.ts';
import { ShareAccumulator } from './share.ts';

export {
  type Accumulator,
  checkIntervals,
  DEFAULT_RESAMPLES,
  DEFAULT_SEED,
  type IntervalOptions,
} from './accumulator.ts';
export { type ClusterInfo, ClusterNumbers, type RowClusters } from './clusters.ts';
export * from './value.ts';

export function accumulatorOf(metric: MetricDefinition): Accumulator {
  switch (metric.kind) {
    case 'mean':
      return new MeanAccumulator(metric);
    case 'share':
      return new ShareAccumulator(metric);
    case 'difference':
      return new DifferenceAccumulator(metric);
    case 'pairShare':
      return new PairShareAccumulator(metric);
    case 'correlation':
      return new CorrelationAccumulator(metric);
    case 'composite':
      return new CompositeAccumulator(metric);
  }
}
