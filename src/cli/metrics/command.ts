/** `logit-audit metrics row|pair`: the numbers on logits that another program saved as NumPy files. */
import { type Command, Option } from 'commander';
import { AuditError } from '../../errors.ts';
import { type DeclaredType, type LogitsFile, openIds, openLogits } from '../../npy/index.ts';
import { formatCount } from '../../report/index.ts';
import { runAction } from '../../shell/exit.ts';
import { wholeNumber } from '../../shell/options.ts';
import { checkNotInput } from '../../shell/output-path.ts';
import { openGroups } from './groups.ts';
import { NOTES, PAIR_EXAMPLES, ROW_EXAMPLES, SUMMARY_HELP } from './help.ts';
import { measurePairs, OTHER } from './measure-pair.ts';
import { measureRows } from './measure-row.ts';
import { output } from './output.ts';

interface SharedFlags {
  logits: string;
  groups?: string;
  topK: number;
  base: 'e' | '2';
  dtype?: DeclaredType;
  csv?: string;
  json?: boolean;
}

interface RowFlags extends SharedFlags {
  targets?: string;
}

interface PairFlags extends SharedFlags {
  other: string;
}

export function addMetricsCommand(program: Command): void {
  const metrics = program
    .command('metrics')
    .summary('measure logits that another program saved (.npy)')
    .description('Measures raw logits out of NumPy files, of any length; no model is needed.')
    .addHelpText('after', SUMMARY_HELP);

  const row = metrics
    .command('row')
    .summary('entropy, group masses and likeliest tokens of each row')
    .description('Measures each row of logits: logsumexp, entropy, group masses, target, likeliest tokens.')
    .requiredOption('--logits <file>', 'raw logits, [V] or [rows, V] (.npy)')
    .option('--groups <file>', 'token groups whose probability is wanted: {"name": [ids]} (JSON)')
    .option('--targets <file>', 'one token id a row, -1 for none: [rows] of int32 or int64 (.npy)');
  withSharedOptions(row)
    .addHelpText('after', ROW_EXAMPLES + NOTES)
    .action((flags: RowFlags) => runAction({ json: flags.json === true }, (signal) => runRow(flags, signal)));

  const pair = metrics
    .command('pair')
    .summary('divergences between the rows of two files')
    .description('Compares row i of one file (P) with row i of another (Q): JSD, KL, total variation, top-K.')
    .requiredOption('--logits <file>', 'raw logits of P, [V] or [rows, V] (.npy)')
    .requiredOption('--other <file>', 'raw logits of Q, in the same shape (.npy)')
    .option('--groups <file>', 'token groups whose probability on both sides is wanted too (JSON)');
  withSharedOptions(pair)
    .addHelpText('after', PAIR_EXAMPLES + NOTES)
    .action((flags: PairFlags) =>
      runAction({ json: flags.json === true }, (signal) => runPair(flags, signal)),
    );
}

function withSharedOptions(command: Command): Command {
  return command
    .option('--top-k <k>', 'how many of the likeliest tokens', wholeNumber(1), 20)
    .addOption(new Option('--base <base>', 'base of the logarithms').choices(['e', '2']).default('e'))
    .addOption(
      new Option('--dtype <type>', 'say that uint16 holds the bits of bfloat16').choices(['bfloat16']),
    )
    .option('--csv <file>', 'write every row to a CSV file; one that is there is replaced')
    .option('--json', 'print every row as a line of JSON (JSON Lines), and nothing else');
}

async function runRow(flags: RowFlags, signal: AbortSignal): Promise<void> {
  checkNotInput('--csv', flags.csv, [flags.logits, flags.targets, flags.groups]);
  const logits = await openLogits(flags.logits, { dtype: flags.dtype });
  checkDeclared(flags.dtype, [logits]);
  const groups = await openGroups(flags.groups, logits, ['']);
  const targets = flags.targets === undefined ? null : await openIds(flags.targets, logits.vocab);
  const scale = flags.base === '2' ? 1 / Math.LN2 : 1;
  await output(measureRows({ logits, groups, targets, topK: flags.topK, scale, signal }), {
    title: `${describe(logits)}; ${unit(flags.base)}`,
    csv: flags.csv,
    json: flags.json === true,
  });
}

async function runPair(flags: PairFlags, signal: AbortSignal): Promise<void> {
  checkNotInput('--csv', flags.csv, [flags.logits, flags.other, flags.groups]);
  const logits = await openLogits(flags.logits, { dtype: flags.dtype });
  const other = await openLogits(flags.other, { dtype: flags.dtype });
  checkDeclared(flags.dtype, [logits, other]);
  const groups = await openGroups(flags.groups, logits, ['', OTHER]);
  const base = flags.base === '2' ? 2 : Math.E;
  await output(measurePairs({ logits, other, groups, topK: flags.topK, base, signal }), {
    title: `P: ${describe(logits)}\nQ: ${describe(other)}\n${unit(flags.base)}`,
    csv: flags.csv,
    json: flags.json === true,
  });
}

/** An option that changes nothing was a mistake. */
function checkDeclared(dtype: DeclaredType | undefined, files: readonly LogitsFile[]): void {
  if (dtype === undefined || files.some(({ type }) => type === dtype)) return;
  const found = files.map(({ path, type }) => `${path} holds ${type}`).join(' and ');
  throw new AuditError('bad_argument', `--dtype ${dtype} is for files of uint16, but ${found}; leave it out`);
}

function describe({ path, rows, vocab, type }: LogitsFile): string {
  const counted = rows === 1 ? '1 row' : `${formatCount(rows)} rows`;
  return `${path}: ${counted} of ${formatCount(vocab)} logits, ${type}`;
}

function unit(base: 'e' | '2'): string {
  return base === '2' ? 'logarithms to base 2 (bits)' : 'natural logarithms (nats)';
}
