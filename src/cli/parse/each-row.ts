/** What the commands of `parse` do with a data file: a line on stdout for each row, bad rows and counts on stderr. */
import { type DatasetRow, openDataset } from '../../dataset/index.ts';
import { AuditError } from '../../errors.ts';
import { formatCount } from '../../report/index.ts';
import { printAll, printError } from '../../report/terminal.ts';
import { EXIT, warn } from '../../shell/exit.ts';

/** So many bad rows are reported one by one. */
const SHOWN_BAD = 5;
const BLOCK_CHARACTERS = 64 * 1024;

export type ReadRow<Line> =
  | { readonly ok: true; readonly line: Line }
  | { readonly ok: false; readonly error: AuditError };

export interface RowsAsked<Line> {
  readonly files: readonly string[];
  readonly read: (row: DatasetRow) => ReadRow<Line>;
  /** Counted even where none has it; others as they come. */
  readonly statuses: readonly string[];
  /** Counts and faults as JSON. */
  readonly json: boolean;
  readonly signal: AbortSignal;
}

/** Reads the rows, prints a line for each, and tells the counts; a data set without a row that can be read fails. */
export async function parseRows<Line extends { readonly status: string }>(
  asked: RowsAsked<Line>,
): Promise<void> {
  const { files, read, statuses, json, signal } = asked;
  const counts = new Map(statuses.map((status) => [status, 0]));
  let rows = 0;
  let bad = 0;
  let block = '';
  for await (const row of openDataset(files).rows()) {
    if (signal.aborted) throw new AuditError('cancelled', `cancelled after ${formatCount(rows)} rows`);
    rows += 1;
    const answer = read(row);
    if (!answer.ok) {
      bad += 1;
      if (bad <= SHOWN_BAD) tellBad(answer.error, json);
      continue;
    }
    const { line } = answer;
    counts.set(line.status, (counts.get(line.status) ?? 0) + 1);
    block += `${JSON.stringify(line)}\n`;
    if (block.length < BLOCK_CHARACTERS) continue;
    await printAll(block);
    block = '';
  }
  await printAll(block);
  tell({ rows, bad, counts: Object.fromEntries(counts) }, json);
  if (rows === bad) process.exitCode = EXIT.failed;
}

function tellBad(error: AuditError, json: boolean): void {
  if (json) printError(`${JSON.stringify({ error: error.toJSON() })}\n`);
  else warn(error.message);
}

interface Tally {
  readonly rows: number;
  readonly bad: number;
  readonly counts: Readonly<Record<string, number>>;
}

function tell({ rows, bad, counts }: Tally, json: boolean): void {
  if (json) {
    printError(`${JSON.stringify({ rows, ...counts, bad })}\n`);
    return;
  }
  if (bad > SHOWN_BAD) warn(`${formatCount(bad - SHOWN_BAD)} more bad rows`);
  const all = { ...counts, 'cannot be read': bad };
  const lines = Object.entries(all).map(([what, count]) => `${formatCount(count)} ${what}`);
  printError(`${formatCount(rows)} rows: ${lines.join(', ')}\n`);
}
