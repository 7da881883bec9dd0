/**
 * A run from end to end: look at everything that can be wrong, make the folder, journal the rows, derive the files.
 * Nothing is written before the data, the lexicon and the model were found good.
 */
import {
  checkRow,
  type DatasetOptions,
  type IdOf,
  openDataset,
  type Survey,
  surveyDataset,
  uniqueIds,
} from '../dataset/index.ts';
import { toAuditError } from '../errors.ts';
import type { LexiconMapping } from '../lexicon/index.ts';
import type { EngineDescription } from '../model/index.ts';
import { writeJson } from '../report/index.ts';
import { findSuite, type Suite } from '../suite/index.ts';
import { DEFAULT_SEED, type IntervalOptions } from './accumulate/index.ts';
import type { SliceSummary } from './aggregate.ts';
import { type ContextOptions, suiteContext } from './context.ts';
import { derive, figuresByName, type MetricsFile, metricsFile } from './derive.ts';
import { checkFolderIsFree, createFolder, type RunFolder, runId } from './folder.ts';
import { PromptsHash } from './hash.ts';
import { JournalWriter } from './journal.ts';
import { describeLexicon, describeModel, type Manifest, packageVersion } from './manifest.ts';
import { runPipeline } from './pipeline.ts';
import type { Progress } from './progress.ts';

export interface RunOptions extends ContextOptions {
  /** Name of the suite, such as "ctf". */
  readonly suite: string;
  /** What the manifest keeps of the engine: its options and what it runs on. */
  readonly engine: EngineDescription;
  /** Data files in order, of a format that the suite reads. */
  readonly data: string | readonly string[];
  /** Folder of the run, new or empty; default `runs/<suite>-<model>-<time>`. */
  readonly out?: string;
  /** Only the first rows. */
  readonly limit?: number;
  /** The first bad row ends the run; default false. */
  readonly strict?: boolean;
  /** Default: `cluster`, 0.95; with `compat: 'reference'`: `normal`. */
  readonly interval?: Partial<IntervalOptions>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export interface RunResult {
  readonly folder: RunFolder;
  readonly manifest: Manifest;
  /** Null where the suite needs no token groups. */
  readonly mapping: LexiconMapping | null;
  /** What metrics.json holds. */
  readonly metrics: MetricsFile['metrics'];
  readonly counts: MetricsFile['counts'];
  /** All rows first, then a summary per value of each slice column. */
  readonly summaries: readonly SliceSummary[];
  /** What the numbers say of themselves, such as a coverage that is too low. */
  readonly remarks: readonly string[];
}

async function* firstRows<T>(rows: AsyncIterable<T>, limit: number): AsyncGenerator<T> {
  let left = limit;
  if (left <= 0) return;
  for await (const row of rows) {
    yield row;
    left -= 1;
    if (left <= 0) return;
  }
}

function intervalOf({ interval, compat }: RunOptions): IntervalOptions {
  return { ci: compat === 'reference' ? 'normal' : 'cluster', level: 0.95, seed: DEFAULT_SEED, ...interval };
}

/** How the suite's files are read. */
export function datasetOptions({ rowsAt }: Suite): DatasetOptions {
  return rowsAt ? { rowsAt } : {};
}

function idOf(suite: Suite): IdOf {
  return (row) => {
    const checked = checkRow(suite.schema, row);
    return checked.ok ? suite.identify(checked.value, row).id : null;
  };
}

function survey(suite: Suite, { data, limit }: RunOptions): Promise<Survey> {
  return surveyDataset(data, {
    ...datasetOptions(suite),
    ...(limit === undefined ? {} : { limit }),
    validate: (row) => {
      const checked = checkRow(suite.schema, row);
      return checked.ok ? null : checked.error;
    },
    idOf: idOf(suite),
  });
}

/**
 * Runs a suite over its data. Throws `bad_argument`, `data_empty`, `file_not_found`, `lexicon_unmapped`,
 * `output_exists` before anything is written; in strict mode a bad row's error; `cancelled`; engine faults. A run
 * that stopped early keeps its journal, and its manifest says so.
 */
export async function runSuite(options: RunOptions): Promise<RunResult> {
  const { backend, data, limit, strict = false } = options;
  const interval = intervalOf(options);
  const suite = findSuite(options.suite);
  if (options.out !== undefined) checkFolderIsFree(options.out);

  const surveyed = await survey(suite, options);
  if (strict && surveyed.firstError) throw surveyed.firstError;
  const { context, description } = await suiteContext(suite, options);
  suite.check?.(context);
  const model = await describeModel(backend);

  const created = new Date();
  const id = runId(suite.name, backend.info.path, created);
  const folder = createFolder(options.out ?? `runs/${id}`);
  let manifest: Manifest = {
    id,
    suite: suite.name,
    status: 'running',
    createdAt: created.toISOString(),
    finishedAt: null,
    versions: {
      logitAudit: packageVersion(),
      node: process.version,
      llama: options.engine.llamaVersion,
    },
    experiment: { ...description, interval, limit: limit ?? null, strict },
    data: {
      files: surveyed.files,
      sha256: surveyed.sha256,
      bytes: surveyed.bytes,
      rows: surveyed.rows,
    },
    lexicon: context.lexicon ? describeLexicon(context.lexicon) : null,
    model,
    engine: options.engine,
    devices: backend.info.devices,
    promptsSha256: null,
    counts: null,
    error: null,
  };
  const finish = async (end: Pick<Manifest, 'status'> & Partial<Manifest>) => {
    manifest = { ...manifest, ...end, finishedAt: new Date().toISOString() };
    await writeJson(folder.manifest, manifest);
  };

  await writeJson(folder.manifest, manifest);
  if (context.mapping) await writeJson(folder.lexicon, context.mapping.toJSON());
  const journal = await JournalWriter.create(folder.journal);
  const prompts = new PromptsHash();
  try {
    try {
      const rows = uniqueIds(openDataset(data, datasetOptions(suite)).rows(), idOf(suite));
      await runPipeline({
        suite,
        context,
        backend,
        rows: firstRows(rows, surveyed.rows),
        totalRows: surveyed.rows,
        journal,
        prompts,
        strict,
        ...(options.signal ? { signal: options.signal } : {}),
        ...(options.onProgress ? { onProgress: options.onProgress } : {}),
      });
    } finally {
      await journal.close();
    }
    const summaries = await derive(folder, suite, context, interval);
    const whole = summaries[0]!;
    await finish({ status: 'complete', promptsSha256: prompts.digest(), counts: whole.counts });
    return {
      folder,
      manifest,
      mapping: context.mapping,
      summaries,
      remarks: suite.remarks?.(figuresByName(whole), context) ?? [],
      ...metricsFile(whole, suite.constants?.(context) ?? {}),
    };
  } catch (thrown) {
    const error = toAuditError(thrown);
    const { code, message } = error;
    await finish({ status: code === 'cancelled' ? 'cancelled' : 'failed', error: { code, message } });
    throw error;
  }
}
