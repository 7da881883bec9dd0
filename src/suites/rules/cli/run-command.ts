/** `logit-audit run rules`: a model over a split of PluRule. */
import { type Command, Option } from 'commander';
import type { OptionTable } from '../../../contract/index.ts';
import { AuditError } from '../../../errors.ts';
import { optionsOf } from '../../../model/index.ts';
import { print, printError } from '../../../report/terminal.ts';
import { checkUsable } from '../../../run/index.ts';
import { MODEL_HELP, withEndpointOptions } from '../../../shell/endpoint-options.ts';
import { EXIT, runAction, warn } from '../../../shell/exit.ts';
import {
  ENGINE_FLAGS,
  type EngineFlags,
  engineModeOption,
  fraction,
  wholeNumber,
  withEngineOptions,
} from '../../../shell/options.ts';
import { progressBar } from '../../../shell/progress-bar.ts';
import {
  GROUP,
  limitOption,
  resumeOption,
  sampleFlag,
  sampleOption,
} from '../../../shell/run/shared-options.ts';
import { suiteOptionValues, withSuiteOptions } from '../../../shell/run/suite-options.ts';
import { rulesOptions } from '../ask/index.ts';
import { rules } from '../ask/rules.ts';
import type { RulesPlanOptions } from '../run/options.ts';
import { planRules, type RulesPlan } from '../run/plan.ts';
import { runRulesPlan } from '../run/run.ts';
import { RAG_VOTE } from '../run/vote.ts';
import { openStages, type StageFlags } from './run-models.ts';
import { forVote, type RagFlags, ragOf, withRagOptions } from './run-rag.ts';
import { rulesJson, rulesSheet } from './run-sheet.ts';

interface RulesFlags extends Omit<StageFlags, 'mode'>, RagFlags {
  split: string;
  engineMode: NonNullable<EngineFlags['mode']>;
  data: string[];
  out: string;
  modelId?: string;
  tables: string;
  mediaRoot: string;
  debug?: boolean;
  override?: boolean;
  resume?: boolean;
  limit?: number;
  sample?: number;
  strict?: boolean;
  resamples: number;
  seed: number;
  level: number;
  json?: boolean;
}

/** What the run says itself, or has a flag of another kind for. */
const NOT_FLAGS: ReadonlySet<string> = new Set(['tables', 'rag', 'finalModel', 'inline', 'mediaRoot']);
const FLAGS: OptionTable = Object.fromEntries(
  Object.entries(rulesOptions).filter(([name]) => !NOT_FLAGS.has(name)),
);

const HELP = `
Examples:
  logit-audit run rules --model model.gguf --data test_hydrated.json --context submission-discussion --phrase cot
  logit-audit run rules --model model.gguf --data test_hydrated.json --debug
  logit-audit run rules --model model.gguf --data test_hydrated.json --context submission --rag-k 4 \\
    --rag-data train_hydrated.json --rag-balance random --rag-trace-style template
  logit-audit run rules --model big.gguf --stage2-model small.gguf --data test_hydrated.json --context submission
  logit-audit run rules --model openai:gpt-4o-mini --data test_hydrated.json --context submission-media \\
    --mode prompt --phrase cot --service-tier flex --prices prices.json
  logit-audit run rules --model openai:qwen --base-url http://127.0.0.1:8000/v1 --data test_hydrated.json --resume

Results go to OUT/{model}/{split}/{context}/{phrase}_{mode}/: reasoning_*.json, performance_*.json, metrics_*.csv and the
run itself (run_*). Results that are there are kept; --override replaces them. --resume continues a run that was stopped,
and asks an endpoint nothing that it has answered. docs/rules.md says how prompts are made.

Exit codes: 0 done or kept, 1 no pair could be measured, 2 bad input, 3 disk full, 130 interrupted.`;

