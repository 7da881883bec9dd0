/** `logit-audit swap`: counterfactual pairs out of texts, as `run ctf` reads them. */
import { extname } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { type Dataset, openDataset, surveyDataset } from '../dataset/index.ts';
import { AuditError } from '../errors.ts';
import { type AtomicFile, openAtomic, writeAtomic } from '../files/atomic.ts';
import { loadLexicon, swappedGroups } from '../lexicon/index.ts';
import { type Row, writeCsv } from '../report/index.ts';
import { isTerminal, print, printAll, printError } from '../report/terminal.ts';
import { EXIT, runAction } from '../shell/exit.ts';
import { checkFree, checkNotInput } from '../shell/output-path.ts';
import { progressBar } from '../shell/progress-bar.ts';
import { readNames } from './swap-names.ts';
import {
  isRecord,
  type RejectedRow,
  type SwapJob,
  SwapTally,
  swappedColumns,
  swapRows,
  TEXT_COLUMNS,
} from './swap-rows.ts';
import { type SwapReport, swapJson, swapSheet } from './swap-sheet.ts';

interface SwapFlags {
  lexicon: string;
  data: readonly string[];
  out?: string;
  column?: string;
  between?: readonly [string, string];
  names?: string;
  rejected?: string;
  strictRoundTrip?: boolean;
  force?: boolean;
  json?: boolean;
}

const SHOWN_REJECTED = 5;
const PROGRESS_AFTER_MS = 1000;
const BLOCK_CHARACTERS = 64 * 1024;

const EXAMPLES = `
Examples:
  logit-audit swap --data texts.csv --out pairs.jsonl
  logit-audit swap --data texts.jsonl --column sentence --out pairs.csv --rejected rejected.jsonl
  logit-audit swap --data texts.jsonl --names names.csv --out pairs.jsonl --json | jq .changes
  logit-audit swap --lexicon ./words.yaml --between women,men --data texts.txt | head

Each row that can be swapped comes out with its own columns and:
  id                its own, or the number of the row from 1
  x, x_swap         the text and its counterfactual: what "logit-audit run ctf" reads
  occupation        its own, or the one occupation of the lexicon that the text names
  roundTrip         true where swapping x_swap gives x again and nothing is marked; "mum" to "dad" to "mom" does not
  roundTripText     what came back instead; empty (null) where it cannot be swapped back
  marks             why the pair may not be one; empty (null) for a clean one
                      named_person: Mary   names a person whose name says who is meant, and the name stays
                      half_swapped: Man    a word stays that may be a part of a name or title
A row is left out, and counted, where a word has no partner, where the use of a word is not clear ("her" is "him" or
"his"), where there is no word to swap, and where it has no text.

Names: a data file with a column for each group: "female,male" and then "Mary,John". They are swapped
where they stand as written there.
Exit codes: 0 done (rows left out are counted), 1 nothing could be swapped, 2 bad input, 3 disk full, 130 interrupted.`;

export function addSwapCommand(program: Command): void {
  program
    .command('swap')
    .summary('make counterfactual pairs: the words of two groups change places')
    .description('Swaps the words of two groups in each text of a data file, and checks the way back.')
    .requiredOption(
      '--data <files...>',
      'texts: JSON Lines, JSON, CSV, TSV or plain text; several are one data set',
    )
    .option('--lexicon <name>', 'word groups and partners: a shipped lexicon or a file', 'gender-en-swap')
    .option('--out <file>', 'file for the pairs, .jsonl or .csv (default: JSON Lines on stdout)')
    .option(
      '--column <name>',
      `column of the text (default: the first there is of ${TEXT_COLUMNS.join(', ')})`,
    )
    .option('--between <a,b>', 'the two groups (default: those of the lexicon, if it has two)', twoGroups)
    .option('--names <file>', 'swap these names too: pairs, a column for each group (default: names stay)')
    .option('--rejected <file>', 'file for the rows left out, each with its reason (JSON Lines)')
    .option('--strict-round-trip', 'leave out rows that do not come back or are marked')
    .option('--force', 'replace files that are there')
    .option('--json', 'print the counts as JSON; needs --out')
    .addHelpText('after', EXAMPLES)
    .action((flags: SwapFlags) => runAction({ json: flags.json === true }, (signal) => swap(flags, signal)));
}

function twoGroups(text: string): readonly [string, string] {
  const [first = '', second = '', ...more] = text.split(',').map((name) => name.trim());
  if (first === '' || second === '' || more.length > 0) {
    throw new InvalidArgumentError('Give two groups with a comma between them, such as female,male.');
  }
  return [first, second];
}

async function swap(flags: SwapFlags, signal: AbortSignal): Promise<void> {
  checkFiles(flags);
  const lexicon = await loadLexicon(flags.lexicon);
  const groups = swappedGroups(lexicon, flags.between);
  const names = flags.names === undefined ? {} : { names: await readNames(flags.names, groups) };
  const dataset = openDataset(flags.data);
  const { rows: totalRows } = await surveyDataset(flags.data);
  const job: SwapJob = {
    dataset,
    lexicon,
    options: { between: groups, ...names },
    column: await findColumn(dataset, flags.column),
    strictRoundTrip: flags.strictRoundTrip === true,
    signal,
  };
  const { tally, firstRejected } = await writeRows(job, flags, totalRows);
  tell({ job, groups, tally, firstRejected, out: flags.out, rejected: flags.rejected }, flags);
  if (tally.swapped === 0) process.exitCode = EXIT.failed;
}

