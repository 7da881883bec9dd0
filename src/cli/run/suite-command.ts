/** `logit-audit run <suite>`: audits a model on the data of one suite. */
import { type Command, Option } from 'commander';
import type { Suite } from '../../contract/index.ts';
import {
  DEFAULT_POLICY,
  loadLexicon,
  MULTI_TOKEN_POLICIES,
  type MultiTokenPolicy,
  readTokenGroups,
} from '../../lexicon/index.ts';
import { print, printError } from '../../report/terminal.ts';
import {
  checkFolderIsFree,
  checkUsable,
  planRun,
  type RunPlan,
  readOccupations,
  runId,
  runPlan,
} from '../../run/index.ts';
import {
  type EndpointFlags,
  MODEL_HELP,
  openByFlags,
  withEndpointOptions,
} from '../../shell/endpoint-options.ts';
import { EXIT, runAction, warn } from '../../shell/exit.ts';
import { POLICY_HELP } from '../../shell/mapping-sheet.ts';
import { type EngineFlags, withEngineOptions } from '../../shell/options.ts';
import { progressBar } from '../../shell/progress-bar.ts';
import {
  type ClusterFlag,
  checkResume,
  clusterOption,
  compatOption,
  GROUP,
  type IntervalFlags,
  intervalOf,
  limitOption,
  resumeOption,
  sampleFlag,
  sampleOption,
  withIntervalOptions,
} from '../../shell/run/shared-options.ts';
import { runJson, runSheet } from '../../shell/run/sheet.ts';
import { givenFlags, suiteOptionValues, withSuiteOptions } from '../../shell/run/suite-options.ts';

interface RunFlags extends EngineFlags, EndpointFlags, IntervalFlags, ClusterFlag {
  model: string;
  data: string[];
  out?: string;
  lexicon?: string;
  groups?: string;
  occupations?: string;
  limit?: number;
  sample?: number;
  resume?: boolean;
  strict?: boolean;
  policy?: MultiTokenPolicy;
  capitalised?: boolean;
  compat?: 'reference';
  json?: boolean;
}

export function addSuiteCommand(run: Command, suite: Suite): void {
  const command = run
    .command(suite.name)
    .summary(suite.summary)
    .description(`${suite.summary[0]!.toUpperCase()}${suite.summary.slice(1)}.`)
    .requiredOption('--model <model>', MODEL_HELP)
    .requiredOption('--data <files...>', `data: ${suite.data}`)
    .option('--out <folder>', 'folder for the run, new or empty (default: runs/<suite>-<model>-<time>)')
    .addOption(limitOption('rows'))
    .addOption(sampleOption('rows'))
    .option('--strict', 'stop at the first bad row')
    .addOption(resumeOption())
    .option('--json', 'print the metrics as JSON')
    .optionsGroup(`Options of ${suite.name}:`);
  withSuiteOptions(command, suite.options);
  withLexiconOptions(command, suite);
  if (suite.reference) command.addOption(compatOption());
  withIntervalOptions(command.optionsGroup(GROUP.intervals)).addOption(clusterOption());
  withEngineOptions(command.optionsGroup(GROUP.engine));
  withEndpointOptions(command.optionsGroup(GROUP.endpoint))
    .addHelpText('after', `\nExample:\n  ${suite.example}\n\nWhat it measures, and how: docs/suites.md.`)
    .action((flags: RunFlags) => {
      const options = suiteOptionValues(suite.options, givenFlags(command));
      return runAction({ json: flags.json === true }, (signal) => runOne(suite, flags, options, signal));
    });
}

function withLexiconOptions(command: Command, { lexicon, usesOccupations }: Suite): void {
  if (usesOccupations) {
    command.option(
      '--occupations <file>',
      'numbers by occupation to correlate with, CSV or TSV with a column occupation (default: the shares of the lexicon)',
    );
  }
  if (lexicon === 'none') return;
  command.option(
    '--lexicon <name>',
    'word groups: a lexicon by name, a file, or word lists as female=a.txt,male=b.txt',
    'gender-en',
  );
  if (lexicon === 'words') return;
  command
    .addOption(
      new Option(
        '--policy <policy>',
        `${POLICY_HELP} (default: ${DEFAULT_POLICY}, with --compat reference first)`,
      ).choices(MULTI_TOKEN_POLICIES),
    )
    .option(
      '--groups <file>',
      'token groups by id, {"female": [311, 358], ...}, instead of the words\' own ids',
    )
    .option('--no-capitalised', 'leave the capitalised forms of the words out');
}

/** What the flags ask for. Faults that need no model are found before one is loaded. */
async function planOf(suite: Suite, flags: RunFlags, options: Record<string, unknown>): Promise<RunPlan> {
  checkResume(flags);
  const { out, lexicon, groups, occupations, cluster, policy, limit } = flags;
  if (out !== undefined) checkFolderIsFree(out, flags.resume ? 'run' : null);
  const plan = await planRun({
    ...{ suite, data: flags.data, options, compat: flags.compat ?? null, interval: intervalOf(flags) },
    strict: flags.strict === true,
    resume: flags.resume === true,
    out: out ?? `runs/${runId(suite.name, flags.model, new Date())}`,
    ...(lexicon === undefined ? {} : { lexicon: await loadLexicon(lexicon, { onWarning: warn }) }),
    ...(groups === undefined ? {} : { groups: await readTokenGroups(groups) }),
    ...(occupations === undefined ? {} : { occupations: await readOccupations(occupations) }),
    ...(cluster ? { cluster } : {}),
    ...(policy ? { policy } : {}),
    // Commander's own default of a --no flag is true; that of the run depends on the mode.
    ...(flags.capitalised === false ? { capitalised: false } : {}),
    ...(limit === undefined ? {} : { limit }),
    ...sampleFlag(flags),
  });
  checkUsable(plan);
  return plan;
}

async function runOne(
  suite: Suite,
  flags: RunFlags,
  options: Record<string, unknown>,
  signal: AbortSignal,
): Promise<void> {
  const plan = await planOf(suite, flags, options);
  const bar = progressBar(suite.name);
  const { backend, engine } = await openByFlags(flags.model, flags, {
    out: plan.out!,
    signal,
    onAnswer: ({ asked, reused }) => bar.answered(asked.requests + reused.requests),
  });
  try {
    const result = await runPlan(plan, {
      backend,
      engine,
      signal,
      onProgress: (progress) => bar.update(progress),
    });
    bar.stop();
    print(`${flags.json ? runJson(result) : runSheet(result)}\n`);
    if (result.summaries[0]!.counts.ok === 0) {
      printError('logit-audit: no row could be measured; rows.csv says why for each\n');
      process.exitCode = EXIT.failed;
    }
  } finally {
    bar.stop();
    await backend.close();
  }
}
