/** A number made of ratios of sums over rows, with the percentile interval of a bootstrap over clusters. */

import type { CompositeMetric, Fields, Ratio, RowIdentity } from '../../contract/index.ts';
import { bootstrapRatios, percentileInterval } from '../../numbers/index.ts';
import { type Accumulator, DEFAULT_RESAMPLES, DEFAULT_SEED, type IntervalOptions } from './accumulator.ts';
import { type ClusterInfo, clusterIdsOf, ownCluster, type RowClusters } from './clusters.ts';
import { fromUnbiased } from './unbiased.ts';
import type { MetricValue } from './value.ts';

/** The cluster of a metric's own, or those of the row. */
export type DrawnWith = string | RowClusters;

/** What is drawn together with a row. */
export function drawnWith(
  { cluster }: CompositeMetric,
  row: number,
  result: Fields,
  slices: RowIdentity['slices'],
  clusters: RowClusters,
): DrawnWith {
  return cluster ? (cluster.of(result, slices) ?? ownCluster(row)) : clusters;
}

interface Sums {
  readonly clusters: DrawnWith;
  readonly numerators: number[];
  readonly denominators: number[];
}

/** The rows' parts, summed by cluster in the order in which clusters came. */
export class ClusterSums {
  readonly #metric: CompositeMetric;
  readonly #clusters = new Map<string, Sums>();

  constructor(metric: CompositeMetric) {
    this.#metric = metric;
  }

  /** By what rows are drawn; undefined where each is drawn by itself. */
  get clusters(): ClusterInfo | undefined {
    const { cluster } = this.#metric;
    const count = this.#clusters.size;
    if (cluster) return { by: [cluster.by], count, counts: [count] };
    return this.#drawn()?.clusters;
  }

  #drawn(): ReturnType<typeof clusterIdsOf> {
    const rows = [...this.#clusters.values()].map(({ clusters }) => clusters);
    return clusterIdsOf(rows.filter((clusters) => typeof clusters !== 'string'));
  }

  add(clusters: DrawnWith, parts: readonly Ratio[]): void {
    const cluster = typeof clusters === 'string' ? `"${clusters}` : clusters.ids.join(' ');
    const sums = this.#clusters.get(cluster) ?? { clusters, numerators: [], denominators: [] };
    parts.forEach(([numerator, denominator], column) => {
      sums.numerators[column] = (sums.numerators[column] ?? 0) + numerator;
      sums.denominators[column] = (sums.denominators[column] ?? 0) + denominator;
    });
    this.#clusters.set(cluster, sums);
  }

  /**
   * The metric over all clusters and over each resample of them; NaN where a ratio has nothing below the line. The same
   * seed and the same number of clusters draw the same ones. `resampled` is null, with a reason, for a single cluster;
   * there must be one.
   */
  async bootstrap({ resamples = DEFAULT_RESAMPLES, seed = DEFAULT_SEED }: IntervalOptions): Promise<{
    value: number;
    resampled: Float64Array | null;
    reason?: string;
  }> {
    const clusters = [...this.#clusters.values()].map((sums) =>
      this.#metric.clustersAlike ? alike(sums) : sums,
    );
    const columns = clusters[0]!.numerators.length;
    const ids = this.#drawn()?.ids;
    const { ratios, resampled, reason } = await bootstrapRatios({
      ...ids,
      numerators: Float64Array.from(clusters.flatMap(({ numerators }) => numerators)),
      denominators: Float64Array.from(clusters.flatMap(({ denominators }) => denominators)),
      columns,
      resamples,
      seed,
    });
    const combine = (own: Iterable<number>) => {
      const value = this.#metric.combine([...own]);
      // A division by 0 in a resample says no more than a missing ratio does.
      return Number.isFinite(value) ? value : Number.NaN;
    };
    const value = combine(ratios);
    if (!resampled) return { value, resampled: null, ...(reason ? { reason } : {}) };
    const draws = Float64Array.from({ length: resamples }, (_, draw) =>
      combine(resampled.subarray(draw * columns, (draw + 1) * columns)),
    );
    return { value, resampled: draws };
  }
}

/** A cluster's own ratio over 1: what makes the mean over clusters of it. */
function alike({ clusters, numerators, denominators }: Sums): Sums {
  return {
    clusters,
    numerators: numerators.map((sum, column) =>
      denominators[column] === 0 ? 0 : sum / denominators[column]!,
    ),
    denominators: denominators.map((sum) => (sum === 0 ? 0 : 1)),
  };
}

export class CompositeAccumulator implements Accumulator {
  readonly #metric: CompositeMetric;
  readonly #sums: ClusterSums;
  #rows = 0;

  constructor(metric: CompositeMetric) {
    this.#metric = metric;
    this.#sums = new ClusterSums(metric);
  }

  add(row: number, result: Fields, slices: RowIdentity['slices'], clusters = ownCluster(row)): void {
    const parts = this.#metric.parts(result, slices);
    if (parts === null) return;
    this.#rows += 1;
    this.#sums.add(drawnWith(this.#metric, row, result, slices, clusters), parts);
  }

  addSkipped(): void {}

  async value(options: IntervalOptions): Promise<MetricValue> {
    const n = this.#rows;
    const own = { kind: 'composite', n, coverage: null } as const;
    if (n === 0) return { ...own, value: null, ci: null, reason: 'no row counts' };
    const { clusters } = this.#sums;
    const head = { ...own, ...(clusters ? { clusters } : {}) };
    const { value, resampled, reason: why = null } = await this.#sums.bootstrap(options);
    if (!Number.isFinite(value)) {
      return { ...head, value: null, ci: null, reason: 'a ratio has nothing below the line' };
    }
    if (!resampled) return { ...head, value, ci: null, reason: why };
    const { ci, reason = null } = await percentileInterval(resampled, { level: options.level });
    const { unbiased } = this.#metric;
    const from =
      unbiased === undefined
        ? null
        : await percentileInterval(
            resampled.map((draw) => draw - unbiased),
            { level: options.level },
          );
    return {
      ...head,
      value,
      ci,
      ...fromUnbiased(unbiased, value, ci, from?.pValue ?? null),
      reason,
    };
  }
}