export function addRunRules(run: Command): void {
  const command = run
    .command('rules')
    .summary(rules.summary)
    .description(
      'Asks a model which rule of a community a comment breaks, in two stages, and scores its choices.',
    )
    .requiredOption('--model <file>', `${MODEL_HELP}; or the baseline ${RAG_VOTE}: examples vote`)
    .requiredOption('--data <files...>', `data: ${rules.data}`)
    .option('--out <folder>', 'root of the results', 'output/eval')
    .option('--model-id <name>', 'name of the model in the results (default: of its file)')
    .option('--stage2-model <model>', 'another model for the final choice, with the same options')
    .option('--stage2-base-url <url>', 'address of its endpoint (default: that of --base-url)')
    .option('--tables <folder>', 'your own contexts.yaml, phrases.yaml and template.yaml', 'rules')
    .addOption(
      new Option('--media-root <folder>', rulesOptions.mediaRoot.help)
        .env('PLURULE_EVAL_MEDIA_DIR')
        .default(rulesOptions.mediaRoot.default),
    )
    .option('--debug', 'five pairs, in a folder and files that say so')
    .option('--override', 'replace results that are there')
    .addOption(resumeOption('in the folder of these results'))
    .addOption(limitOption('pairs', ', in a folder that says so'))
    .addOption(sampleOption('pairs', ', in a folder that says so,'))
    .option('--strict', 'stop at the first bad pair')
    .option('--json', 'print the metrics as JSON')
    .optionsGroup('Options of rules:');
  withSuiteOptions(command, FLAGS);
  withRagOptions(command.optionsGroup('Examples:'))
    .optionsGroup(GROUP.intervals)
    .option('--resamples <n>', 'how often pairs are drawn anew', wholeNumber(40), 100_000)
    .option('--level <p>', 'level of the intervals', fraction, 0.95)
    .option('--seed <n>', 'seed of the draws, and of --sample', wholeNumber(0), 42);
  command.optionsGroup(GROUP.engine).addOption(engineModeOption());
  withEngineOptions(
    command,
    ENGINE_FLAGS.filter((flag) => flag !== 'mode'),
  );
  withEndpointOptions(command.optionsGroup(GROUP.endpoint))
    .addHelpText('after', HELP)
    .action((flags: RulesFlags) =>
      runAction({ json: flags.json === true }, (signal) => runRulesCommand(flags, signal)),
    );
}

function planned(flags: RulesFlags): RulesPlanOptions {
  const { model, stage2Model, data, out, modelId, tables, debug, override, resume, limit, strict } = flags;
  const { resamples, level, seed } = flags;
  return {
    ...(stage2Model === undefined ? {} : { stage2Model }),
    model,
    data,
    out,
    tables,
    options: {
      ...suiteOptionValues(FLAGS, flags as unknown as Record<string, unknown>),
      mediaRoot: flags.mediaRoot,
      inline: !flags.retrofill,
    },
    debug: debug === true,
    override: override === true,
    resume: resume === true,
    strict: strict === true,
    intervals: { resamples, level, seed },
    ...(modelId === undefined ? {} : { modelId }),
    ...(limit === undefined ? {} : { limit }),
    ...sampleFlag(flags),
  };
}

function checkModel(key: string, model: string | undefined): void {
  if (model === undefined || optionsOf(model) !== null) return;
  const message = `${model} answers by a rule, and not in this suite; give a GGUF model or openai:MODEL`;
  throw new AuditError('bad_argument', message, { key, model });
}

/** What else lies in the folder of the results that is not whole. */
function warnOfStopped({ stopped, resumed, files }: RulesPlan): void {
  const [newest] = stopped;
  if (newest === undefined) return;
  if (resumed) {
    warn(
      `${files.run} is resumed; ${stopped.length} older runs that did not finish either are left as they are`,
    );
    return;
  }
  warn(`${newest} did not finish; this run begins anew, and --resume would continue that one`);
}

async function runRulesCommand(flags: RulesFlags, signal: AbortSignal): Promise<void> {
  checkModel('model', flags.model);
  checkModel('stage2Model', flags.stage2Model);
  const rag = await ragOf(flags.model === RAG_VOTE ? forVote(flags) : flags, flags);
  // Faults that need no model are found before one is loaded, and results that are there need none.
  const plan = await planRules({ ...planned(flags), ...(rag ? { rag } : {}) });
  if (plan.kept !== null) {
    const kept = { status: 'kept', performance: plan.kept } as const;
    print(`${flags.json ? rulesJson(kept) : rulesSheet(kept)}\n`);
    return;
  }
  if (plan.run) checkUsable(plan.run);
  warnOfStopped(plan);
  const bar = progressBar('rules');
  const models = await openStages({ ...flags, mode: flags.engineMode }, rag, {
    out: plan.files.run,
    signal,
    onAnswers: (answers) => bar.answered(answers),
  });
  try {
    const result = await runRulesPlan(plan, {
      ...models,
      signal,
      onProgress: (progress) => bar.update(progress),
    });
    bar.stop();
    print(`${flags.json ? rulesJson(result) : rulesSheet(result)}\n`);
    if (result.status === 'done' && result.written === null) {
      printError('logit-audit: no pair could be measured; rows.csv says why for each\n');
      process.exitCode = EXIT.failed;
    }
  } finally {
    bar.stop();
    await models.backend.close();
    await models.stage2?.close();
  }
}
