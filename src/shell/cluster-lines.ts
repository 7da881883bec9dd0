/** By what the rows of a table's intervals were clustered. */
import { formatCount } from '../report/index.ts';
import type { ClusterInfo } from '../run/index.ts';

/** One line for each way to cluster, with the most clusters that a metric has of it; none where each row is its own cluster. */
export function clusterLines(metrics: Iterable<ClusterInfo | undefined>): string[] {
  const most = new Map<string, ClusterInfo>();
  for (const clusters of metrics) {
    if (clusters === undefined) continue;
    const by = clusters.by.join(' and ');
    if (clusters.count > (most.get(by)?.count ?? 0)) most.set(by, clusters);
  }
  return [...most].map(([by, { counts }]) => {
    return `intervals: rows clustered by ${by} (${counts.map((count) => formatCount(count)).join(' and ')} clusters)`;
  });
}
