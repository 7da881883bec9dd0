/** A run from end to end: prepare it, make the folder, journal the rows, derive the files. */
import { toAuditError } from '../errors.ts';
import type { LexiconMapping } from '../lexicon/index.ts';
import { usageSince } from '../model/index.ts';
import { writeJson } from '../report/index.ts';
import type { SliceSummary } from './aggregate.ts';
import { dataRows } from './data.ts';
import { derive, figuresByName, type MetricsFile, metricsFile } from './derive.ts';
import { createFolder, type RunFolder, runId } from './folder.ts';
import { PromptsHash } from './hash.ts';
import { JournalWriter } from './journal.ts';
import { describeLexicon, describeModel, type Manifest, packageVersion } from './manifest.ts';
import { runPipeline } from './pipeline.ts';
import { type PreparedRun, prepareRun, type RunOptions } from './prepare.ts';

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
  /** What was wrong with the first row that failed; null where none did. */
  readonly firstFailure: string | null;
  /** What the numbers say of themselves, such as a coverage that is too low. */
  readonly remarks: readonly string[];
}

/**
 * Runs a suite over its data. Throws what {@link prepareRun} throws before anything is written, in strict mode a bad
 * row's error, `cancelled`, and engine faults. A run that stopped early keeps its journal, and its manifest says so.
 */
export async function runSuite(options: RunOptions): Promise<RunResult> {
  return executeRun(await prepareRun(options));
}

async function firstManifest(prepared: PreparedRun, id: string, created: Date): Promise<Manifest> {
  const { options, suite, survey, context, description, interval } = prepared;
  const { backend, engine, limit = null, strict = false } = options;
  const { files, sha256, bytes, rows } = survey;
  return {
    id,
    suite: suite.name,
    status: 'running',
    createdAt: created.toISOString(),
    finishedAt: null,
    versions: { logitAudit: packageVersion(), node: process.version, llama: engine.llamaVersion },
    experiment: { ...description, interval, limit, strict },
    data: { files, sha256, bytes, rows },
    lexicon: context.lexicon ? describeLexicon(context.lexicon) : null,
    model: await describeModel(backend),
    engine,
    devices: backend.info.devices,
    promptsSha256: null,
    counts: null,
    usage: null,
    error: null,
  };
}

/** The second half of {@link runSuite}. Throws `output_exists` where the folder was taken meanwhile. */
export async function executeRun(prepared: PreparedRun): Promise<RunResult> {
  const { options, suite, files, survey, context, interval } = prepared;
  const { backend, signal, onProgress } = options;
  const usageBefore = backend.usage;
  const created = new Date();
  const id = runId(suite.name, backend.info.path, created);
  let manifest = await firstManifest(prepared, id, created);
  const folder = createFolder(options.out ?? `runs/${id}`);
  const finish = async (end: Pick<Manifest, 'status'> & Partial<Manifest>) => {
    const usage = usageBefore && backend.usage ? usageSince(usageBefore, backend.usage) : null;
    manifest = { ...manifest, ...end, usage, finishedAt: new Date().toISOString() };
    await writeJson(folder.manifest, manifest);
  };

  await writeJson(folder.manifest, manifest);
  if (context.mapping) await writeJson(folder.lexicon, context.mapping.toJSON());
  const journal = await JournalWriter.create(folder.journal);
  const prompts = new PromptsHash();
  // Answers of an endpoint are counted one by one, long before the first rows are done.
  if (usageBefore) onProgress?.({ rows: 0, totalRows: survey.rows, failed: 0, skipped: 0, tokens: 0 });
  let firstFailure: string | null = null;
  try {
    try {
      ({ firstFailure } = await runPipeline({
        suite,
        context,
        backend,
        rows: dataRows(suite, files, context.options, survey.rows),
        totalRows: survey.rows,
        journal,
        prompts,
        strict: options.strict === true,
        ...(signal ? { signal } : {}),
        ...(onProgress ? { onProgress } : {}),
      }));
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
      firstFailure,
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
