/**
 * A model over a split of PluRule: the run itself, and from its journal the result files that the original writes, where it
 * writes them.
 */
import { rmSync } from 'node:fs';
import type { Json } from '../../../contract/index.ts';
import { AuditError, toAuditError } from '../../../errors.ts';
import { type Backend, readsChats } from '../../../model/index.ts';
import { describeModel } from '../../../run/manifest.ts';
import { type RunResult, runPlan } from '../../../run/run.ts';
import type { RulesOptions } from '../ask/index.ts';
import { choosePhrase, DEFAULT_INTERVALS, parseContext } from '../index.ts';
import { earlierResults, modelFolder, type ResultFiles, RunLog } from './folder.ts';
import type { RulesModels, RulesRunOptions } from './options.ts';
import { planRules, type RulesPlan } from './plan.ts';
import { type WrittenPerformance, writeResults } from './results.ts';
import { rendersUnseen, secondModel, TwoStages } from './stages.ts';

/** What a run of rule moderation wrote, or the results that it kept. */
export type RulesRunResult =
  | { readonly status: 'kept'; readonly performance: string }
  | {
      readonly status: 'done';
      readonly files: ResultFiles;
      readonly run: RunResult;
      /** Null where no pair was measured: then there are no result files. */
      readonly written: WrittenPerformance | null;
    };

/** What an image is asked with, as far as a model is asked whether it can see one. */
const SHOWN = { kind: 'generate', prompt: '', images: ['any'] } as const;

/** Throws `bad_argument` where images are to be shown and a model cannot see. */
async function checkSight({ options, tables }: RulesPlan, backends: readonly Backend[]): Promise<void> {
  if (parseContext(options.context, tables.contexts).media !== true) return;
  for (const backend of backends) await backend.prepare?.([SHOWN]);
  const blind = backends.find(({ seesImages }) => seesImages !== true);
  if (blind === undefined) return;
  const message = `${blind.info.path} cannot see images, and the context ${options.context} shows them; leave media out, or give a model that sees`;
  throw new AuditError('bad_argument', message, { key: 'context', context: options.context });
}

/** The final choice of a model whose answer cannot be continued is asked for in another turn. Throws `bad_argument`. */
function stagesOf(options: RulesOptions, first: Backend, second: Backend): RulesOptions {
  const chat = options.chat === 'on' || (options.chat === 'auto' && readsChats(first));
  if (chat && !readsChats(second)) {
    const message = `${second.info.path} reads no chats, and the first stage is a chat; give another model for the second stage, or --chat off`;
    throw new AuditError('bad_argument', message, { key: 'stage2Model' });
  }
  const { mode, phrase } = options;
  if (chat && rendersUnseen(first) && mode === 'prefill' && phrase !== 'baseline') {
    const message = `${first.info.path} cannot be made to begin its answer with a phrase; give --mode prompt, --phrase baseline, or --api completions where the endpoint has it`;
    throw new AuditError('bad_argument', message, { key: 'mode' });
  }
  const unseen = chat && rendersUnseen(second);
  if (unseen && options.final === 'append') {
    const message = `the answer cannot be continued in a chat of ${second.info.path}; give --final turn, or --api completions where the endpoint has it`;
    throw new AuditError('bad_argument', message, { key: 'final' });
  }
  const { final } = options;
  return { ...options, final: final === 'auto' ? (unseen ? 'turn' : 'append') : final };
}

function headOf(plan: RulesPlan, model: string): { [key: string]: Json } {
  const { split, context, phrase, mode, parser } = plan.options;
  return {
    model,
    split,
    context,
    phrase,
    mode: choosePhrase(phrase, mode, plan.tables.phrases).mode,
    parser,
    ...(plan.part === 'debug' ? { debug: true } : {}),
    ...(plan.limit === undefined ? {} : { limit: plan.limit }),
    ...(plan.sample === undefined ? {} : { sample: { rows: plan.sample.rows, seed: plan.sample.seed ?? 0 } }),
    ...(plan.rag ? { rag: { ...plan.rag.description, run_suffix: plan.rag.suffix } } : {}),
  };
}

/** Plans and runs the suite. Throws what {@link planRules} and {@link runRulesPlan} throw. */
export async function runRules(given: RulesRunOptions): Promise<RulesRunResult> {
  const { backend, stage2 } = given;
  const stage2Model = stage2 ? { stage2Model: stage2.info.path } : {};
  return runRulesPlan(await planRules({ ...given, model: backend.info.path, ...stage2Model }), given);
}

/**
 * Runs what was planned and writes its result files. Throws before anything is written what preparing a run throws, and
 * `bad_argument` for a model that cannot see what is shown; then what a run throws. Results that are there are kept.
 */
export async function runRulesPlan(plan: RulesPlan, models: RulesModels): Promise<RulesRunResult> {
  const { stage2, stage2Engine, ...first } = models;
  const { backend, onProgress } = first;
  if (plan.run === null) return { status: 'kept', performance: plan.kept! };
  await checkSight(plan, stage2 ? [backend, stage2] : [backend]);
  const options = {
    ...stagesOf(plan.options, backend, stage2 ?? backend),
    ...(stage2 ? { finalModel: await secondModel(stage2, stage2Engine) } : {}),
  };
  const { files, resumed } = plan;
  const own: readonly string[] = Object.values(files);
  const earlier = earlierResults(plan.folder).filter((file) => !own.includes(file));
  const log = new RunLog(files.log);
  const model = plan.modelId ?? modelFolder(backend.info.path);
  if (resumed) log.write('resumed');
  log.write(`model ${model}, ${JSON.stringify(options)}`);
  try {
    const planned = { ...plan.run, options };
    const run = await runPlan(planned, {
      ...first,
      backend: stage2 ? new TwoStages(backend, stage2) : backend,
      onProgress(progress) {
        const { rows, totalRows, failed, skipped } = progress;
        log.write(`${rows} of ${totalRows} pairs, ${failed} failed, ${skipped} skipped`);
        onProgress?.(progress);
      },
    });
    const second = stage2 ? await describeModel(stage2) : null;
    const head = {
      ...headOf(plan, model),
      ...(second ? { stage2_model: { path: second.path, sha256: second.sha256 } } : {}),
    };
    const intervals = { ...DEFAULT_INTERVALS, ...plan.intervals };
    const written = await writeResults(files, run.folder.journal, head, run.counts, intervals);
    // What was there goes only now that its replacement is whole.
    if (written) for (const file of earlier) rmSync(file, { force: true });
    log.write(written ? `results in ${files.performance}` : 'no pair was measured; there are no results');
    return { status: 'done', files, run, written };
  } catch (thrown) {
    const { code, message } = toAuditError(thrown);
    try {
      log.write(`stopped: ${code}: ${message}`);
    } catch {
      // The first fault is the one to report.
    }
    throw thrown;
  }
}
