/** Errors and accuracies by tier, and over all tiers. */
import type { Row } from '../../../../report/index.ts';
import type { CountedRow } from '../counted.ts';
import type { Study } from '../sides.ts';
import { COUNT_COLUMNS, countsOf, tierCells } from './cells.ts';
import { estimateCells, estimateMetric } from './estimate.ts';
import { metricColumn, metricsOf } from './metrics.ts';
import type { TableSettings } from './options.ts';
import { resampleMeans } from './resample.ts';

export interface SummaryRow extends Row {
  readonly tier: string;
  readonly subscale: string;
  readonly metric: string;
  readonly value: number | null;
  readonly ci_low: number | null;
  readonly ci_high: number | null;
  readonly n: number;
  readonly participants: number;
}

/** What stands beside every estimate. */
export const ESTIMATE_COLUMNS = [
  'value',
  'ci_low',
  'ci_high',
  'ci_method',
  'n',
  'participants',
  ...COUNT_COLUMNS,
  'reason',
] as const;

export const SUMMARY_COLUMNS = ['tier', 'subscale', 'metric', ...ESTIMATE_COLUMNS].map((key) => ({ key }));

export async function summaryRows(
  rows: readonly CountedRow[],
  { sides, tiers }: Study,
  settings: TableSettings,
): Promise<SummaryRow[]> {
  const metrics = metricsOf(sides);
  const table: SummaryRow[] = [];
  for (const cell of tierCells(rows, tiers)) {
    const counts = countsOf(cell.rows);
    const means = await resampleMeans(
      cell.rows,
      metrics.map((metric) => metricColumn(metric, cell.rows)),
      settings,
    );
    for (const [index, metric] of metrics.entries()) {
      const { n, participants } = means[index]!;
      const estimate = await estimateMetric(metric, means[index]!, settings.level);
      const head = { tier: cell.tier, subscale: metric.subscale, metric: metric.key };
      table.push({ ...head, ...estimateCells(estimate), n, participants, ...counts });
    }
  }
  return table;
}
