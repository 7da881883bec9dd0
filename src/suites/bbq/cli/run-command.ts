/** `logit-audit run bbq`: an experiment over the cells of BBQ or MultiBBQ. */
import { type Command, Option } from 'commander';
import { AuditError } from '../../../errors.ts';
import { optionsOf, POLICY_NAMES } from '../../../model/index.ts';
import { print, printError } from '../../../report/terminal.ts';
import { runId } from '../../../run/index.ts';
import {
  type EndpointFlags,
  MODEL_HELP,
  openByFlags,
  withEndpointOptions,
} from '../../../shell/endpoint-options.ts';
import { EXIT, runAction } from '../../../shell/exit.ts';
import {
  type EngineFlags,
  numberFrom,
  onlyGiven,
  refuseEngineFlags,
  wholeNumber,
  withEngineOptions,
} from '../../../shell/options.ts';
import { PartBars } from '../../../shell/run/part-bars.ts';
import {
  type ClusterFlag,
  clusterOption,
  folderOf,
  GROUP,
  type IntervalFlags,
  intervalOf,
  limitOption,
  resumeOption,
  sampleFlag,
  sampleOption,
  withIntervalOptions,
} from '../../../shell/run/shared-options.ts';
import { bbqOptions, CONTEXTS, POLARITIES, REASONING_MODES, SPLITS } from '../ask/index.ts';
import { resolveExperiment } from '../experiment/index.ts';
import { type BbqPlanOptions, planBbq, runBbqPlan } from '../run/run.ts';
import { bbqJson, bbqSheet } from './run-sheet.ts';

interface BbqFlags extends EngineFlags, EndpointFlags, IntervalFlags, ClusterFlag {
  experiment?: string;
  model: string;
  data: string[];
  out?: string;
  split?: NonNullable<BbqPlanOptions['splits']>;
  polarity?: NonNullable<BbqPlanOptions['polarities']>;
  context?: NonNullable<BbqPlanOptions['contexts']>;
  reasoningMode?: NonNullable<BbqPlanOptions['reasoningMode']>;
  answer: NonNullable<BbqPlanOptions['answer']>;
  chat: NonNullable<BbqPlanOptions['chat']>;
  maxTokens?: number;
  temperature?: number;
  augmentation?: string;
  dataId?: string;
  modelId?: string;
  imageRoot?: string;
  limit?: number;
  sample?: number;
  resume?: boolean;
  strict?: boolean;
  json?: boolean;
}

const HELP = `
Examples:
  logit-audit run bbq --experiment llm --model model.gguf --data Religion.jsonl --out runs/bbq
  logit-audit run bbq --experiment llm --model model.gguf --data multibbq_visual_language.json --context ambiguous
  logit-audit run bbq --experiment main --model policy:always-unknown --data multibbq_visual_language.json multibbq_visual_only.json

Built-in policies answer by a rule instead of a model: ${POLICY_NAMES.join(', ')}, the last one with a
seed behind a colon if you like.

Every cell (split, polarity, context) gets a run folder; OUT/results holds a result file for each, which is what
"logit-audit score bbq" and "logit-audit pipeline bbq" read. docs/bbq.md says how prompts are made.

Exit codes: 0 done, 1 a cell failed or measured nothing, 2 bad input, 3 disk full, 130 interrupted (what was done stands).`;

