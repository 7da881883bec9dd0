/** The one table of a panel: every metric of every part in summary.csv, the headline ones for people. */

import type { RunCounts, Suite } from '../../contract/index.ts';
import { formatCount, formatMetric, formatPercent, type Row, writeCsv } from '../../report/index.ts';
import type { AggregatedMetric } from '../aggregate.ts';
import { METRIC_COLUMNS, metricCells } from '../metric-cells.ts';
import { partOfData } from '../sample.ts';
import type { PanelOutcome, PartStatus } from './plan.ts';

export interface PanelRow {
  readonly panel: Suite['panel'];
  /** The part. */
  readonly name: string;
  readonly suite: string;
  readonly status: PartStatus;
  /** Null for a part that was not completed. */
  readonly metric: AggregatedMetric | null;
  /** One of the metrics that the suite leads with. */
  readonly headline: boolean;
  readonly counts: RunCounts | null;
  /** Why the part has no metrics. */
  readonly error: string | null;
}

export function panelRows(outcomes: readonly PanelOutcome[]): PanelRow[] {
  return outcomes.flatMap(({ name, suite, status, run, error }): PanelRow[] => {
    const head = { panel: suite.panel, name, suite: suite.name, status };
    if (run === null) {
      return [{ ...head, metric: null, headline: true, counts: null, error: error?.message ?? null }];
    }
    const { metrics, counts } = run.summaries[0]!;
    return metrics.map((metric) => ({
      ...head,
      metric,
      headline: suite.headline.includes(metric.name),
      counts,
      error: null,
    }));
  });
}

const COLUMNS = ['panel', 'name', 'suite', 'status', 'headline', ...METRIC_COLUMNS];

/** Of a gated mean the share of its steps that count; of another rule the share of the rows that were measured. */
function coverageOf({ metric, counts }: PanelRow): number | null {
  if (!metric || !counts) return null;
  return metric.value.coverage ?? (counts.rows === 0 ? null : counts.ok / counts.rows);
}

function csvRow(row: PanelRow): Row {
  const { panel, name, suite, status, metric, headline, counts, error } = row;
  const head = { panel, name, suite, status, headline };
  if (!metric || !counts) return { ...head, reason: error };
  return { ...head, ...metricCells(metric, counts), coverage: coverageOf(row) };
}

/** What a person reads of a row, in the terminal and in summary.md. */
export const PANEL_COLUMNS = [
  { key: 'name', header: 'suite' },
  { key: 'metric' },
  { key: 'value', align: 'right' },
  { key: 'n', align: 'right' },
  { key: 'coverage', align: 'right' },
  { key: 'failed', align: 'right' },
  { key: 'skipped', align: 'right' },
] as const;

export function panelCells(row: PanelRow): Row {
  const { name, status, metric, counts } = row;
  if (!metric || !counts) return { name, metric: status };
  const { n } = metric.value;
  return {
    name,
    metric: metric.label,
    value: formatMetric(metric.shown, metric.value),
    n: formatCount(n),
    coverage: formatPercent(coverageOf(row)),
    failed: formatCount(counts.failed),
    skipped: formatCount(counts.skipped),
  };
}

const TITLES = { bias: 'Bias panel', utility: 'Utility panel' } as const;

/** The panels that have rows, each with its headline rows. */
export function panelSections(rows: readonly PanelRow[]): { title: string; rows: readonly PanelRow[] }[] {
  return (['bias', 'utility'] as const)
    .map((panel) => ({
      title: TITLES[panel],
      rows: rows.filter((row) => row.panel === panel && row.headline),
    }))
    .filter((section) => section.rows.length > 0);
}

/** What is to be said beside the table: why a part failed, and what the numbers of the others say of themselves. */
export function panelNotes(outcomes: readonly PanelOutcome[]): string[] {
  return outcomes.flatMap(({ name, status, run, error }) => [
    ...(error ? [`${name} ${status}: ${error.message}`] : []),
    ...(run?.counts.ok === 0
      ? [`${name}: no row could be measured; ${name}/rows.csv says why for each`]
      : []),
    ...(run ? partOfData(run.manifest.experiment) : []).map((line) => `${name}: ${line}`),
    ...(run?.remarks ?? []).map((remark) => `${name}: ${remark}`),
  ]);
}

export async function writeSummaryCsv(path: string, rows: readonly PanelRow[]): Promise<void> {
  await writeCsv(
    path,
    COLUMNS.map((key) => ({ key })),
    rows.map(csvRow),
  );
}
