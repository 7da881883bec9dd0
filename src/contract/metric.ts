/**
 * The numbers that a suite makes of its rows' results, as data: what each row contributes, and by which of six rules
 * the contributions become one number with an interval. How the rules are worked out is the business of src/run.
 */
import { type Range, UNIT } from './ranges.ts';

/** A JSON value: what a row result is made of, so that the journal holds it as it is. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type Fields = { readonly [key: string]: Json };

/** Who a row is, for the journal and the slices. An absent slice value is null. */
export interface RowIdentity {
  readonly id: string;
  readonly slices: Readonly<Record<string, string | null>>;
  /**
   * The clusters that the row is in, by what they are (`template`, `occupation`): one name, or two that cross. Every row of a suite has
   * the same names; a row of null is a cluster of its own there. Left out: the row is its own cluster.
   */
  readonly clusters?: Readonly<Record<string, string | null>>;
}

/** The mean over rows of one number a row, which has that range; a row of null takes no part. */
export function mean(
  name: string,
  label: string,
  range: Range,
  of: (result: Fields, slices: RowIdentity['slices']) => number | null,
): MeanMetric {
  return {
    kind: 'mean',
    name,
    label,
    range,
    skippedSteps: 0,
    steps(result, slices) {
      const value = of(result, slices);
      return { values: value === null ? [] : [value] };
    },
  };
}

/** The same metric, for models of one tokenizer ({@link MetricDefinition}'s `tokenizerBound`). */
export function ofOneTokenizer<Metric extends MetricDefinition>(metric: Metric): Metric {
  return { ...metric, tokenizerBound: true };
}

/** The same metric with the value that it has for an unbiased model ({@link MetricDefinition}'s `unbiased`). */
export function unbiasedAt<Metric extends MetricDefinition>(unbiased: number, metric: Metric): Metric {
  return { ...metric, unbiased };
}

/** The share of rows that are hits, as per cent; a row of null is not counted. */
export function share(name: string, label: string, hit: ShareMetric['hit']): ShareMetric {
  return { kind: 'share', name, label, shown: 'percent', range: UNIT, hit };
}

type Slices = RowIdentity['slices'];

export interface MetricHead {
  /** Its place in metrics.json; a dot goes one level down. */
  readonly name: string;
  /** What a table calls it. */
  readonly label: string;
  /** How a table shows it: a share as per cent, a difference of shares in points, or a plain number (the default). */
  readonly shown?: 'number' | 'percent' | 'points';
  /**
   * Its size depends on how a tokenizer cuts text: log-probabilities, and what is per token or over the vocabulary. Two runs
   * are compared by it only where they have one tokenizer. Default false: shares, and what is per byte.
   */
  readonly tokenizerBound?: boolean;
  /** The least and the greatest value that it can have, infinities included: no interval leaves them. */
  readonly range?: Range;
  /**
   * The value of an unbiased model, in the middle of the range: of a share 0.5. Where it is given, the number is tested against it, and its
   * distance from it is a number of its own. Default: none, as of accuracies, and of means of absolute values.
   */
  readonly unbiased?: number;
}

/** The values of a row's steps, and which of them count: all, unless a gate says 0. */
export interface StepValues {
  readonly values: readonly number[];
  readonly gate?: readonly number[];
}

/** The mean over the gated steps of all rows; a row's steps are in the clusters of the row. */
export interface MeanMetric extends MetricHead {
  readonly kind: 'mean';
  steps(result: Fields, slices: Slices): StepValues;
  /** How many steps a skipped row has; they lower the coverage. */
  readonly skippedSteps: number;
  /** Its values are differences of two sides, and `unbiased` is 0: it is tested by exchanging the sides of clusters, where that can be done. */
  readonly sides?: true;
}

/** The share of rows that are hits, with Wilson's interval. A row of null is not counted. */
export interface ShareMetric extends MetricHead {
  readonly kind: 'share';
  hit(result: Fields, slices: Slices): boolean | null;
}

/** One side of a pair of rows. */
export interface PairSide {
  /** Rows of the same key and of different sides belong together. */
  readonly pair: string;
  readonly side: 'a' | 'b';
  readonly value: number;
}

/** The mean of a - b over pairs of rows. A row of null takes no part; one without its partner is counted as unpaired. */
export interface DifferenceMetric extends MetricHead {
  readonly kind: 'difference';
  /** Its `unbiased` is 0. */
  readonly unbiased?: 0;
  /** Both values are 0 or 1, so that the mean is a difference of two shares of the same pairs. */
  readonly yesNo?: true;
  side(result: Fields, slices: Slices): PairSide | null;
}

/** The share of pairs of rows that are hits, with Wilson's interval; pairs and rows without their partner as above. */
export interface PairShareMetric extends MetricHead {
  readonly kind: 'pairShare';
  side(result: Fields, slices: Slices): PairSide | null;
  hit(a: number, b: number): boolean;
}

/** A row's point, x its group's attribute. */
export interface GroupPoint {
  readonly group: string;
  readonly x: number;
  readonly y: number;
  /** Where rows have two sides: the group's value is the mean y of its a rows less that of its b rows. */
  readonly side?: 'a' | 'b';
}

/** Pearson's correlation over groups of rows, each with its mean y. A row of null takes no part. */
export interface CorrelationMetric extends MetricHead {
  readonly kind: 'correlation';
  point(result: Fields, slices: Slices): GroupPoint | null;
}

/** A numerator and its denominator: the ratio of their sums over rows is what counts. */
export type Ratio = readonly [numerator: number, denominator: number];

/**
 * A number made of ratios of sums over rows (a token-weighted mean, a product of two shares), with the interval of a
 * bootstrap over clusters.
 */
export interface CompositeMetric extends MetricHead {
  readonly kind: 'composite';
  /** The row's part in each ratio; null: none. */
  parts(result: Fields, slices: Slices): readonly Ratio[] | null;
  combine(ratios: readonly number[]): number;
  /**
   * What is drawn anew together, whatever the clusters of the rows: where the number itself is made of clusters. Null: the row
   * alone. Default: the clusters of the rows.
   */
  readonly cluster?: { readonly by: string; of(result: Fields, slices: Slices): string | null };
  /** Each cluster counts alike: the ratios are means over clusters of the clusters' own ratios. Default false. */
  readonly clustersAlike?: boolean;
}

export type MetricDefinition =
  | MeanMetric
  | ShareMetric
  | DifferenceMetric
  | PairShareMetric
  | CorrelationMetric
  | CompositeMetric;
