/**
 * A model over a split of PluRule: the run itself, and from its journal the result files that the original writes, where it
 * writes them.
 */
import { rmSync } from 'node:fs';
import { AuditError, toAuditError } from '../../errors.ts';
import type { Backend } from '../../model/index.ts';
import {
  choosePhrase,
  DEFAULT_INTERVALS,
  type IntervalRequest,
  loadRulesTables,
  parseContext,
  phraseFolder,
  type RulesTables,
  type ThreadType,
} from '../../rules/index.ts';
import {
  type Json,
  type RulesMaterial,
  type RulesOptions,
  resolveOptions,
  rulesOptions,
} from '../../suite/index.ts';
import { describeModel } from '../manifest.ts';
import type { RunOptions } from '../prepare.ts';
import { type RunResult, runSuite } from '../run.ts';
import { checkSplit } from './data.ts';
import {
  earlierResults,
  isPerformance,
  modelFolder,
  type ResultFiles,
  resultFiles,
  resultFolder,
  stampOf,
} from './folder.ts';
import { RunLog } from './log.ts';
import { type WrittenPerformance, writeResults } from './results.ts';
import { readsChats, rendersUnseen, TwoStages } from './stages.ts';

/** Pairs of a run that is only to show whether everything works. */
const DEBUG_PAIRS = 5;

/** Retrieved examples, and what is told of how they were retrieved. */
export interface RulesRag {
  /** Name of the folder: rag-kK-filter-balance-src-SPLIT-art-HASH. */
  readonly suffix: string;
  /** What a performance file says under `rag`. */
  readonly description: { readonly [key: string]: Json };
  readonly fewShot: NonNullable<RulesMaterial['fewShot']>;
  /** The label that a thread's examples vote for; null for none. `pair` is the id of a pair that is asked about. */
  vote(pair: string, type: ThreadType): string | null;
}

export interface RulesRunOptions
  extends Pick<RunOptions, 'backend' | 'engine' | 'data' | 'strict' | 'signal' | 'onProgress' | 'limit'> {
  /** The suite's own options: split, context, phrase, mode, parser and so on. */
  readonly options?: Partial<RulesOptions>;
  /** Root of the results; default `output/eval`. */
  readonly out?: string;
  /** Name of the model in the results; default: of its file. */
  readonly modelId?: string;
  /** Makes the final choices; default: the same model. It stays open. */
  readonly stage2?: Backend;
  /** Folder of the user's own contexts, phrases and template; default `rules`. */
  readonly tables?: string;
  /** Five pairs, marked as such in the names of files and folder. */
  readonly debug?: boolean;
  /** New results in the place of those that are there. */
  readonly override?: boolean;
  readonly rag?: RulesRag;
  /** Of the intervals in the result files; default: 100,000 resamples, seed 42, 0.95. */
  readonly intervals?: Partial<IntervalRequest>;
}

export interface RulesPlan {
  readonly options: RulesOptions;
  readonly tables: RulesTables;
  /** Of the results. */
  readonly folder: string;
  /** `debug`, `limit-N`, or null for the whole split. */
  readonly part: string | null;
  readonly limit: number | undefined;
  /** A performance file that is there already and is to stay; null where the run is to be made. */
  readonly kept: string | null;
}

export type RulesRunResult =
  | { readonly status: 'kept'; readonly performance: string }
  | {
      readonly status: 'done';
      readonly files: ResultFiles;
      readonly run: RunResult;
      /** Null where no pair was measured: then there are no result files. */
      readonly written: WrittenPerformance | null;
    };

type Plannable = Omit<RulesRunOptions, 'backend' | 'engine' | 'stage2'> & {
  /** As it was asked for. */
  readonly model: string;
  /** Of the second stage, as it was asked for. */
  readonly stage2Model?: string;
};

function partOf({ debug = false, limit }: Plannable): Pick<RulesPlan, 'part' | 'limit'> {
  if (debug && limit !== undefined) {
    const message = `debug is a run of ${DEBUG_PAIRS} pairs; leave limit out`;
    throw new AuditError('bad_argument', message, { key: 'limit' });
  }
  if (debug) return { part: 'debug', limit: DEBUG_PAIRS };
  return { part: limit === undefined ? null : `limit-${limit}`, limit };
}

/** What a run would do, and where. Throws `bad_argument`, `experiment_invalid`, and faults of the data files. */
export async function planRules(given: Plannable): Promise<RulesPlan> {
  const tables = await loadRulesTables(given.tables);
  const options = resolveOptions('rules', rulesOptions, {
    ...given.options,
    tables: tables.sha256,
    rag: given.rag ? JSON.stringify(given.rag.description) : null,
    finalModel: given.stage2Model ?? null,
  });
  parseContext(options.context, tables.contexts);
  const phrase = choosePhrase(options.phrase, options.mode, tables.phrases);
  const { part, limit } = partOf(given);
  const folder = resultFolder(given.out ?? 'output/eval', {
    model: given.modelId ?? modelFolder(given.model),
    split: options.split,
    context: options.context,
    phrase: phraseFolder(phrase),
    rag: given.rag?.suffix ?? null,
    part,
  });
  await checkSplit(given.data, options.split);
  const earlier = given.override ? [] : earlierResults(folder).filter(isPerformance);
  return { options, tables, folder, part, limit, kept: earlier.at(-1) ?? null };
}

