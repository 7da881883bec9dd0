/** The one table of a panel: summary.csv with every metric of every part, summary.md with the headline ones. */
import { writeAtomic } from '../../atomic.ts';
import {
  formatCount,
  formatMetric,
  formatPercent,
  markdownTable,
  type Row,
  writeCsv,
} from '../../report/index.ts';
import { findSuite, type RunCounts, type Suite } from '../../suite/index.ts';
import { figuresOf } from '../accumulate/index.ts';
import type { AggregatedMetric } from '../aggregate.ts';
import type { PanelFolder } from '../folder.ts';
import type { PanelOutcome } from './panel.ts';

export interface PanelRow {
  readonly panel: Suite['panel'];
  /** The part. */
  readonly name: string;
  readonly suite: string;
  /** Null for a part that failed. */
  readonly metric: AggregatedMetric | null;
  /** One of the metrics that the suite leads with. */
  readonly headline: boolean;
  readonly counts: RunCounts | null;
  /** Why the part has no metrics. */
  readonly error: string | null;
}

export function panelRows(outcomes: readonly PanelOutcome[]): PanelRow[] {
  return outcomes.flatMap(({ name, suite: suiteName, run, error }): PanelRow[] => {
    const suite = findSuite(suiteName);
    const head = { panel: suite.panel, name, suite: suiteName };
    if (run === null) {
      return [{ ...head, metric: null, headline: true, counts: null, error: error!.message }];
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

const COLUMNS = [
  ...[
    'panel',
    'name',
    'suite',
    'metric',
    'headline',
    'kind',
    'estimate',
    'ciLow',
    'ciHigh',
    'ciMethod',
    'ciLevel',
  ],
  ...['n', 'coverage', 'rows', 'ok', 'failed', 'skipped', 'reason'],
];

function csvRow({ panel, name, suite, metric, headline, counts, error }: PanelRow): Row {
  const figures = metric ? figuresOf(metric.value) : null;
  const ci = metric?.value.ci;
  return {
    panel,
    name,
    suite,
    metric: metric?.name ?? null,
    headline,
    kind: metric?.value.kind ?? null,
    estimate: figures?.value ?? null,
    ciLow: ci?.low ?? null,
    ciHigh: ci?.high ?? null,
    ciMethod: ci?.method ?? null,
    ciLevel: ci?.level ?? null,
    n: figures?.n ?? null,
    coverage: figures?.coverage ?? null,
    ...(counts ?? { rows: null, ok: null, failed: null, skipped: null }),
    reason: error ?? metric?.value.reason ?? null,
  };
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

export function panelCells({ name, metric, counts, error }: PanelRow): Row {
  if (!metric || !counts) return { name, metric: `failed: ${error}` };
  const { n, coverage } = figuresOf(metric.value);
  return {
    name,
    metric: metric.label,
    value: formatMetric(metric.shown, figuresOf(metric.value)),
    n: formatCount(n),
    // Where a rule has no gate, the share of the rows that were measured.
    coverage: formatPercent(coverage ?? (counts.rows === 0 ? null : counts.ok / counts.rows)),
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

function markdown(outcomes: readonly PanelOutcome[], rows: readonly PanelRow[]): string {
  const first = outcomes.find(({ run }) => run)?.run?.manifest;
  const level = first?.experiment.interval.level;
  const remarks = outcomes.flatMap(({ name, run }) =>
    (run?.remarks ?? []).map((remark) => `- ${name}: ${remark}`),
  );
  const data = outcomes.flatMap(({ name, run }) =>
    (run?.manifest.data.files ?? []).map(
      ({ path, rows: count, sha256 }) => `- ${name}: ${path}, ${formatCount(count)} rows, SHA-256 ${sha256}`,
    ),
  );
  const about = first
    ? [
        `Model ${first.model.path} (${first.model.description}), SHA-256 ${first.model.sha256}.`,
        `logit-audit ${first.versions.logitAudit}, llama.cpp ${first.versions.llama}, mode ${first.engine.options.mode ?? 'fast'}, device ${first.devices.join(', ')}.`,
        `Intervals: ${formatPercent(level, null, 0)}.`,
      ]
    : [];
  return [
    '# Summary',
    '',
    ...about,
    ...panelSections(rows).flatMap(({ title, rows: own }) => [
      '',
      `## ${title}`,
      '',
      markdownTable(PANEL_COLUMNS, own.map(panelCells)),
    ]),
    ...(remarks.length > 0 ? ['', '## Notes', '', ...remarks] : []),
    ...(data.length > 0 ? ['', '## Data', '', ...data] : []),
    '',
  ].join('\n');
}

export async function writePanelTables(
  folder: PanelFolder,
  outcomes: readonly PanelOutcome[],
  rows: readonly PanelRow[],
): Promise<void> {
  await writeCsv(
    folder.summaryCsv,
    COLUMNS.map((key) => ({ key })),
    rows.map(csvRow),
  );
  await writeAtomic(folder.summaryMd, [markdown(outcomes, rows)]);
}
