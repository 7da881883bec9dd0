/** What a metric came to, by the rule that made it. Absent is null with a reason, never 0. */

import type { MetricFigures } from '../../contract/index.ts';
import type { AggregateResult } from '../../numbers/index.ts';
import type { Adjusted } from '../adjust.ts';
import type { ClusterInfo } from './clusters.ts';

/** An interval by whatever method. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  readonly level: number;
  readonly method: string;
}

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
  readonly ci: Interval | null;
}

/** Where the metric declares the value of an unbiased model. */
interface Biased {
  readonly unbiased?: FromUnbiased;
}

/** Of every kind but correlations. */
interface Clustered extends Biased {
  /** By what the rows were clustered; left out where each row (or pair of rows) is its own cluster. */
  readonly clusters?: ClusterInfo;
}

export type MeanValue = { readonly kind: 'mean' } & Clustered & AggregateResult;

export interface ShareValue extends Clustered {
  readonly kind: 'share';
  /** hits / n; null for no row. */
  readonly mean: number | null;
  readonly hits: number;
  /** Rows that were hit or missed, or pairs of rows. */
  readonly n: number;
  /** Of pairs: rows without their partner. */
  readonly unpaired?: number;
  readonly ci: Interval | null;
  readonly reason?: string;
}

export interface DifferenceValue extends Clustered {
  readonly kind: 'difference';
  readonly mean: number | null;
  /** Pairs of rows. */
  readonly n: number;
  /** Rows without their partner. */
  readonly unpaired: number;
  /** Of two shares without clusters Tango's. */
  readonly ci: Interval | null;
  /** Two-sided, of a mean difference of 0; with Tango's interval McNemar's. */
  readonly pValue: number | null;
  readonly reason?: string;
}

export interface CorrelationValue extends Biased {
  readonly kind: 'correlation';
  /** Pearson's r. */
  readonly value: number | null;
  /** Groups. */
  readonly n: number;
  readonly ci: Interval | null;
  readonly pValue: number | null;
  readonly reason?: string;
}

export interface CompositeValue extends Clustered {
  readonly kind: 'composite';
  readonly value: number | null;
  /** Rows that took part. */
  readonly n: number;
  readonly ci: Interval | null;
  readonly reason?: string;
}

export type MetricValue = MeanValue | ShareValue | DifferenceValue | CorrelationValue | CompositeValue;

/** The same few figures of any metric. */
export function figuresOf(value: MetricValue): MetricFigures {
  const { ci } = value;
  switch (value.kind) {
    case 'mean': {
      const { mean, gatedSteps, coverage, n } = value;
      // A mean over no steps is no measurement; gatedSteps says why.
      return {
        value: gatedSteps > 0 ? mean : null,
        n: gatedSteps,
        coverage: n > 0 ? coverage : null,
        ci: ci ?? null,
      };
    }
    case 'share':
    case 'difference':
      return { value: value.mean, n: value.n, coverage: null, ci };
    case 'correlation':
    case 'composite':
      return { value: value.value, n: value.n, coverage: null, ci };
  }
}
