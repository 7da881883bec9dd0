/**
 * What is derived from a journal: metrics.json, rows.csv, summary.csv and the suite's own lists. Made from the disk alone, without times or
 * machine in them, so that the same journal always gives the same bytes.
 */

import type {
  Derivation,
  Fields,
  JournalEntry,
  MetricDefinition,
  MetricFigures,
  RowTable,
  Suite,
  SuiteContext,
  SuiteFile,
} from '../contract/index.ts';
import {
  Alike,
  type CsvColumn,
  type CsvFile,
  FlatColumns,
  flatten,
  openCsv,
  type Row,
  writeCsv,
  writeJson,
} from '../report/index.ts';
import { type IntervalOptions, metricJson } from './accumulate/index.ts';
import { aggregateRows, type SliceSummary } from './aggregate.ts';
import type { RunFolder } from './folder.ts';
import { lastOfEach, readJournal } from './journal.ts';
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

export interface Derived {
  /** All rows first, then a summary per value of each slice column. */
  readonly summaries: SliceSummary[];
  /** What the rows' answers are, as far as they are the same. */
  readonly alike: Alike;
  readonly derivation: Derivation | null;
}

/** The rows that count, in order. */
function countedRows({ journal }: RunFolder, { slices, resumeAt }: Suite): AsyncIterable<JournalEntry> {
  return resumeAt === 'unanswered' ? lastOfEach(journal, slices) : readJournal(journal, slices);
}

/**
 * Makes every derived file anew and returns what they say. The journal is read once for all numbers, and once more for the tables of
 * rows, whose columns are known only then.
 */
export async function derive(
  folder: RunFolder,
  suite: Suite,
  context: SuiteContext,
  options: IntervalOptions,
): Promise<Derived> {
  const own = new FlatColumns();
  const alike = new Alike();
  const derivation = suite.derive?.(context) ?? null;
  const metrics = metricsOf(suite, context);
  const entries = (async function* () {
    for await (const entry of countedRows(folder, suite)) {
      if (entry.clusters) own.add({ clusters: entry.clusters });
      if (entry.status === 'ok') {
        own.add(withoutSteps(entry.result));
        if (suite.answers) alike.add(suite.answers(entry.result));
      }
      derivation?.add(entry);
      yield entry;
    }
  })();
  const summaries = await aggregateRows(metrics, suite.slices, entries, options);
  const whole = summaries[0]!;
  if (metrics.length > 0) {
    await writeJson(folder.metrics, metricsFile(whole, suite.constants?.(context) ?? {}));
    await writeCsv(folder.summaryCsv, columns(SUMMARY_COLUMNS), summaries.flatMap(summaryRows));
  }
  if (context.compat === 'reference' && suite.reference) {
    const entries = readJournal(folder.journal, suite.slices);
    const [own] = await aggregateRows(metrics, [], entries, REFERENCE_INTERVALS);
    await writeJson(folder.reference, suite.reference(figuresByName(own!), whole.counts, context));
  }
  await writeRowTables(folder, suite, own);
  await writeFiles(folder, derivation?.files() ?? []);
  return { summaries, alike, derivation };
}

/** rows.csv, or the suite's own table, and its lists, in one pass; `own` are the columns of measured rows. */
export async function writeRowTables(
  folder: RunFolder,
  suite: Suite,
  own: FlatColumns | null,
): Promise<void> {
  const all = columns(['row', 'id', 'status', ...suite.slices, ...(own?.names() ?? []), 'reason', 'message']);
  const ofEach: RowFile = { file: folder.rowsCsv, columns: all, line: csvRow };
  const files = [
    suite.table ? ownTable(folder, suite.table) : ofEach,
    ...(suite.lists ?? []).map(
      ({ file, keep }): RowFile => ({
        file: folder.list(file),
        columns: all,
        line: (entry) => (entry.status === 'ok' && keep(entry.result) ? csvRow(entry) : null),
      }),
    ),
  ];
  const open: { readonly line: RowFile['line']; readonly csv: CsvFile }[] = [];
  try {
    for (const { file, columns, line } of files) open.push({ line, csv: await openCsv(file, columns) });
    for await (const entry of countedRows(folder, suite)) {
      for (const { line, csv } of open) {
        const row = line(entry);
        if (row !== null) await csv.write(row);
      }
    }
    for (const { csv } of open) await csv.commit();
  } catch (thrown) {
    for (const { csv } of open) await csv.discard();
    throw thrown;
  }
}

interface RowFile {
  readonly file: string;
  readonly columns: readonly CsvColumn[];
  /** Null: the row is not of this file. */
  line(entry: JournalEntry): Row | null;
}

function ownTable(folder: RunFolder, table: RowTable): RowFile {
  return {
    file: folder.list(table.file),
    columns: columns(table.columns),
    line: (entry) => (entry.status === 'ok' ? table.line(entry) : null),
  };
}

/** Files that a suite made. */
export async function writeFiles(folder: RunFolder, files: Iterable<SuiteFile>): Promise<void> {
  for (const one of files) {
    const path = folder.list(one.file);
    if ('json' in one) await writeJson(path, one.json);
    else await writeCsv(path, columns(one.columns), one.rows);
  }
}
