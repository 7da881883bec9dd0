/** `logit-audit run rules`: a model over a split of PluRule. */
import { type Command, Option } from 'commander';
import { AuditError } from '../../errors.ts';
import { type Backend, type EngineDescription, isPolicy, POLICY_ENGINE } from '../../model/index.ts';
import {
  checkDataFiles,
  planRules,
  RAG_VOTE,
  type RulesRag,
  type RulesRunOptions,
  ragVoteModel,
  runRules,
} from '../../run/index.ts';
import { findSuite, type OptionTable, rulesOptions } from '../../suite/index.ts';
import { openLocal } from '../endpoint-options.ts';
import { EXIT, runAction } from '../exit.ts';
import {
  ENGINE_FLAGS,
  type EngineFlags,
  engineModeOption,
  fraction,
  wholeNumber,
  withEngineOptions,
} from '../options.ts';
import { progressBar } from '../progress-bar.ts';
import { forVote, type RagFlags, ragOf, withRagOptions } from './rules-rag.ts';
import { rulesJson, rulesSheet } from './rules-sheet.ts';
import { GROUP } from './shared-options.ts';
import { suiteOptionValues, withSuiteOptions } from './suite-options.ts';

interface RulesFlags extends Omit<EngineFlags, 'mode'>, RagFlags {
  split: string;
  engineMode: NonNullable<EngineFlags['mode']>;
  model: string;
  data: string[];
  out: string;
  modelId?: string;
  stage2Model?: string;
  tables: string;
  mediaRoot: string;
  debug?: boolean;
  override?: boolean;
  limit?: number;
  strict?: boolean;
  resamples: number;
  seed: number;
  level: number;
  json?: boolean;
}

/** What the run says itself, or has a flag of another kind for. */
const NOT_FLAGS: ReadonlySet<string> = new Set([
  'tables',
  'rag',
  'finalModel',
  'inline',
  'final',
  'mediaRoot',
]);
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

Results go to OUT/{model}/{split}/{context}/{phrase}_{mode}/: reasoning_*.json, performance_*.json, metrics_*.csv and the
run itself (run_*). Results that are there are kept; --override replaces them. docs/rules.md says how prompts are made.

Exit codes: 0 done or kept, 1 no pair could be measured, 2 bad input, 130 interrupted.`;

export function addRulesCommand(run: Command): void {
  const suite = findSuite('rules');
  const command = run
    .command('rules')
    .summary(suite.summary)
    .description(
      'Asks a model which rule of a community a comment breaks, in two stages, and scores its choices.',
    )
    .requiredOption(
      '--model <file>',
      `GGUF model (of a model in parts, the first), or the baseline ${RAG_VOTE}: examples vote`,
    )
    .requiredOption('--data <files...>', `data: ${suite.data}`)
    .option('--out <folder>', 'root of the results', 'output/eval')
    .option('--model-id <name>', 'name of the model in the results (default: of its file)')
    .option('--stage2-model <file>', 'another model for the final choice, on the same engine options')
    .option('--tables <folder>', 'your own contexts.yaml, phrases.yaml and template.yaml', 'rules')
    .addOption(
      new Option('--media-root <folder>', rulesOptions.mediaRoot.help)
        .env('PLURULE_EVAL_MEDIA_DIR')
        .default(rulesOptions.mediaRoot.default),
    )
    .option('--debug', 'five pairs, in a folder and files that say so')
    .option('--override', 'replace results that are there')
    .option('--limit <pairs>', 'only the first pairs, in a folder that says so', wholeNumber(1))
    .option('--strict', 'stop at the first bad pair')
    .option('--json', 'print the metrics as JSON')
    .optionsGroup('Options of rules:');
  withSuiteOptions(command, FLAGS);
  withRagOptions(command.optionsGroup('Examples:'))
    .optionsGroup(GROUP.intervals)
    .option('--resamples <n>', 'how often pairs are drawn anew', wholeNumber(40), 100_000)
    .option('--level <p>', 'level of the intervals', fraction, 0.95)
    .option('--seed <n>', 'seed of the draws', wholeNumber(0), 42);
  command.optionsGroup(GROUP.engine).addOption(engineModeOption());
  withEngineOptions(
    command,
    ENGINE_FLAGS.filter((flag) => flag !== 'mode'),
  )
    .addHelpText('after', HELP)
    .action((flags: RulesFlags) =>
      runAction({ json: flags.json === true }, (signal) => rules(flags, signal)),
    );
}

type Planned = Omit<RulesRunOptions, 'backend' | 'engine' | 'stage2' | 'signal' | 'onProgress'>;

function planned(flags: RulesFlags): Planned {
  const { data, out, modelId, tables, debug, override, limit, strict, resamples, level, seed } = flags;
  return {
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
    strict: strict === true,
    intervals: { resamples, level, seed },
    ...(modelId === undefined ? {} : { modelId }),
    ...(limit === undefined ? {} : { limit }),
  };
}

function checkModel(key: string, model: string | undefined): void {
  if (model === undefined || !isPolicy(model)) return;
  const message = `${model} answers the suite bbq alone; give a GGUF model`;
  throw new AuditError('bad_argument', message, { key, model });
}

async function openFirst(
  model: string,
  flags: EngineFlags,
  rag: RulesRag | null,
): Promise<{ backend: Backend; description: EngineDescription }> {
  if (model === RAG_VOTE) return { backend: ragVoteModel(rag!), description: POLICY_ENGINE };
  const { backend, engine: description } = await openLocal(model, flags);
  return { backend, description };
}

async function rules(flags: RulesFlags, signal: AbortSignal): Promise<void> {
  checkModel('model', flags.model);
  checkModel('stage2Model', flags.stage2Model);
  checkDataFiles(findSuite('rules'), flags.data);
  const rag = await ragOf(flags.model === RAG_VOTE ? forVote(flags) : flags, flags);
  const options = { ...planned(flags), ...(rag ? { rag } : {}) };
  const { stage2Model } = flags;
  // Faults that need no model are told before one is loaded, and what is there already needs none.
  const plan = await planRules({
    ...options,
    model: flags.model,
    ...(stage2Model === undefined ? {} : { stage2Model }),
  });
  if (plan.kept !== null) {
    const kept = { status: 'kept', performance: plan.kept } as const;
    process.stdout.write(`${flags.json ? rulesJson(kept) : rulesSheet(kept)}\n`);
    return;
  }
  const engine = { ...flags, mode: flags.engineMode };
  const opened: Backend[] = [];
  const bar = progressBar('rules');
  try {
    const { backend, description } = await openFirst(flags.model, engine, rag);
    opened.push(backend);
    const stage2 = stage2Model === undefined ? null : (await openLocal(stage2Model, engine)).backend;
    if (stage2) opened.push(stage2);
    const result = await runRules({
      ...options,
      backend,
      engine: description,
      ...(stage2 ? { stage2 } : {}),
      signal,
      onProgress: (progress) => bar.update(progress),
    });
    bar.stop();
    process.stdout.write(`${flags.json ? rulesJson(result) : rulesSheet(result)}\n`);
    if (result.status === 'done' && result.written === null) {
      process.stderr.write('logit-audit: no pair could be measured; rows.csv says why for each\n');
      process.exitCode = EXIT.failed;
    }
  } finally {
    bar.stop();
    for (const backend of opened) await backend.close();
  }
}
