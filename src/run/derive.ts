/**
 * What is derived from a journal: metrics.json, rows.csv and summary.csv. Made from the disk alone, without times or
 * machine in them, so that the same journal always gives the same bytes.
 */
import { type CsvColumn, flatten, type Row, writeCsv, writeJson } from '../report/index.ts';
import type { Suite, SuiteContext } from '../suite/index.ts';
import { type AggregatedMetric, aggregateRows, type SliceSummary } from './aggregate.ts';
import type { RunFolder } from './folder.ts';
import { type JournalEntry, readJournal } from './journal.ts';
import type { IntervalOptions } from './step-column.ts';

/** metrics.json: every metric over all rows, nested by the dots in its name, and the counts. */
export interface MetricsFile {
  readonly metrics: { readonly [name: string]: unknown };
  readonly counts: SliceSummary['counts'];
}

function place(root: Record<string, unknown>, name: string, value: unknown): void {
  const keys = name.split('.');
  const last = keys.pop()!;
  let at = root;
  for (const key of keys) {
    at[key] ??= {};
    at = at[key] as Record<string, unknown>;
  }
  at[last] = value;
}

export function metricsFile(whole: SliceSummary, constants: Readonly<Record<string, number>>): MetricsFile {
  const metrics: Record<string, unknown> = {};
  for (const { name, value } of whole.metrics) {
    for (const [constant, number] of Object.entries(constants)) {
      if (constant.split('.')[0] === name.split('.')[0]) place(metrics, constant, number);
    }
    place(metrics, name, value);
  }
  return { metrics, counts: whole.counts };
}

function summaryRow(summary: SliceSummary, { name, value }: AggregatedMetric): Row {
  const { mean, n, gatedSteps, coverage, ci } = value;
  return {
    slice: summary.slice,
    value: summary.value,
    metric: name,
    // A mean over no steps is no measurement; the cell stays empty, and gatedSteps says why.
    mean: gatedSteps > 0 ? mean : null,
    ciLow: ci?.low ?? null,
    ciHigh: ci?.high ?? null,
    ciMethod: ci?.method ?? null,
    ciLevel: ci?.level ?? null,
    n,
    gatedSteps,
    coverage,
    ...summary.counts,
  };
}

const SUMMARY_COLUMNS = [
  'slice',
  'value',
  'metric',
  'mean',
  'ciLow',
  'ciHigh',
  'ciMethod',
  'ciLevel',
  'n',
  'gatedSteps',
  'coverage',
  'rows',
  'ok',
  'failed',
  'skipped',
] as const;

function csvRow(entry: JournalEntry): Row {
  const { index, id, status, slices } = entry;
  const head = { index, id, status, ...slices };
  if (entry.status === 'ok') return { ...head, ...flatten(entry.result) };
  if (entry.status === 'skipped') return { ...head, reason: entry.reason, message: entry.message };
  return { ...head, reason: entry.error.code, message: entry.error.message };
}

/** The columns of rows.csv: those of the first row that was measured, between what every row has. */
async function rowColumns(journal: string, slices: readonly string[]): Promise<string[]> {
  for await (const entry of readJournal(journal, slices)) {
    if (entry.status !== 'ok') continue;
    return ['index', 'id', 'status', ...slices, ...Object.keys(flatten(entry.result)), 'reason', 'message'];
  }
  return ['index', 'id', 'status', ...slices, 'reason', 'message'];
}

async function* csvRows(journal: string, slices: readonly string[]): AsyncGenerator<Row> {
  for await (const entry of readJournal(journal, slices)) yield csvRow(entry);
}

function columns(keys: readonly string[]): CsvColumn[] {
  return keys.map((key) => ({ key }));
}

/** Makes every derived file anew and returns what they say. */
export async function derive(
  folder: RunFolder,
  suite: Suite,
  context: SuiteContext,
  options: IntervalOptions,
): Promise<SliceSummary[]> {
  const summaries = await aggregateRows(
    suite.metrics(context),
    suite.slices,
    readJournal(folder.journal, suite.slices),
    options,
  );
  await writeJson(folder.metrics, metricsFile(summaries[0]!, suite.constants(context)));
  await writeCsv(
    folder.summaryCsv,
    columns(SUMMARY_COLUMNS),
    summaries.flatMap((summary) => summary.metrics.map((metric) => summaryRow(summary, metric))),
  );
  await writeCsv(
    folder.rowsCsv,
    columns(await rowColumns(folder.journal, suite.slices)),
    csvRows(folder.journal, suite.slices),
  );
  return summaries;
}
