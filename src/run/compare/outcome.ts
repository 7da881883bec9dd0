/** What the rows of two runs say of one metric: the paired difference, its tests, and how large it is. */

import type { CompositeMetric, MetricHead } from '../../contract/index.ts';
import type { MadeInterval } from '../../numbers/estimate.ts';
import { minimumDetectableEffect, pairedDifference, percentileInterval } from '../../numbers/index.ts';
import { clusterIdsOf } from '../accumulate/clusters.ts';
import { ClusterSums } from '../accumulate/composite.ts';
import type { ClusterInfo, IntervalOptions, TestedEstimate } from '../accumulate/index.ts';
import { testDifference } from '../accumulate/test-difference.ts';
import { type DistanceDifference, distanceDifference } from './distance.ts';
import { type Columns, type Effects, effectsOfDraws, effectsOfMeans, effectsOfShares } from './effects.ts';
import { type Better, drawsWithinMargin, type WithinMargin, withinMargin } from './margin.ts';
import type { Collector } from './values.ts';

export interface Outcome {
  /** Over the rows that both runs measured. */
  readonly a: number | null;
  readonly b: number | null;
  /** a - b. */
  readonly difference: number | null;
  readonly ci: MadeInterval | null;
  /** Two-sided, of no difference. Shares: McNemar's test; where rows are clustered, that of the interval. */
  readonly pValue: number | null;
  /** The difference on the scales on which the metric is read. */
  readonly effects: Effects;
  /** The least difference that a two-sided test at the level finds with a probability of 0.8, by the standard error of these rows. */
  readonly mde: number | null;
  /** |a - u| - |b - u| where the metric has a value u for an unbiased model. */
  readonly distance?: DistanceDifference;
  /** Where a margin was given. */
  readonly margin?: WithinMargin;
  /** Rows (or pairs of rows) that both runs measured. */
  readonly n: number;
  /** Those that only one of them did. */
  readonly unmatched: number;
  /** By what the rows were clustered; left out where each row (or pair of rows) is its own cluster. */
  readonly clusters?: ClusterInfo;
  readonly reason?: string;
}

/** What is asked beside the difference. */
export interface Asked {
  readonly interval: IntervalOptions;
  readonly margin?: number | undefined;
  readonly better?: Better | undefined;
}

export const NOTHING = {
  ...{ a: null, b: null, difference: null, ci: null, pValue: null, effects: {}, mde: null },
} as const;

const POWER = 0.8;

/** The keys that both maps have, in the order of the first, and how many only one has. */
function common<T>(
  a: ReadonlyMap<string, T>,
  b: ReadonlyMap<string, T>,
): { keys: string[]; unmatched: number } {
  const keys = [...a.keys()].filter((key) => b.has(key));
  return { keys, unmatched: a.size + b.size - 2 * keys.length };
}

const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** What the difference of two values of a range can be. */
function differenceRange(range: MetricHead['range']): MetricHead['range'] {
  return range && [range[0] - range[1], range[1] - range[0]];
}

/** A tested difference under its names in an outcome. */
function differenceOf({ value, ci, pValue, reason }: TestedEstimate) {
  return { difference: value, ci, pValue, ...(reason ? { reason } : {}) };
}

/** In units of the standard error the t-test's shift, as for freedom + 1 independent pairs; null where no test could be. */
function detectable(error: number | null, freedom: number | null, level: number): number | null {
  if (!error || !freedom || POWER <= 1 - level) return null;
  const clusters = freedom + 1;
  return minimumDetectableEffect(clusters, { level, power: POWER }).d * Math.sqrt(clusters) * error;
}

export async function compareValues(a: Collector, b: Collector, asked: Asked): Promise<Outcome> {
  const { interval, margin, better = 'higher' } = asked;
  const [all, others] = [a.values, b.values];
  const { keys, unmatched } = common(all, others);
  const n = keys.length;
  if (n === 0) return { ...NOTHING, n, unmatched, reason: 'no row was measured in both runs' };
  const [first, second] = [all, others].map((values) =>
    Float64Array.from(keys, (key) => values.get(key)!.value),
  ) as [Float64Array, Float64Array];
  const clustered = clusterIdsOf(keys.map((key) => all.get(key)!.clusters));
  const { metric } = a;
  const { level } = interval;
  const columns: Columns = {
    a: first,
    b: second,
    ids: clustered?.ids ?? { cluster: Uint32Array.from(keys.keys()) },
    clustered: clustered !== null,
    level,
  };
  const isShare = metric.kind === 'share' || metric.kind === 'pairShare';
  const own = isShare ? ([0, 1] as const) : metric.range;
  const range = differenceRange(own);
  const found = await testDifference(columns, isShare, range, interval);
  const { standardError = null, freedom = null } =
    found.standardError === undefined
      ? await pairedDifference(first, second, { ...columns.ids, level })
      : found;
  const head = { a: mean(first), b: mean(second), n, unmatched };
  const { unbiased } = metric;
  const mirrored = (u: number) => ({ ...columns, b: second.map((value) => 2 * u - value) });
  return {
    ...head,
    ...differenceOf(found),
    effects: await (isShare ? effectsOfShares(columns) : effectsOfMeans(columns, own)),
    mde: detectable(standardError, freedom, level),
    ...(unbiased === undefined
      ? {}
      : {
          distance: distanceDifference(
            unbiased,
            head.a,
            head.b,
            found,
            await testDifference(mirrored(unbiased), isShare, range, interval),
          ),
        }),
    ...(margin === undefined ? {} : { margin: withinMargin(columns, isShare, margin, better) }),
    ...(clustered?.clusters ? { clusters: clustered.clusters } : {}),
  };
}

