/** The share of rows that are hits, with Wilson's interval, or Wilson's at the effective sample size where rows are clustered. */

import type { Fields, RowIdentity, ShareMetric } from '../../contract/index.ts';
import { share } from '../../numbers/index.ts';
import type { Accumulator, IntervalOptions } from './accumulator.ts';
import { clusterIdsOf, ownCluster, type RowClusters } from './clusters.ts';
import { fromUnbiased } from './unbiased.ts';
import type { MetricValue } from './value.ts';

/** Of rows (or pairs of rows) that hit or miss; `none` says why there is none of them. */
export function shareOf(
  hits: readonly boolean[],
  rows: readonly RowClusters[],
  level: number,
  unbiased: number | undefined,
  none: string,
) {
  if (hits.length === 0) return { value: null, hits: 0, n: 0, coverage: null, ci: null, reason: none };
  const clustered = clusterIdsOf(rows);
  const found = share(Uint8Array.from(hits, Number), {
    level,
    ...(unbiased === undefined ? {} : { against: unbiased }),
    ...clustered?.ids,
  });
  return {
    value: found.mean,
    hits: found.hits,
    n: found.n,
    coverage: null,
    ci: found.ci,
    reason: found.reason ?? null,
    ...fromUnbiased(unbiased, found.mean, found.ci, found.pValue),
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

  async value({ level }: IntervalOptions): Promise<MetricValue> {
    const found = shareOf(this.#hits, this.#rows, level, this.#metric.unbiased, 'no row counts');
    return { kind: 'share', ...found };
  }
}
