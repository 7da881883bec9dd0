/**
 * A run from end to end: look at everything that can be wrong, make the folder, journal the rows, derive the files.
 * Nothing is written before the data, the lexicon and the model were found good.
 */
import { checkRow, type IdOf, openDataset, surveyDataset, uniqueIds } from '../dataset/index.ts';
import { AuditError, toAuditError } from '../errors.ts';
import { type Lexicon, type LexiconMapping, type MultiTokenPolicy, mapLexicon } from '../lexicon/index.ts';
import type { Backend, EngineDescription } from '../model/index.ts';
import { writeJson } from '../report/index.ts';
import { findSuite, type SuiteContext } from '../suite/index.ts';
import type { SliceSummary } from './aggregate.ts';
import { derive, type MetricsFile, metricsFile } from './derive.ts';
import { checkFolderIsFree, createFolder, type RunFolder, runId } from './folder.ts';
import { PromptsHash } from './hash.ts';
import { JournalWriter } from './journal.ts';
import { describeLexicon, describeModel, type Manifest, packageVersion } from './manifest.ts';
import { runPipeline } from './pipeline.ts';
import type { Progress } from './progress.ts';
import type { IntervalOptions } from './step-column.ts';

export interface RunOptions {
  /** Name of the suite, such as "ctf". */
  readonly suite: string;
  readonly backend: Backend;
  /** What the manifest keeps of the engine: its options and what it runs on. */
  readonly engine: EngineDescription;
  readonly lexicon: Lexicon;
  /** Data file, JSON Lines or CSV. */
  readonly data: string;
  /** Folder of the run, new or empty; default `runs/<suite>-<model>-<time>`. */
  readonly out?: string;
  /** Only the first rows. */
  readonly limit?: number;
  /** The first bad row ends the run; default false. */
  readonly strict?: boolean;
  /** K of the top-K form of a divergence; default 20. */
  readonly topK?: number;
  /** What a word of several tokens counts as; default `first`. */
  readonly policy?: MultiTokenPolicy;
  /** Map capitalised forms too; default true. */
  readonly capitalised?: boolean;
  /** Default: `cluster`, 0.95. */
  readonly interval?: Partial<IntervalOptions>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export interface RunResult {
  readonly folder: RunFolder;
  readonly manifest: Manifest;
  readonly mapping: LexiconMapping;
  /** What metrics.json holds. */
  readonly metrics: MetricsFile['metrics'];
  readonly counts: MetricsFile['counts'];
  /** All rows first, then a summary per value of each slice column. */
  readonly summaries: readonly SliceSummary[];
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

function checkTopK(topK: number): void {
  if (!Number.isInteger(topK) || topK < 1) {
    throw new AuditError('bad_argument', `top-K is ${topK}; give a whole number from 1`, { topK });
  }
}

/**
 * Runs a suite over a data file. Throws `bad_argument`, `data_empty`, `file_not_found`, `lexicon_unmapped`,
 * `output_exists` before anything is written; in strict mode a bad row's error; `cancelled`; engine faults. A run
 * that stopped early keeps its journal, and its manifest says so.
 */
export async function runSuite(options: RunOptions): Promise<RunResult> {
  const {
    backend,
    lexicon,
    data,
    limit,
    strict = false,
    topK = 20,
    policy = 'first',
    capitalised = true,
  } = options;
  const interval: IntervalOptions = { ci: 'cluster', level: 0.95, ...options.interval };
  const seed = interval.ci === 'bootstrap' ? (interval.seed ?? 0) : null;
  const suite = findSuite(options.suite);
  checkTopK(topK);
  if (options.out !== undefined) checkFolderIsFree(options.out);

  const idOf: IdOf = (row) => {
    const checked = checkRow(suite.schema, row);
    return checked.ok ? suite.identify(checked.value).id : null;
  };
  const survey = await surveyDataset(data, {
    ...(limit === undefined ? {} : { limit }),
    validate: (row) => {
      const checked = checkRow(suite.schema, row);
      return checked.ok ? null : checked.error;
    },
    idOf,
  });
  if (strict && survey.firstError) throw survey.firstError;
  const mapping = await mapLexicon(lexicon, backend.tokenizer, { policy, capitalised });
  const context: SuiteContext = { lexicon, mapping, topK };
  suite.check(context);
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
    experiment: { topK, policy, capitalised, interval, limit: limit ?? null, strict, seed },
    data: { path: data, sha256: survey.sha256, bytes: survey.bytes, rows: survey.rows },
    lexicon: describeLexicon(lexicon),
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
  await writeJson(folder.lexicon, mapping.toJSON());
  const journal = await JournalWriter.create(folder.journal);
  const prompts = new PromptsHash();
  try {
    try {
      await runPipeline({
        suite,
        context,
        backend,
        rows: firstRows(uniqueIds(openDataset(data).rows(), idOf), survey.rows),
        totalRows: survey.rows,
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
    await finish({
      status: 'complete',
      promptsSha256: prompts.digest(),
      counts: summaries[0]!.counts,
    });
    return { folder, manifest, mapping, summaries, ...metricsFile(summaries[0]!, suite.constants(context)) };
  } catch (thrown) {
    const error = toAuditError(thrown);
    const { code, message } = error;
    await finish({ status: code === 'cancelled' ? 'cancelled' : 'failed', error: { code, message } });
    throw error;
  }
}