export function addRunBbq(run: Command): void {
  const command = run
    .command('bbq')
    .summary('BBQ and MultiBBQ under an experiment, cell by cell')
    .description(
      'Asks a model the questions of BBQ or MultiBBQ as an experiment says, and writes result files to score.',
    )
    .option('--experiment <name>', 'an experiment; "logit-audit experiment list" shows them (required)')
    .requiredOption('--model <model>', `${MODEL_HELP}, or a built-in policy`)
    .requiredOption('--data <files...>', "data: JSON of MultiBBQ's metadata, or JSONL of BBQ")
    .option('--out <folder>', 'folder for the runs, new or empty (default: runs/bbq-<model>-<time>)')
    .addOption(
      new Option('--split <splits...>', 'what is shown (default: all that the experiment has)').choices(
        SPLITS,
      ),
    )
    .addOption(
      new Option('--polarity <polarities...>', 'which questions (default: both)').choices(POLARITIES),
    )
    .addOption(new Option('--context <contexts...>', 'which contexts (default: both)').choices(CONTEXTS))
    .addOption(
      new Option(
        '--reasoning-mode <mode>',
        'the letter alone, or thoughts before it (default: nonreasoning; reasoning where the experiment retries)',
      ).choices(REASONING_MODES),
    )
    .addOption(choiceOf('answer'))
    .addOption(choiceOf('chat'))
    .option('--max-tokens <n>', 'most tokens of a text (default: 32, or 512 with thoughts)', wholeNumber(1))
    .option('--temperature <t>', `${bbqOptions.temperature.help} (default: 0)`, numberFrom(0))
    .option('--augmentation <name>', bbqOptions.augmentation.help)
    .option(
      '--data-id <name>',
      'name of the data in the folder of results (default: that of the images or the file)',
    )
    .option('--model-id <name>', 'MODEL or OWNER/MODEL in the folder of results (default: name of the file)')
    .option('--image-root <folder>', 'what image paths of the data start from (default: the working folder)')
    .addOption(limitOption('rows', ' of each cell'))
    .addOption(sampleOption('rows', ' of each cell'))
    .option('--strict', 'stop at the first bad row')
    .addOption(resumeOption());
  withIntervalOptions(command).addOption(clusterOption()).option('--json', 'print the metrics as JSON');
  withEngineOptions(command);
  withEndpointOptions(command.optionsGroup(GROUP.endpoint))
    .addHelpText('after', HELP)
    .action((flags: BbqFlags) =>
      runAction({ json: flags.json === true }, (signal) => {
        if (optionsOf(flags.model) === null)
          refuseEngineFlags(command, `${flags.model} runs without an engine`);
        return bbq(flags, signal);
      }),
    );
}

function choiceOf(name: 'answer' | 'chat'): Option {
  const { choices, help, default: byDefault } = bbqOptions[name];
  return new Option(`--${name} <${name}>`, help).choices(choices).default(byDefault);
}

async function runOptions(flags: BbqFlags): Promise<BbqPlanOptions> {
  const { split, polarity, context, reasoningMode, maxTokens, temperature, augmentation } = flags;
  const { dataId, modelId, imageRoot, limit } = flags;
  const given = {
    splits: split,
    polarities: polarity,
    contexts: context,
    reasoningMode,
    maxTokens,
    temperature,
    augmentation,
    dataId,
    modelId,
    imageRoot,
    limit,
  } satisfies { [Key in keyof BbqPlanOptions]?: BbqPlanOptions[Key] | undefined };
  const set = onlyGiven(given);
  return {
    experiment: await resolveExperiment(experimentOf(flags)),
    data: flags.data,
    answer: flags.answer,
    chat: flags.chat,
    sampleSeed: flags.seed,
    out: folderOf(flags, () => runId('bbq', flags.model.replaceAll(':', '-'), new Date())),
    resume: flags.resume === true,
    strict: flags.strict === true,
    interval: intervalOf(flags),
    ...sampleFlag(flags),
    ...(flags.cluster ? { cluster: flags.cluster } : {}),
    ...(set as Partial<BbqPlanOptions>),
  };
}

function experimentOf({ experiment }: BbqFlags): string {
  if (experiment !== undefined) return experiment;
  const message =
    'no experiment is given; give --experiment NAME ("logit-audit experiment list" shows the names; llm asks in text alone)';
  throw new AuditError('bad_argument', message, { flag: '--experiment' });
}

async function bbq(flags: BbqFlags, signal: AbortSignal): Promise<void> {
  const options = await runOptions(flags);
  // Faults that need no model are found before one is loaded.
  const plan = await planBbq(options);
  const bars = new PartBars();
  const { backend, engine } = await openByFlags(flags.model, flags, {
    out: options.out,
    imageRoot: flags.imageRoot,
    signal,
    onAnswer: ({ asked, reused }) => bars.answered(asked.requests + reused.requests),
  });
  try {
    const result = await runBbqPlan(plan, {
      backend,
      engine,
      signal,
      onProgress: (name, progress) => bars.update(name, progress),
    });
    bars.stop();
    print(`${flags.json ? bbqJson(result) : bbqSheet(result, flags.level)}\n`);
    if (result.results.some(({ written }) => written === null)) {
      printError('logit-audit: a cell failed or measured nothing; the notes say which\n');
      process.exitCode = EXIT.failed;
    }
  } finally {
    bars.stop();
    await backend.close();
  }
}
