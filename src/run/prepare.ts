/** A run before its first row: everything that can be wrong is looked at, and nothing is written. */

import { resolveOptions, type Suite, type SuiteContext } from '../contract/index.ts';
import type { DatasetRow, Survey } from '../dataset/index.ts';
import { AuditError } from '../errors.ts';
import type { Backend, EngineDescription } from '../model/index.ts';
import { checkInterval, DEFAULT_SEED, type IntervalOptions } from './accumulate/index.ts';
import { checkChosen } from './chosen-clusters.ts';
import { type ContextDescription, type ContextOptions, suiteContext } from './context.ts';
import { dataFiles, dataRows, sampleOf, surveyData } from './data.ts';
import { checkFolderIsFree } from './folder.ts';
import type { Progress } from './progress.ts';
import { readRow } from './read-row.ts';
import type { Sample, SampleChoice } from './sample.ts';

export interface RunOptions extends ContextOptions {
  /** Such as `findSuite('ctf')`. */
  readonly suite: Suite;
  /** What the manifest keeps of the engine: its options and what it runs on. */
  readonly engine: EngineDescription;
  /** Data files in order, of a format that the suite reads; a folder where the suite reads folders. */
  readonly data: string | readonly string[];
  /** Folder of the run, new or empty; default `runs/<suite>-<model>-<time>`. */
  readonly out?: string;
  /** Only the first rows of the data; no sample. */
  readonly limit?: number;
  /** Only a random sample of the rows, stratified by the suite's slices; rows that belong together stay together. */
  readonly sample?: SampleChoice;
  /** The first bad row ends the run; default false. */
  readonly strict?: boolean;
  /**
   * Columns of the data whose values are clusters, one or two that cross, instead of those of the suite; empty: each row is its own.
   */
  readonly cluster?: readonly string[];
  /** Go on with the run in `out`, if one was stopped there: the same data, model and options. Default false. */
  readonly resume?: boolean;
  /** Default: `cluster`, 0.95; with `compat: 'reference'`: `normal`. */
  readonly interval?: Partial<IntervalOptions>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export interface PreparedRun {
  readonly options: RunOptions;
  readonly suite: Suite;
  readonly files: readonly string[];
  readonly survey: Survey;
  /** Null where all rows are meant, or the first. */
  readonly sample: Sample | null;
  readonly context: SuiteContext;
  readonly description: ContextDescription;
  readonly interval: IntervalOptions;
}

/** Names are looked up by whoever calls, who may have suites of their own. */
function checkSuite(suite: unknown): void {
  if (typeof suite !== 'string') return;
  const message = `suite is the name ${JSON.stringify(suite)}; give the suite itself: findSuite('${suite}')`;
  throw new AuditError('bad_argument', message, { key: 'suite' });
}

/** Throws `output_exists`, and `bad_argument` for a run to resume that has no folder. */
function checkOut({ out, resume = false }: RunOptions): void {
  if (out !== undefined) checkFolderIsFree(out, resume ? 'run' : null);
  else if (resume)
    throw new AuditError('bad_argument', 'a run is resumed in its folder; give --out', { key: 'out' });
}

/**
 * Throws `bad_argument`, `data_empty`, `file_not_found`, `lexicon_unmapped`, `not_supported` where the model cannot be
 * asked what the suite asks, `output_exists`; in strict mode the first
 * bad row's error.
 */
export async function prepareRun(options: RunOptions): Promise<PreparedRun> {
  const { suite } = options;
  checkSuite(suite);
  checkOut(options);
  const files = dataFiles(suite, options.data);
  const own = resolveOptions(suite.name, suite.options, options.options ?? {}, options.compat ?? 'default');
  const sample = await sampleOf(suite, files, own, options);
  const survey = await surveyData(suite, files, own, options.limit, sample);
  if (options.strict && survey.firstError) throw survey.firstError;
  const { context, description } = await suiteContext(suite, options);
  suite.check?.(context);
  const ci = options.compat === 'reference' ? 'normal' : 'cluster';
  const interval: IntervalOptions = { ci, level: 0.95, seed: DEFAULT_SEED, ...options.interval };
  checkInterval(interval, suite.metrics(context));
  const rows = () => dataRows(suite, files, context.options, survey.rows, sample);
  if (options.cluster) await checkChosen(options.cluster, rows());
  await checkAsking(options.backend, suite, context, rows(), options.signal);
  return { options, suite, files, survey, sample, context, description, interval };
}

/**
 * Whether the model can be asked what the suite asks, by its first row that asks anything. What later rows ask besides is
 * told as their own fault.
 */
async function checkAsking(
  backend: Backend,
  suite: Suite,
  context: SuiteContext,
  rows: AsyncIterable<DatasetRow>,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!backend.refusal) return;
  for await (const row of rows) {
    const checked = readRow(suite, row, context.options);
    if (!checked.ok) continue;
    const plan = suite.plan(checked.value, context, { file: row.file, index: row.index });
    if (plan.kind !== 'ask' || plan.requests.length === 0) continue;
    await backend.prepare?.(plan.requests, signal ? { signal } : {});
    for (const request of plan.requests) {
      const refusal = backend.refusal(request);
      if (!refusal) continue;
      const { code, message, data } = refusal;
      throw new AuditError(code, `${suite.name}: ${message}`, { ...data, suite: suite.name });
    }
    return;
  }
}
