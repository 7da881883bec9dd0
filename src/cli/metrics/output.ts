/**
 * Where the rows go: a CSV file, JSON lines on stdout, or the first few in a table with a summary. Each row passes
 * through once, and only what is shown is kept.
 */
import {
  type Column,
  flatten,
  formatCount,
  formatNumber,
  type Nested,
  type Row,
  renderTable,
  writeCsv,
} from '../../report/index.ts';
import { isTerminal, printAll } from '../../report/terminal.ts';
import { progressBar } from '../../shell/progress-bar.ts';
import type { Measured } from './record.ts';
import { Summary } from './summary.ts';

export interface OutputOptions {
  /** The first lines: what was measured. */
  readonly title: string;
  readonly csv?: string | undefined;
  readonly json: boolean;
}

const SHOWN_ROWS = 10;
const SHOWN_TOKENS = 3;
const PROGRESS_AFTER_MS = 1000;

/** Sends every row where it is wanted. A fault in any of them leaves no CSV file, and no table. */
export async function output(measured: Measured, { title, csv, json }: OutputOptions): Promise<void> {
  const summary = new Summary(measured.columns);
  const head: Row[] = [];
  async function* rows(): AsyncGenerator<Row> {
    for await (const records of withProgress(measured, json)) {
      if (json) await printAll(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
      for (const record of records) {
        const row = flatten(record);
        summary.add(row);
        if (head.length < SHOWN_ROWS) head.push({ ...row, tokens: likeliest(record) });
        yield row;
      }
    }
  }
  if (csv === undefined) for await (const _ of rows()) void _;
  else {
    await writeCsv(
      csv,
      measured.columns.map((key) => ({ key })),
      rows(),
    );
  }
  if (json) return;
  await printAll(
    [
      title,
      '',
      ...(csv === undefined ? [headTable(measured, head), shownOf(measured.rows), ''] : []),
      `over ${counted(measured.rows)}:`,
      summary.render(),
      ...(csv === undefined ? [] : ['', `${counted(measured.rows)} written to ${csv}`]),
      '',
    ].join('\n'),
  );
}

async function* withProgress({ rows, records }: Measured, json: boolean): AsyncGenerator<Nested[]> {
  // Lines on the same terminal would tear the bar apart.
  const bar = json && isTerminal() ? null : progressBar('metrics', { afterMs: PROGRESS_AFTER_MS });
  let done = 0;
  try {
    for await (const block of records) {
      yield block;
      done += block.length;
      bar?.update({ rows: done, totalRows: rows });
    }
  } finally {
    bar?.stop();
  }
}

function headTable({ columns }: Measured, head: readonly Row[]): string {
  const number = (value: number) => formatNumber(value, 4);
  const shown: Column[] = columns
    .filter((key) => key !== 'topKIds' && key !== 'topKProbs')
    .map((key) => ({ key, align: 'right', format: /^row$|K$|Size$|Rank$/.test(key) ? String : number }));
  if (columns.includes('topKIds'))
    shown.push({ key: 'tokens', header: 'likeliest tokens: id (probability)' });
  return renderTable(shown, head);
}

function likeliest({ topKIds, topKProbs }: Nested): string | null {
  if (!Array.isArray(topKIds) || !Array.isArray(topKProbs)) return null;
  return topKIds
    .slice(0, SHOWN_TOKENS)
    .map((id, index) => `${id} (${formatNumber(topKProbs[index])})`)
    .join(', ');
}

function shownOf(rows: number): string {
  return rows <= SHOWN_ROWS
    ? '--csv FILE or --json give all digits'
    : `the first ${SHOWN_ROWS} of ${counted(rows)}; --csv FILE or --json give all of them, with all digits`;
}

function counted(rows: number): string {
  return rows === 1 ? '1 row' : `${formatCount(rows)} rows`;
}
