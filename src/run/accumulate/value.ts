/** What a metric came to, by whatever rule. */

import type { MetricDefinition, MetricFigures } from '../../contract/index.ts';
import type { Estimate, MadeInterval } from '../../numbers/estimate.ts';
import type { Adjusted } from '../adjust.ts';
import type { ClusterInfo } from './clusters.ts';

/** What is said of a number whose metric declares an unbiased value. */
export interface FromUnbiased extends Adjusted {
  /** The value of an unbiased model. */
  readonly value: number;
  /** Two-sided, of this value: below 1 - level exactly where the number's interval leaves it out. */
  readonly pValue: number | null;
  /** Adjusted for all such p-values of the run, those of slices included; null as long as they are not known. */
  readonly pHolm: number | null;
  readonly pBH: number | null;
  /** Where it was tested by sign flips: the size of the mean that the share `level` of flips does not exceed. */
  readonly nullHigh?: number | null;
  /** |number - value|, and what |x - value| can be for x within the number's interval. */
  readonly distance: number;
  readonly ci: MadeInterval | null;
}

/** An estimate with a two-sided p-value of 0. */
export interface TestedEstimate extends Estimate<MadeInterval> {
  readonly pValue: number | null;
}

export interface MetricValue extends MetricFigures, Estimate<MadeInterval> {
  readonly kind: Exclude<MetricDefinition['kind'], 'pairShare'>;
  readonly ci: MadeInterval | null;
  /** Of a mean: all steps, gated or not; `n` are the gated ones. */
  readonly steps?: number;
  /** Of a share. */
  readonly hits?: number;
  /** Of pairs of rows: rows without their partner. */
  readonly unpaired?: number;
  /** Of a difference or a correlation: two-sided, of 0; with Tango's interval McNemar's. */
  readonly pValue?: number | null;
  /** By what the rows were clustered; left out where each row (or pair of rows) is its own cluster. */
  readonly clusters?: ClusterInfo;
  /** Where the metric declares the value of an unbiased model. */
  readonly unbiased?: FromUnbiased;
}

/** What metrics.json calls them, by kind; other names are as they are. */
const NAMES: Readonly<Record<MetricValue['kind'], Readonly<Record<string, string>>>> = {
  mean: { value: 'mean', steps: 'n', n: 'gatedSteps' },
  share: { value: 'mean' },
  difference: { value: 'mean' },
  correlation: {},
  composite: {},
};

/** A value as metrics.json has it, its keys in their order. */
export function metricJson(value: MetricValue): Readonly<Record<string, unknown>> {
  const isMean = value.kind === 'mean';
  const names = NAMES[value.kind];
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, own]) => {
      if (key === 'coverage' ? !isMean : key === 'reason' && own === null) return [];
      // A mean over no steps is 0 there: gatedSteps says that it is no measurement.
      const absent = isMean && (key === 'value' || key === 'coverage') && own === null;
      return [[names[key] ?? key, absent ? 0 : own]];
    }),
  );
}