/** Faults of the arguments are found before anything is read. */
function checkFiles({ data, lexicon, names, out, rejected, force = false, json = false }: SwapFlags): void {
  if (json && out === undefined) {
    throw new AuditError(
      'bad_argument',
      '--json prints the counts on stdout, where the pairs go; give --out',
    );
  }
  if (out !== undefined && !isJsonl(out) && extname(out).toLowerCase() !== '.csv') {
    throw new AuditError('bad_argument', `--out ${out}: give a file that ends in .jsonl or .csv`, {
      file: out,
    });
  }
  checkNotInput('--out', out, [...data, names, lexicon]);
  checkNotInput('--rejected', rejected, [...data, names, lexicon]);
  if (rejected !== undefined) checkNotInput('--out', out, [rejected]);
  checkFree(out, force);
  checkFree(rejected, force);
}

function isJsonl(path: string): boolean {
  return ['.jsonl', '.ndjson'].includes(extname(path).toLowerCase());
}

/** The column of the text, by the first row that can be read. */
async function findColumn(dataset: Dataset, asked: string | undefined): Promise<string> {
  for await (const { value } of dataset.rows()) {
    if (!isRecord(value)) continue;
    const columns = Object.keys(value);
    const column = (asked === undefined ? TEXT_COLUMNS : [asked]).find((name) => columns.includes(name));
    if (column !== undefined) return column;
    const wanted = asked ?? TEXT_COLUMNS.join(', ');
    const message = `${dataset.files[0]}: no column ${wanted}; there are ${columns.map((name) => name || '""').join(', ')}: say which with --column`;
    throw new AuditError('bad_argument', message, { file: dataset.files[0], columns });
  }
  // No row is one: each of them will be reported.
  return asked ?? TEXT_COLUMNS[0];
}

async function writeRows(
  job: SwapJob,
  { out, rejected }: SwapFlags,
  totalRows: number,
): Promise<{ tally: SwapTally; firstRejected: RejectedRow[] }> {
  const tally = new SwapTally();
  const firstRejected: RejectedRow[] = [];
  const rejectedFile: AtomicFile | null = rejected === undefined ? null : await openAtomic(rejected);
  // Lines on the same terminal would tear the bar apart.
  const bar = out === undefined && isTerminal() ? null : progressBar('swap', { afterMs: PROGRESS_AFTER_MS });
  const rows = swapRows(job, tally, async (row) => {
    if (firstRejected.length < SHOWN_REJECTED) firstRejected.push(row);
    await rejectedFile?.write(`${JSON.stringify(row)}\n`);
    bar?.update({ rows: tally.rows, totalRows });
  });
  async function* watched() {
    for await (const row of rows) {
      yield row;
      bar?.update({ rows: tally.rows, totalRows });
    }
  }
  try {
    await writeKept(watched(), job, out);
    await rejectedFile?.commit();
  } catch (thrown) {
    await rejectedFile?.discard();
    throw thrown;
  } finally {
    bar?.stop();
  }
  return { tally, firstRejected };
}

type Fields = Readonly<Record<string, unknown>>;

async function writeKept(rows: AsyncGenerator<Fields>, job: SwapJob, out: string | undefined): Promise<void> {
  if (out === undefined) {
    for await (const block of jsonLines(rows)) await printAll(block);
    return;
  }
  // Where nothing could be swapped there is no file.
  const first = await rows.next();
  if (first.done) return;
  async function* all() {
    yield first.value as Fields;
    yield* rows;
  }
  if (isJsonl(out)) {
    await writeAtomic(out, jsonLines(all()));
    return;
  }
  const columns = swappedColumns(await columnsOf(job.dataset), job);
  await writeCsv(
    out,
    columns.map((key) => ({ key })),
    cells(all()),
  );
}

async function* jsonLines(rows: AsyncIterable<Fields>): AsyncGenerator<string> {
  let block = '';
  for await (const row of rows) {
    block += `${JSON.stringify(row)}\n`;
    if (block.length < BLOCK_CHARACTERS) continue;
    yield block;
    block = '';
  }
  if (block !== '') yield block;
}

/** Every column that some row has, in the order in which they come up. */
async function columnsOf(dataset: Dataset): Promise<string[]> {
  const columns = new Set<string>();
  for await (const { value } of dataset.rows()) {
    if (isRecord(value)) for (const column of Object.keys(value)) columns.add(column);
  }
  return [...columns];
}

/** Rows as a table holds them; lists and objects as JSON. */
async function* cells(rows: AsyncIterable<Fields>): AsyncGenerator<Row> {
  for await (const row of rows) {
    yield Object.fromEntries(
      Object.entries(row).map(([key, value]) => [
        key,
        typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as Row[string]),
      ]),
    );
  }
}

/** The counts: on stdout where a file holds the pairs, else on stderr. */
function tell(report: SwapReport, { json, out }: SwapFlags): void {
  if (json) print(`${swapJson(report)}\n`);
  else (out === undefined ? printError : print)(`${swapSheet(report)}\n`);
}
