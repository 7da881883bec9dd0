/**
 * What is derived from a journal: metrics.json, rows.csv, summary.csv and the suite's own lists. Made from the disk alone, without times or
 * machine in them, so that the same journal always gives the same bytes.
 */

import type { Fields, MetricDefinition, MetricFigures, Suite, SuiteContext } from '../contract/index.ts';
import { type CsvColumn, FlatColumns, flatten, type Row, writeCsv, writeJson } from '../report/index.ts';
import { type IntervalOptions, metricJson } from './accumulate/index.ts';
import { aggregateRows, type SliceSummary } from './aggregate.ts';
import type { RunFolder } from './folder.ts';
import { type JournalEntry, readJournal } from './journal.ts';
import { METRIC_COLUMNS, metricCells } from './metric-cells.ts';

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
    place(metrics, name, metricJson(value));
  }
  return { metrics, counts: whole.counts };
}

const SUMMARY_COLUMNS = ['slice', 'value', ...METRIC_COLUMNS];

function summaryRows({ slice, value, counts, metrics }: SliceSummary): Row[] {
  return metrics.map((metric) => ({ slice, value, ...metricCells(metric, counts) }));
}

/** A table has a row for a row; the single steps of one are in the journal. */
function withoutSteps({ steps: _, ...result }: Fields): Fields {
  return result;
}

function csvRow(entry: JournalEntry): Row {
  const { row, id, status, slices, clusters } = entry;
  const head = { row, id, status, ...slices, ...(clusters ? flatten({ clusters }) : {}) };
  if (entry.status === 'ok') return { ...head, ...flatten(withoutSteps(entry.result)) };
  if (entry.status === 'skipped') return { ...head, reason: entry.reason, message: entry.message };
  return { ...head, reason: entry.error.code, message: entry.error.message };
}

/** The same rows; what those that were measured have is put down in `columns`. */
async function* withColumns(
  entries: AsyncIterable<JournalEntry>,
  columns: FlatColumns,
): AsyncGenerator<JournalEntry> {
  for await (const entry of entries) {
    if (entry.clusters) columns.add({ clusters: entry.clusters });
    if (entry.status === 'ok') columns.add(withoutSteps(entry.result));
    yield entry;
  }
}

async function* csvRows(
  journal: string,
  slices: readonly string[],
  keep: (entry: JournalEntry) => boolean = () => true,
): AsyncGenerator<Row> {
  for await (const entry of readJournal(journal, slices)) if (keep(entry)) yield csvRow(entry);
}

function columns(keys: readonly string[]): CsvColumn[] {
  return keys.map((key) => ({ key }));
}

/** The metrics of a part of the rows, whatever their rules, by their names. */
export function figuresByName({ metrics }: SliceSummary): ReadonlyMap<string, MetricFigures> {
  return new Map(metrics.map(({ name, value }) => [name, value]));
}

/** The reference project's intervals know of no range: half their width is one of its numbers. */
function metricsOf(suite: Suite, context: SuiteContext): readonly MetricDefinition[] {
  const metrics = suite.metrics(context);
  return context.compat === 'reference' ? metrics.map(({ range: _, ...metric }) => metric) : metrics;
}

/** Those of the reference project, whatever the run's own are: its names say 95 %, and it knows none but the normal. */
const REFERENCE_INTERVALS: IntervalOptions = { ci: 'normal', level: 0.95 };

/** Makes every derived file anew and returns what they say. */
export async function derive(
  folder: RunFolder,
  suite: Suite,
  context: SuiteContext,
  options: IntervalOptions,
): Promise<SliceSummary[]> {
  const own = new FlatColumns();
  const metrics = metricsOf(suite, context);
  const summaries = await aggregateRows(
    metrics,
    suite.slices,
    withColumns(readJournal(folder.journal, suite.slices), own),
    options,
  );
  const whole = summaries[0]!;
  await writeJson(folder.metrics, metricsFile(whole, suite.constants?.(context) ?? {}));
  if (context.compat === 'reference' && suite.reference) {
    const entries = readJournal(folder.journal, suite.slices);
    const [own] = await aggregateRows(metrics, [], entries, REFERENCE_INTERVALS);
    await writeJson(folder.reference, suite.reference(figuresByName(own!), whole.counts, context));
  }
  await writeCsv(folder.summaryCsv, columns(SUMMARY_COLUMNS), summaries.flatMap(summaryRows));
  const rows = columns(['row', 'id', 'status', ...suite.slices, ...own.names(), 'reason', 'message']);
  await writeCsv(folder.rowsCsv, rows, csvRows(folder.journal, suite.slices));
  for (const { file, keep } of suite.lists ?? []) {
    const kept = (entry: JournalEntry) => entry.status === 'ok' && keep(entry.result);
    await writeCsv(folder.list(file), rows, csvRows(folder.journal, suite.slices, kept));
  }
  return summaries;
}
