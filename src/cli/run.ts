/** `logit-audit run <suite>`: audits a model on a data file. */
import { type Command, Option } from 'commander';
import { openDataset } from '../dataset/index.ts';
import { loadLexicon, type MultiTokenPolicy } from '../lexicon/index.ts';
import { describeEngine, openModel } from '../model/index.ts';
import { checkFolderIsFree, runSuite } from '../run/index.ts';
import { findSuite, suiteNames } from '../suite/index.ts';
import { EXIT, runAction } from './exit.ts';
import { type EngineFlags, engineOptions, fraction, wholeNumber, withEngineOptions } from './options.ts';
import { progressBar } from './progress-bar.ts';
import { runJson, runSheet } from './run-sheet.ts';

interface RunFlags extends EngineFlags {
  model: string;
  data: string;
  out?: string;
  lexicon: string;
  limit?: number;
  strict?: boolean;
  topK: number;
  policy: MultiTokenPolicy;
  capitalised: boolean;
  ci: 'cluster' | 'normal' | 'bootstrap';
  level: number;
  seed: number;
  json?: boolean;
}

const EXAMPLES = `
Examples:
  logit-audit run ctf --model model.gguf --data pairs.jsonl
  logit-audit run ctf --model model.gguf --data pairs.csv --out runs/first --limit 100
  logit-audit run ctf --model model.gguf --lora tuned.gguf:0.5 --device CUDA1 --data pairs.jsonl
  logit-audit run ctf --model model.gguf --data pairs.jsonl --json | jq .metrics.ctfGap

Data: JSON Lines or CSV with the columns id, x, x_swap, and optionally occupation and category.
Exit codes: 0 done (failed rows are counted), 1 nothing could be measured, 2 bad input, 130 interrupted.`;

export function addRunCommand(program: Command): void {
  const command = program
    .command('run')
    .summary('audit a model on a data file')
    .description(
      'Runs a suite over a data file and writes a folder with every row, the metrics and how they came about.',
    )
    .argument('<suite>', `which suite: ${suiteNames().join(', ')}`)
    .requiredOption('--model <file>', 'GGUF model; of a model in parts, the first')
    .requiredOption('--data <file>', 'data file, JSON Lines or CSV')
    .option('--out <folder>', 'folder for the run, new or empty (default: runs/<suite>-<model>-<time>)')
    .option('--lexicon <name>', 'word groups: a shipped lexicon or a file', 'gender-en')
    .option('--limit <rows>', 'only the first rows', wholeNumber(1))
    .option('--strict', 'stop at the first bad row')
    .option('--top-k <k>', 'K of the top-K form of the divergence', wholeNumber(1), 20)
    .addOption(
      new Option('--policy <policy>', 'a word of several tokens counts by its first, or not at all')
        .choices(['first', 'skip'])
        .default('first'),
    )
    .option('--no-capitalised', 'leave the capitalised forms of the words out')
    .addOption(
      new Option(
        '--ci <method>',
        'how intervals are worked out: rows as clusters, 1.96 standard errors over steps, or rows drawn anew 10,000 times',
      )
        .choices(['cluster', 'normal', 'bootstrap'])
        .default('cluster'),
    )
    .option('--level <p>', 'level of the intervals', fraction, 0.95)
    .option('--seed <n>', 'seed of what is drawn at random: the bootstrap', wholeNumber(0), 0)
    .option('--json', 'print the metrics as JSON');
  withEngineOptions(command)
    .addHelpText('after', EXAMPLES)
    .action((suite: string, flags: RunFlags) =>
      runAction({ json: flags.json === true }, (signal) => run(suite, flags, signal)),
    );
}

/** Faults that need no model are told before one is loaded. */
function checkFiles(suite: string, flags: RunFlags): void {
  findSuite(suite);
  if (flags.out !== undefined) checkFolderIsFree(flags.out);
  openDataset(flags.data);
}

async function run(suite: string, flags: RunFlags, signal: AbortSignal): Promise<void> {
  checkFiles(suite, flags);
  const lexicon = await loadLexicon(flags.lexicon);
  const options = engineOptions(flags);
  const backend = await openModel(flags.model, options);
  const bar = progressBar(suite);
  try {
    const result = await runSuite({
      suite,
      backend,
      engine: describeEngine(options, backend.system),
      lexicon,
      data: flags.data,
      strict: flags.strict === true,
      topK: flags.topK,
      policy: flags.policy,
      capitalised: flags.capitalised,
      interval: { ci: flags.ci, level: flags.level, seed: flags.seed },
      signal,
      onProgress: (progress) => bar.update(progress),
      ...(flags.out === undefined ? {} : { out: flags.out }),
      ...(flags.limit === undefined ? {} : { limit: flags.limit }),
    });
    bar.stop();
    process.stdout.write(`${flags.json ? runJson(result) : runSheet(result)}\n`);
    if (result.summaries[0]!.counts.ok === 0) {
      process.stderr.write('logit-audit: no row could be measured; rows.csv says why for each\n');
      process.exitCode = EXIT.failed;
    }
  } finally {
    bar.stop();
    await backend.close();
  }
}
