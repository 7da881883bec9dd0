/** The numbers of a performance file on the terminal: overall, and by group. */
import { formatCount, formatPercent, renderTable } from '../../../report/index.ts';
import { GROUPING_NAMES, type Grouping, type PerformanceMetrics } from '../index.ts';

const TITLES: Readonly<Record<Grouping, string>> = {
  per_rule_cluster: 'rule cluster',
  per_subreddit_cluster: 'subreddit cluster',
  per_language: 'language',
};

type Ends = readonly [number, number] | null;

/** An interval without width claims what no data can. */
function withEnds(share: number, ends: Ends): string {
  const shown = ends === null || ends[0] === ends[1] ? null : { low: ends[0], high: ends[1] };
  return formatPercent(share, shown);
}

export function performanceTable(metrics: PerformanceMetrics): string {
  const rows = [
    { part: 'all pairs', pairs: metrics.overall.total_pairs, own: metrics.overall },
    ...GROUPING_NAMES.flatMap((grouping) =>
      Object.entries(metrics[grouping]).map(([group, own]) => ({
        part: `${TITLES[grouping]}: ${group}`,
        pairs: own.count,
        own,
      })),
    ),
  ];
  return renderTable(
    [
      { key: 'part' },
      { key: 'pairs', format: formatCount },
      { key: 'accuracy', align: 'right' },
      { key: 'violating', align: 'right' },
      { key: 'compliant', align: 'right' },
      { key: 'unparsed', align: 'right' },
    ],
    rows.map(({ part, pairs, own }) => ({
      part,
      pairs,
      accuracy: withEnds(own.overall_accuracy, own.overall_accuracy_ci),
      violating: withEnds(own.violating_accuracy, own.violating_accuracy_ci),
      compliant: withEnds(own.compliant_accuracy, own.compliant_accuracy_ci),
      unparsed: `${own.unparsed} (${formatPercent(own.unparsed_rate, null)})`,
    })),
  );
}