const finiteOf = (value: number) => (Number.isFinite(value) ? value : null);

/** Of draws of a number the interval, and the p-value of 0. */
async function testDraws(
  value: number,
  n: number,
  draws: Float64Array | null,
  level: number,
  why: string | null = null,
): Promise<TestedEstimate> {
  if (!draws) return { value, n, ci: null, pValue: null, reason: why };
  const { ci, pValue, reason = null } = await percentileInterval(draws, { level });
  return { value, n, ci, pValue, reason };
}

function deviation(draws: Float64Array): number {
  const there = draws.filter((draw) => !Number.isNaN(draw));
  const centre = mean(there);
  return Math.sqrt(there.reduce((sum, draw) => sum + (draw - centre) ** 2, 0) / (there.length - 1));
}

/** The normal test's shift, by the deviation of the draws. */
function detectableByDraws(draws: Float64Array, level: number): number | null {
  if (POWER <= 1 - level) return null;
  // h of n pairs is the shift over the root of n.
  const shift = minimumDetectableEffect(2, { level, power: POWER }).h * Math.SQRT2;
  return shift * deviation(draws) || null;
}

/** Both runs draw the same clusters of the same rows, so that each resample has a difference of its own. */
export async function compareComposites(
  metric: CompositeMetric,
  a: Collector,
  b: Collector,
  { interval, margin, better = 'higher' }: Asked,
): Promise<Outcome> {
  const { keys, unmatched } = common(a.parts, b.parts);
  const n = keys.length;
  if (n === 0) return { ...NOTHING, n, unmatched, reason: 'no row was measured in both runs' };
  const [first, second] = (await Promise.all(
    [a, b].map(async ({ parts }) => {
      const sums = new ClusterSums(metric);
      // Both runs' rows in the clusters of the first, whatever a cluster is made of.
      for (const key of keys) sums.add(a.parts.get(key)!.clusters, parts.get(key)!.parts);
      return { ...(await sums.bootstrap(interval)), clusters: sums.clusters };
    }),
  )) as [Bootstrap, Bootstrap];
  const own = { a: finiteOf(first.value), b: finiteOf(second.value), n, unmatched };
  if (own.a === null || own.b === null) {
    return { ...NOTHING, ...own, reason: 'a ratio has nothing below the line' };
  }
  const { level } = interval;
  const both = first.resampled && second.resampled ? ([first.resampled, second.resampled] as const) : null;
  const combined = (of: (x: number, y: number) => number): Float64Array | null =>
    both === null ? null : both[0].map((value, draw) => of(value, both[1][draw]!));
  const differences = combined((x, y) => x - y);
  const found = await testDraws(own.a - own.b, n, differences, level, first.reason);
  const { unbiased } = metric;
  return {
    ...own,
    ...differenceOf(found),
    effects: await effectsOfDraws(own.a, own.b, both, metric.range, level),
    mde: differences && detectableByDraws(differences, level),
    ...(unbiased === undefined
      ? {}
      : {
          distance: distanceDifference(
            unbiased,
            own.a,
            own.b,
            found,
            await testDraws(
              own.a + own.b - 2 * unbiased,
              n,
              combined((x, y) => x + y - 2 * unbiased),
              level,
            ),
          ),
        }),
    ...(margin === undefined ? {} : { margin: await drawsWithinMargin(differences, margin, better, level) }),
    ...(first.clusters ? { clusters: first.clusters } : {}),
  };
}

type Bootstrap = Awaited<ReturnType<ClusterSums['bootstrap']>> & {
  readonly clusters?: ClusterInfo | undefined;
};

/** One metric out of what the rows of two runs say of it. */
export async function compareMetric(
  a: Collector,
  b: Collector,
  interval: IntervalOptions,
  asked: Omit<Asked, 'interval'> = {},
): Promise<Outcome> {
  const { metric } = a;
  if (metric.kind === 'correlation') {
    return { ...NOTHING, n: 0, unmatched: 0, reason: 'correlations are not compared row by row' };
  }
  return metric.kind === 'composite'
    ? compareComposites(metric, a, b, { interval, ...asked })
    : compareValues(a, b, { interval, ...asked });
}