/** Throws `bad_argument` where images are to be shown and a model cannot see. */
function checkSight({ options, tables }: RulesPlan, backends: readonly Backend[]): void {
  if (parseContext(options.context, tables.contexts).media !== true) return;
  const blind = backends.find(({ seesImages }) => seesImages !== true);
  if (blind === undefined) return;
  const message = `${blind.info.path} cannot see images, and the context ${options.context} shows them; leave media out, or give a model that sees`;
  throw new AuditError('bad_argument', message, { key: 'context', context: options.context });
}

/** The final choice of a model whose answer cannot be gone on with is asked for in another turn. Throws `bad_argument`. */
function stagesOf(options: RulesOptions, first: Backend, second: Backend): RulesOptions {
  const chat = options.chat === 'on' || (options.chat === 'auto' && readsChats(first));
  if (chat && !readsChats(second)) {
    const message = `${second.info.path} reads no chats, and the first stage is a chat; give another model for the second stage, or --chat off`;
    throw new AuditError('bad_argument', message, { key: 'stage2Model' });
  }
  const { mode, phrase } = options;
  if (chat && rendersUnseen(first) && mode === 'prefill' && phrase !== 'baseline') {
    const message = `${first.info.path} cannot be made to begin its answer with a phrase; give --mode prompt, or --phrase baseline`;
    throw new AuditError('bad_argument', message, { key: 'mode' });
  }
  return chat && rendersUnseen(second) ? { ...options, final: 'turn' } : options;
}

function headOf(given: RulesRunOptions, plan: RulesPlan, model: string): { [key: string]: Json } {
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
    ...(given.rag ? { rag: { ...given.rag.description, run_suffix: given.rag.suffix } } : {}),
  };
}

/**
 * Runs the suite and writes its result files. Throws before anything is written what {@link planRules} and `runSuite` throw,
 * and `bad_argument` for a model that cannot see what is shown; then what a run throws. Results that are there are kept.
 */
export async function runRules(given: RulesRunOptions): Promise<RulesRunResult> {
  const { backend, stage2, engine, data, strict, signal, onProgress } = given;
  const plan = await planRules({
    ...given,
    model: backend.info.path,
    ...(stage2 ? { stage2Model: stage2.info.path } : {}),
  });
  if (plan.kept !== null) return { status: 'kept', performance: plan.kept };
  checkSight(plan, stage2 ? [backend, stage2] : [backend]);
  const options = stagesOf(plan.options, backend, stage2 ?? backend);
  const files = resultFiles(plan.folder, stampOf(new Date()), plan.part);
  const earlier = earlierResults(plan.folder);
  const log = new RunLog(files.log);
  const model = given.modelId ?? modelFolder(backend.info.path);
  log.write(`model ${model}, ${JSON.stringify(options)}`);
  try {
    const run = await runSuite({
      suite: 'rules',
      backend: stage2 ? new TwoStages(backend, stage2) : backend,
      engine,
      data,
      options,
      material: { tables: plan.tables, fewShot: given.rag?.fewShot ?? null } satisfies RulesMaterial,
      out: files.run,
      ...(plan.limit === undefined ? {} : { limit: plan.limit }),
      ...(strict === undefined ? {} : { strict }),
      ...(signal ? { signal } : {}),
      onProgress(progress) {
        const { rows, totalRows, failed, skipped } = progress;
        log.write(`${rows} of ${totalRows} pairs, ${failed} failed, ${skipped} skipped`);
        onProgress?.(progress);
      },
    });
    const second = stage2 ? await describeModel(stage2) : null;
    const head = {
      ...headOf(given, plan, model),
      ...(second ? { stage2_model: { path: second.path, sha256: second.sha256 } } : {}),
    };
    const intervals = { ...DEFAULT_INTERVALS, ...given.intervals };
    const written = await writeResults(files, run.folder.journal, head, run.counts, intervals);
    // What was there goes only now that its replacement is whole.
    if (written) for (const file of earlier) rmSync(file, { force: true });
    log.write(written ? `results in ${files.performance}` : 'no pair was measured; there are no results');
    return { status: 'done', files, run, written };
  } catch (thrown) {
    const { code, message } = toAuditError(thrown);
    log.write(`stopped: ${code}: ${message}`);
    throw thrown;
  }
}
