/** A run before its model is there: which rows, with which options. All that can be wrong without a model is found here. */

import { type MeasuredRow, resolveOptions, type Suite } from '../contract/index.ts';
import type { DatasetRow, Survey } from '../dataset/index.ts';
import { AuditError } from '../errors.ts';
import type { IntervalOptions } from './accumulate/index.ts';
import { checkChosen } from './chosen-clusters.ts';
import type { WordOptions } from './context.ts';
import { dataFiles, dataRows, type Named, sampleOf, surveyRuns } from './data.ts';
import { checkFolderIsFree, type Resumable } from './folder.ts';
import type { HashedFile } from './hash.ts';
import type { SuiteOptions } from './read-row.ts';
import type { Sample, SampleChoice, SampleDescription } from './sample.ts';

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
export interface RunPlan extends Omit<PlanOptions, 'data' | 'sample' | 'options'>, Partial<OwnRows> {
  readonly files: readonly string[];
  /** Complete. */
  readonly options: SuiteOptions;
  /** Null where all rows are meant, or the first. */
  readonly sample: Sample | null;
  readonly survey: Survey;
}

/** Rows that are not read of data files one by one, but made by whoever plans the run. */
export interface OwnRows {
  readonly rows: readonly unknown[];
  /** What the manifest keeps of the material. */
  readonly about: Readonly<Record<string, unknown>>;
  /** What the run's id begins with; default: the name of the suite. */
  readonly called?: string;
  /** Of a suite that asks what is unanswered: rows that were answered elsewhere, where the journal has no answer. */
  readonly answered?: ReadonlyMap<string, Pick<MeasuredRow, 'slices' | 'result'>>;
}

export interface OwnRowsOptions
  extends Omit<PlanOptions, 'data' | 'sample' | 'options' | 'cluster'>,
    OwnRows {
  /** The files that rows were made of. */
  readonly sources: readonly HashedFile[];
  readonly sample?: SampleDescription | null;
  /** Complete; what the run is known by where it is resumed. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Plans a run over rows that are at hand. Throws `output_exists` and `bad_argument` as {@link planRun} does. */
export function planOwnRows({ sources, sample = null, options, ...given }: OwnRowsOptions): RunPlan {
  checkOut(given);
  const rows = given.rows.length;
  const [source] = sources;
  return {
    ...given,
    options: options as SuiteOptions,
    files: sources.map(({ path }) => path),
    // It was drawn before rows were made of it.
    sample: sample && { chosen: new Set(), description: sample },
    survey: {
      sha256: source?.sha256 ?? '',
      bytes: source?.bytes ?? 0,
      rows,
      invalid: 0,
      files: sources.map((file) => ({ ...file, rows })),
    },
  };
}

type Begun = Omit<RunPlan, 'survey'> & Pick<PlanOptions, 'data'>;

/** Names are looked up by whoever calls, who may have suites of their own. */
function checkSuite(suite: unknown): void {
  if (typeof suite !== 'string') return;
  const message = `suite is the name ${JSON.stringify(suite)}; give the suite itself: findSuite('${suite}')`;
  throw new AuditError('bad_argument', message, { key: 'suite' });
}

/** What may lie in the folder of the run already. */
export function resumableBy({ suite, resume = false }: Pick<PlanOptions, 'suite' | 'resume'>): Resumable {
  if (!resume) return null;
  return suite.resumeAt === 'unanswered' ? 'answers' : 'run';
}

/** Throws `output_exists`, and `bad_argument` for a run to resume that has no folder. */
function checkOut(given: Pick<PlanOptions, 'suite' | 'out' | 'resume'>): void {
  const { out, resume = false } = given;
  if (out !== undefined) checkFolderIsFree(out, resumableBy(given));
  else if (resume)
    throw new AuditError('bad_argument', 'a run is resumed in its folder; give --out', { key: 'out' });
}

/** The rows of a plan, in order. */
export function plannedRows({
  suite,
  files,
  options,
  survey,
  sample,
  rows,
}: RunPlan): AsyncIterable<DatasetRow> {
  if (rows) return ownRows(rows, files[0] ?? '');
  return dataRows(suite, files, options, survey.rows, sample);
}

async function* ownRows(rows: readonly unknown[], file: string): AsyncGenerator<DatasetRow> {
  for (const [index, value] of rows.entries()) yield { file, line: 0, index, value };
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
