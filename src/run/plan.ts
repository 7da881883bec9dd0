/** A run before its model is there: which rows, with which options. All that can be wrong without a model is found here. */

import { resolveOptions, type Suite } from '../contract/index.ts';
import type { DatasetRow, Survey } from '../dataset/index.ts';
import { AuditError } from '../errors.ts';
import type { IntervalOptions } from './accumulate/index.ts';
import { checkChosen } from './chosen-clusters.ts';
import type { WordOptions } from './context.ts';
import { dataFiles, dataRows, type Named, sampleOf, surveyRuns } from './data.ts';
import { checkFolderIsFree } from './folder.ts';
import type { SuiteOptions } from './read-row.ts';
import type { Sample, SampleChoice } from './sample.ts';

/** What a run is about: suite, data, options, folder. */
export interface PlanOptions extends WordOptions {
  /** Such as `findSuite('ctf')`. */
  readonly suite: Suite;
  /** Data files in order, of a format that the suite reads; a folder where the suite reads folders. */
  readonly data: string | readonly string[];
  /** The suite's own options ({@link Suite.options} lists them); what is left out has its default. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** The numbers and quirks of the reference project instead of the right values. */
  readonly compat?: 'reference' | null;
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
  /** Resume the run in `out`, if one was stopped there: the same data, model and options. Default false. */
  readonly resume?: boolean;
  /** Default: `cluster`, 0.95; with `compat: 'reference'`: `normal`. */
  readonly interval?: Partial<IntervalOptions>;
  /** What the suite works with beside its rows; its options must tell one from another. */
  readonly material?: unknown;
}

/** A run before its model is there: its rows were looked at, its options are complete. */
export interface RunPlan extends Omit<PlanOptions, 'data' | 'sample' | 'options'> {
  readonly files: readonly string[];
  /** Complete. */
  readonly options: SuiteOptions;
  /** Null where all rows are meant, or the first. */
  readonly sample: Sample | null;
  readonly survey: Survey;
}

type Begun = Omit<RunPlan, 'survey'> & Pick<PlanOptions, 'data'>;

/** Names are looked up by whoever calls, who may have suites of their own. */
function checkSuite(suite: unknown): void {
  if (typeof suite !== 'string') return;
  const message = `suite is the name ${JSON.stringify(suite)}; give the suite itself: findSuite('${suite}')`;
  throw new AuditError('bad_argument', message, { key: 'suite' });
}

/** Throws `output_exists`, and `bad_argument` for a run to resume that has no folder. */
function checkOut({ out, resume = false }: PlanOptions): void {
  if (out !== undefined) checkFolderIsFree(out, resume ? 'run' : null);
  else if (resume)
    throw new AuditError('bad_argument', 'a run is resumed in its folder; give --out', { key: 'out' });
}

/** The rows of a plan, in order. */
export function plannedRows({ suite, files, options, survey, sample }: RunPlan): AsyncIterable<DatasetRow> {
  return dataRows(suite, files, options, survey.rows, sample);
}

/**
 * Plans runs over the same files, which are read once for all of them. Throws as {@link planRun} does, the faults of one
 * under what `named` makes of them.
 */
export async function planRuns(
  all: readonly PlanOptions[],
  named: Named = async (_, action) => action(),
): Promise<RunPlan[]> {
  const begun: Begun[] = [];
  for (const [index, given] of all.entries()) {
    begun.push(
      await named(index, async () => {
        checkSuite(given.suite);
        checkOut(given);
        const { suite, compat } = given;
        const files = dataFiles(suite, given.data);
        const options = resolveOptions(suite.name, suite.options, given.options ?? {}, compat ?? 'default');
        return { ...given, files, options, sample: await sampleOf(suite, files, options, given) };
      }),
    );
  }
  const surveys = await surveyRuns(begun, named);
  const plans: RunPlan[] = [];
  for (const [index, { data: _, ...part }] of begun.entries()) {
    const plan = { ...part, survey: surveys[index]! };
    await named(index, () => checkPlan(plan));
    plans.push(plan);
  }
  return plans;
}

async function checkPlan(plan: RunPlan): Promise<void> {
  const { suite, files, survey, strict, cluster } = plan;
  if (survey.rows === 0) {
    const message = `${files.join(', ')}: no row belongs to what ${suite.name} was asked for; give other options or other data`;
    throw new AuditError('data_empty', message, { files: [...files], suite: suite.name });
  }
  if (strict && survey.firstError) throw survey.firstError;
  if (cluster) await checkChosen(cluster, plannedRows(plan));
}

/**
 * Plans a run; nothing is written. Throws `bad_argument`, `file_not_found`, `data_empty`, what the data are refused with,
 * `output_exists`, and in strict mode the first bad row's error.
 */
export async function planRun(options: PlanOptions): Promise<RunPlan> {
  const [plan] = await planRuns([options]);
  return plan!;
}

/** Throws the first bad row's error where no row can be used: no model needs to be loaded for that. */
export function checkUsable({ survey: { rows, invalid, firstError } }: RunPlan): void {
  if (firstError === undefined || invalid < rows) return;
  if (rows === 1) throw firstError;
  const { code, message, data } = firstError;
  throw new AuditError(code, `${message} (none of the ${rows} rows can be used)`, data);
}
