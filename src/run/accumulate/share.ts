/** The share of rows that are hits, with Wilson's interval, or Wilson's at the effective sample size where rows are clustered. */

import type { Fields, RowIdentity, ShareMetric } from '../../contract/index.ts';
import { share } from '../../numbers/index.ts';
import type { Accumulator, IntervalOptions } from './accumulator.ts';
import { clusterIdsOf, ownCluster, type RowClusters } from './clusters.ts';
import { fromUnbiased } from './unbiased.ts';
import type { ShareValue } from './value.ts';

/** Of rows (or pairs of rows), at least one, that hit or miss. */
export function shareOf(
  hits: readonly boolean[],
  rows: readonly RowClusters[],
  level: number,
  unbiased?: number,
): Pick<ShareValue, 'mean' | 'hits' | 'n' | 'ci' | 'clusters' | 'reason' | 'unbiased'> {
  const clustered = clusterIdsOf(rows);
  const { pValue, ...found } = share(Uint8Array.from(hits, Number), {
    level,
    ...(unbiased === undefined ? {} : { against: unbiased }),
    ...clustered?.ids,
  });
  return {
    ...found,
    ...fromUnbiased(unbiased, found.mean, found.ci, pValue),
    ...(clustered ? { clusters: clustered.clusters } : {}),
  };
}

export class ShareAccumulator implements Accumulator {
  readonly #metric: ShareMetric;
  readonly #hits: boolean[] = [];
  readonly #rows: RowClusters[] = [];

  constructor(metric: ShareMetric) {
    this.#metric = metric;
  }

  add(row: number, result: Fields, slices: RowIdentity['slices'], clusters = ownCluster(row)): void {
    const hit = this.#metric.hit(result, slices);
    if (hit === null) return;
    this.#hits.push(hit);
    this.#rows.push(clusters);
  }

  addSkipped(): void {}

  async value({ level }: IntervalOptions): Promise<ShareValue> {
    const n = this.#hits.length;
    if (n === 0) return { kind: 'share', mean: null, hits: 0, n, ci: null, reason: 'no row counts' };
    return { kind: 'share', ...shareOf(this.#hits, this.#rows, level, this.#metric.unbiased) };
  }
}
