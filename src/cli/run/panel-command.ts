/** `logit-audit run panel`: several suites on one model, in one table. */
import { type Command, Option } from 'commander';
import { print, printError } from '../../report/terminal.ts';
import { checkPanelUsable, type PanelResult, planPanel, runId, runPanelPlan } from '../../run/index.ts';
import {
  type EndpointFlags,
  MODEL_HELP,
  openByFlags,
  withEndpointOptions,
} from '../../shell/endpoint-options.ts';
import { EXIT, runAction } from '../../shell/exit.ts';
import { type EngineFlags, withEngineOptions } from '../../shell/options.ts';
import { panelJson, panelSheet } from '../../shell/run/panel-sheet.ts';
import { PartBars } from '../../shell/run/part-bars.ts';
import {
  compatOption,
  folderOf,
  GROUP,
  type IntervalFlags,
  intervalOf,
  limitOption,
  resumeOption,
  sampleOption,
  withIntervalOptions,
} from '../../shell/run/shared-options.ts';
import { findSuite, suiteNames } from '../../suites/registry.ts';
import { type PartFlags, readParts } from './panel-parts.ts';

interface PanelFlags extends EngineFlags, EndpointFlags, IntervalFlags, PartFlags {
  model: string;
  out?: string;
  resume?: boolean;
  strict?: boolean;
  json?: boolean;
}

const EXAMPLES = `
Examples:
  logit-audit run panel --model model.gguf --ctf pairs.jsonl --crows crows_pairs_anonymized.csv
  logit-audit run panel --model model.gguf --panel panel.yaml --out runs/audit

A panel file lists parts, each a suite with its data and options (paths from the folder of the file):
  parts:
    - { suite: ctf, data: pairs.jsonl }
    - { suite: ctf, name: ctf-aligned, data: pairs.jsonl, options: { steps: aligned } }

Options are those of the suite's own command, in camel case (decodeSteps for --decode-steps). A part may also have
a name, lexicon, groups, occupations, policy, capitalised, compat, limit and sample, as the flags of those names; what it has
goes before the flags, which are for all.

Exit codes: 0 done, 1 a part failed or measured nothing, 2 bad input, 3 disk full, 130 interrupted (what was done stands).`;

export function addPanelCommand(run: Command): void {
  const command = run
    .command('panel')
    .summary('several suites on one model, in one table')
    .description(
      'Runs several suites on one model, which is loaded once. Every suite gets a folder of its own; summary.csv and summary.md hold one table.',
    )
    .requiredOption('--model <model>', MODEL_HELP)
    .option('--panel <file>', 'parts as a YAML file')
    .option('--out <folder>', 'folder for the panel, new or empty (default: runs/panel-<model>-<time>)')
    .option(
      '--lexicon <name>',
      'word groups: a lexicon by name, a file, or word lists as female=a.txt,male=b.txt',
      'gender-en',
    )
    .option(
      '--occupations <file>',
      'numbers by occupation to correlate with (default: the shares of the lexicon)',
    )
    .addOption(limitOption('rows', ' of each'))
    .addOption(sampleOption('rows', ' of each'))
    .option('--strict', 'stop at the first bad row')
    .addOption(resumeOption())
    .addOption(compatOption())
    .option('--json', 'print the metrics as JSON')
    .optionsGroup('Data, a suite each:');
  for (const name of suiteNames()) {
    command.addOption(new Option(`--${name} <files...>`, `data of ${name}: ${findSuite(name).data}`));
  }
  withIntervalOptions(command.optionsGroup(GROUP.intervals));
  withEngineOptions(command.optionsGroup(GROUP.engine));
  withEndpointOptions(command.optionsGroup(GROUP.endpoint))
    .addHelpText('after', EXAMPLES)
    .action((flags: PanelFlags) =>
      runAction({ json: flags.json === true }, (signal) => panel(flags, signal)),
    );
}

/** Is there a part without a number? One that measured nothing has none either. */
function lacksNumbers({ outcomes }: PanelResult): boolean {
  return outcomes.some(({ run }) => run === null || run.counts.ok === 0);
}

async function panel(flags: PanelFlags, signal: AbortSignal): Promise<void> {
  const out = folderOf(flags, () => runId('panel', flags.model, new Date()));
  // Faults that need no model are found before one is loaded.
  const plan = await planPanel({
    parts: await readParts(flags),
    out,
    resume: flags.resume === true,
    strict: flags.strict === true,
    interval: intervalOf(flags),
  });
  await checkPanelUsable(plan);
  const bars = new PartBars();
  const { backend, engine } = await openByFlags(flags.model, flags, {
    out,
    signal,
    onAnswer: ({ asked, reused }) => bars.answered(asked.requests + reused.requests),
  });
  try {
    const result = await runPanelPlan(plan, {
      backend,
      engine,
      signal,
      onProgress: (name, progress) => bars.update(name, progress),
    });
    bars.stop();
    print(`${flags.json ? panelJson(result) : panelSheet(result)}\n`);
    if (lacksNumbers(result)) {
      printError('logit-audit: a part of the panel failed or measured nothing; the table says which\n');
      process.exitCode = EXIT.failed;
    }
  } finally {
    bars.stop();
    await backend.close();
  }
}
