/**
 * What rows are drawn or counted together: the clusters that their suite names, as numbers. A row without any is its own.
 */
import type { RowIdentity } from '../../contract/index.ts';

/** The clusters of one row. */
export interface RowClusters {
  /** By what rows are clustered: one name or two; none where each row is its own cluster. */
  readonly by: readonly string[];
  /** A number for each of these names; without names one for the row. */
  readonly ids: readonly number[];
}

/** By what a metric's rows were clustered. */
export interface ClusterInfo {
  readonly by: readonly string[];
  /** How many clusters; of two ways the smaller number, on which the degrees of freedom rest. */
  readonly count: number;
  /** How many by each name. */
  readonly counts: readonly number[];
}

/** What the metric core takes: one way, or two. */
export interface ClusterIds {
  readonly cluster: Uint32Array;
  readonly cluster2?: Uint32Array;
}

/** A row that is its own cluster. */
export function ownCluster(row: number): RowClusters {
  return { by: [], ids: [row] };
}

/** From here on, downwards from the highest: numbers of rows that are in no cluster of a name. */
const ALONE = 2 ** 31;
const HIGHEST = 2 ** 32 - 1;

/** Numbers for the clusters of rows that come one after the other. The first row that names clusters says by what. */
export class ClusterNumbers {
  #by: readonly string[] = [];
  #numbers: readonly Map<string, number>[] = [];
  /** Of rows that are not in any cluster of a name. */
  #alone = 0;

  of(row: number, clusters: RowIdentity['clusters']): RowClusters {
    if (this.#by.length === 0 && clusters !== undefined) {
      this.#by = Object.keys(clusters);
      this.#numbers = this.#by.map(() => new Map());
    }
    if (this.#by.length === 0) return ownCluster(row);
    return { by: this.#by, ids: this.#by.map((name, way) => this.#number(way, clusters?.[name] ?? null)) };
  }

  #number(way: number, cluster: string | null): number {
    const numbers = this.#numbers[way]!;
    if (cluster === null) {
      this.#alone += 1;
      return HIGHEST - this.#alone;
    }
    const known = numbers.get(cluster) ?? numbers.size;
    numbers.set(cluster, known);
    return known;
  }
}

/**
 * The columns of cluster numbers, one a way, as the metric core takes them, and what is said of them. A way in which these rows
 * have a single cluster tells nothing of how they scatter: it is left out where there is another. One in which no row has a cluster
 * is none. `gate` has 0 where a step does not count.
 */
export function clusterIds(
  by: readonly string[],
  columns: readonly Uint32Array[],
  gate?: Uint8Array,
): { readonly ids: ClusterIds; readonly clusters?: ClusterInfo } {
  if (by.length === 0) return { ids: { cluster: columns[0]! } };
  const numbers = columns.map((ids) => new Set(gate ? ids.filter((_, at) => gate[at] === 1) : ids));
  const counts = numbers.map(({ size }) => size);
  const named = [...by.keys()].filter((way) => [...numbers[way]!].some((id) => id < ALONE));
  if (named.length === 0) return { ids: { cluster: columns[0]! } };
  const ways = named.filter((way) => counts[way]! > 1);
  const [first = named[0]!, second] = ways;
  const kept = second === undefined ? [first] : [first, second];
  return {
    ids: {
      cluster: columns[first]!,
      ...(second === undefined ? {} : { cluster2: columns[second]! }),
    },
    clusters: {
      by: kept.map((way) => by[way]!),
      count: Math.min(...kept.map((way) => counts[way]!)),
      counts: kept.map((way) => counts[way]!),
    },
  };
}

/**
 * {@link clusterIds} of rows, or pairs of rows, each with its clusters; null where each is its own, be it that no clusters are named or that
 * none of these rows is in one: the number and its interval are then those of rows by themselves.
 */
export function clusterIdsOf(
  rows: readonly RowClusters[],
): { readonly ids: ClusterIds; readonly clusters: ClusterInfo } | null {
  const by = rows[0]?.by ?? [];
  const { ids, clusters } = clusterIds(
    by,
    by.length === 0
      ? [new Uint32Array()]
      : by.map((_, way) => Uint32Array.from(rows, (row) => row.ids[way]!)),
  );
  return clusters === undefined ? null : { ids, clusters };
}
