/** A run from end to end: prepare it, make the folder, journal the rows, derive the files. */

import type { Derivation, Fields, JournalEntry, Suite } from '../contract/index.ts';
import type { DatasetRow } from '../dataset/index.ts';
import { AuditError, toAuditError } from '../errors.ts';
import type { LexiconMapping } from '../lexicon/index.ts';
import { usageFromNow } from '../model/index.ts';
import { writeJson } from '../report/index.ts';
import type { SliceSummary } from './aggregate.ts';
import { type Checkpoint, removeCheckpoint, writeCheckpoint } from './checkpoint.ts';
import {
  derive,
  figuresByName,
  type MetricsFile,
  metricsFile,
  writeFiles,
  writeRowTables,
} from './derive.ts';
import { clearLeftovers, createFolder, lockFolder, type RunFolder, runFolder, runId } from './folder.ts';
import { PromptsHash } from './hash.ts';
import { JournalWriter, readJournal } from './journal.ts';
import { describeLexicon, describeModel, type Manifest, packageVersion } from './manifest.ts';
import { NOTHING_DONE, type PipelineDone, runPipeline } from './pipeline.ts';
import { plannedRows, planRun, type RunPlan, resumableBy } from './plan.ts';
import { type PreparedRun, prepareRun, type RunModel, type RunOptions } from './prepare.ts';
import { readRow } from './read-row.ts';
import { checkSameRun, type ResumePoint, resumePoint } from './resume.ts';
import { type Rounding, roundingSample } from './rounding.ts';

/** What a run wrote: its folder, manifest, metrics and counts. */
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
  /** What the suite itself made of all rows; null where it makes nothing. */
  readonly derivation: Derivation | null;
}

/**
 * Runs a suite over its data. Throws what {@link planRun} and {@link prepareRun} throw before anything is written, in strict mode a bad
 * row's error, `cancelled`, and engine faults. A run that stopped early keeps its journal, and its manifest says so.
 */
export async function runSuite(options: RunOptions): Promise<RunResult> {
  return runPlan(await planRun(options), options);
}

/** Runs what was planned on a model. Throws what {@link prepareRun} and {@link executeRun} throw. */
export async function runPlan(plan: RunPlan, model: RunModel): Promise<RunResult> {
  return executeRun(await prepareRun(plan, model));
}

async function firstManifest(prepared: PreparedRun, id: string, created: Date): Promise<Manifest> {
  const { plan, model, context, description, interval } = prepared;
  const { suite, sample, limit = null, strict = false, cluster = null } = plan;
  const { backend, engine } = model;
  const { files, sha256, bytes, rows } = plan.survey;
  return {
    id,
    suite: suite.name,
    status: 'running',
    createdAt: created.toISOString(),
    finishedAt: null,
    resumedAt: [],
    versions: { logitAudit: packageVersion(), node: process.version, llama: engine.llamaVersion },
    experiment: { ...description, interval, limit, sample: sample?.description ?? null, strict, cluster },
    data: { files, sha256, bytes, rows },
    ...(plan.about ? { material: plan.about } : {}),
    lexicon: context.lexicon ? describeLexicon(context.lexicon) : null,
    model: await describeModel(backend),
    engine,
    devices: backend.info.devices,
    threads: backend.threads ?? [],
    promptsSha256: null,
    counts: null,
    journalCrc32: null,
    rounding: null,
    usage: null,
    error: null,
  };
}

/** Throws `bad_argument` for a folder to resume that holds another run than this one; nothing is changed. */
export async function checkResumed(prepared: PreparedRun): Promise<void> {
  const { out, resume } = prepared.plan;
  if (!resume || out === undefined) return;
  await checkSameRun(runFolder(out), await firstManifest(prepared, '', new Date()), prepared.plan.suite);
}

/**
 * Runs what is prepared. Throws `output_exists` where the folder was taken meanwhile or another process writes to
 * it, and where a run is resumed what {@link resumePoint} throws.
 */
export async function executeRun(prepared: PreparedRun): Promise<RunResult> {
  const { plan, model } = prepared;
  const created = new Date();
  const id = runId(plan.called ?? plan.suite.name, model.backend.info.path, created);
  const manifest = await firstManifest(prepared, id, created);
  const folder = createFolder(plan.out ?? `runs/${id}`, resumableBy(plan));
  const unlock = lockFolder(folder.path);
  try {
    return await runIn(folder, prepared, manifest);
  } finally {
    unlock();
  }
}

async function runIn(folder: RunFolder, prepared: PreparedRun, fresh: Manifest): Promise<RunResult> {
  const { plan, model, context } = prepared;
  const { suite } = plan;
  const { backend } = model;
  const usage = usageFromNow(backend);
  if (plan.resume) clearLeftovers(folder.path);
  const point = plan.resume ? await resumePoint(folder, fresh, suite) : null;
  if (point?.ended) {
    // Killed between the last manifest and its removal.
    await removeCheckpoint(folder.checkpoint);
    return finished(folder, prepared, point.manifest, point.done);
  }
  let manifest: Manifest = point
    ? {
        ...fresh,
        id: point.manifest.id,
        createdAt: point.manifest.createdAt,
        resumedAt: [...point.manifest.resumedAt, fresh.createdAt],
      }
    : fresh;
  const finish = async (end: Pick<Manifest, 'status'> & Partial<Manifest>) => {
    manifest = {
      ...manifest,
      ...end,
      threads: backend.threads ?? [],
      usage: usage(),
      finishedAt: new Date().toISOString(),
    };
    await writeJson(folder.manifest, manifest);
    return manifest;
  };
  await writeJson(folder.manifest, manifest);
  if (context.mapping) await writeJson(folder.lexicon, context.mapping.toJSON());
  await writeFiles(folder, suite.given?.(context) ?? []);
  const prompts = new PromptsHash(point?.promptsSha256);
  try {
    const { checkpoint, done, ...rows } = await journalRows(folder, prepared, prompts, point);
    const result = await finished(folder, prepared, manifest, done);
    const { counts } = result;
    const again = suite.resumeAt === 'failure' && counts.failed > 0 ? { askAgainFrom: checkpoint } : {};
    const end = { promptsSha256: prompts.digest(), counts, ...rows, ...again };
    manifest = await finish({ status: 'complete', ...end });
    await removeCheckpoint(folder.checkpoint);
    return { ...result, manifest };
  } catch (thrown) {
    const error = toAuditError(thrown);
    const { code, message } = error;
    // The first fault is the one to report: a full disk takes no manifest either, and the run can be resumed without it.
    if (suite.table) await writeRowTables(folder, suite, null).catch(() => undefined);
    await finish({ status: code === 'cancelled' ? 'cancelled' : 'failed', error: { code, message } }).catch(
      () => undefined,
    );
    if (code !== 'cancelled') throw error;
    const stopped = `the run was stopped; its whole windows of rows are kept: continue with --resume and --out ${folder.path}`;
    throw new AuditError('cancelled', stopped, { folder: folder.path }, { cause: error });
  }
}

interface JournaledRows {
  readonly done: PipelineDone;
  readonly journalCrc32: number;
  readonly rounding: Rounding | null;
  /** The last one that was written. */
  readonly checkpoint: Checkpoint | null;
}

/** The rows that are not done, into the journal. */
async function journalRows(
  folder: RunFolder,
  { plan, model, context }: PreparedRun,
  prompts: PromptsHash,
  point: ResumePoint | null,
): Promise<JournaledRows> {
  const { backend, engine, signal, onProgress } = model;
  const { suite, survey } = plan;
  const anyOrder = suite.resumeAt === 'unanswered';
  const rounded = roundingSample(backend, engine.options.mode, survey.rows);
  const journal = await (plan.resume ? JournalWriter.continue : JournalWriter.create)(folder.journal);
  let checkpoint: Checkpoint | null = null;
  const keep = async (rows: number) => {
    const { bytes, crc } = journal;
    checkpoint = { rows, bytes, journalCrc: crc, promptsSha256: prompts.digest() };
    await writeCheckpoint(folder.checkpoint, checkpoint);
  };
  try {
    let already = point?.done ?? NOTHING_DONE;
    let isDone = (_: DatasetRow, at: number) => at < already.rows;
    if (anyOrder) {
      isDone = await takeAnswers(plan, point, journal);
      already = { ...already, rows: await countRows(plan, (row) => isDone(row, 0)) };
    }
    if (anyOrder || already.rows > 0) await keep(already.rows);
    const done = await runPipeline({
      suite,
      context,
      cluster: plan.cluster ?? null,
      backend,
      rows: plannedRows(plan),
      isDone,
      earlier: await earlierResults(folder, suite),
      totalRows: survey.rows,
      journal,
      done: already,
      alone: anyOrder || engine.options.mode === 'exact',
      prompts,
      strict: plan.strict === true,
      onWindow: async ({ rows, failed }) => {
        if (suite.resumeAt !== 'failure' || failed === 0) await keep(rows);
      },
      ...(rounded ? { onRow: (_, requests, answers) => rounded.add(requests, answers) } : {}),
      ...(signal ? { signal } : {}),
      ...(onProgress ? { onProgress } : {}),
    });
    const rounding = (await rounded?.measure(backend, signal)) ?? null;
    return { done, journalCrc32: journal.crc, rounding, checkpoint };
  } finally {
    await journal.close();
  }
}

/** Of each row whether it has an answer, once those that were given elsewhere are in the journal. */
async function takeAnswers(
  { suite, options, answered: elsewhere = new Map() }: RunPlan,
  point: ResumePoint | null,
  journal: JournalWriter,
): Promise<(row: DatasetRow) => boolean> {
  const answered = new Set(point?.answered);
  const first = point?.known ?? 0;
  const taken = [...elsewhere].filter(([id]) => !answered.has(id));
  await journal.append(
    taken.map(([id, answer], at): JournalEntry => ({ row: first + at, id, status: 'ok', ...answer })),
  );
  for (const [id] of taken) answered.add(id);
  return (row) => {
    const read = readRow(suite, row, options);
    return read.ok && answered.has(suite.identify(read.value, row).id);
  };
}

async function countRows(plan: RunPlan, is: (row: DatasetRow) => boolean): Promise<number> {
  let count = 0;
  for await (const row of plannedRows(plan)) if (is(row)) count += 1;
  return count;
}

/** What earlier rows were answered, which those of later rounds are asked with. */
async function earlierResults(folder: RunFolder, { slices, round }: Suite): Promise<Map<string, Fields>> {
  const results = new Map<string, Fields>();
  if (round === undefined) return results;
  for await (const entry of readJournal(folder.journal, slices)) {
    if (entry.status === 'ok') results.set(entry.id!, entry.result);
  }
  return results;
}

/** What a run whose rows are all in the journal gives; its derived files are made. */
async function finished(
  folder: RunFolder,
  { plan: { suite }, context, interval }: PreparedRun,
  manifest: Manifest,
  { firstFailure }: PipelineDone,
): Promise<RunResult> {
  const { summaries, alike, derivation } = await derive(folder, suite, context, interval);
  const whole = summaries[0]!;
  return {
    folder,
    manifest,
    mapping: context.mapping,
    summaries,
    firstFailure,
    derivation,
    remarks: [
      ...(suite.remarks?.(figuresByName(whole), context) ?? []),
      // Only where the suite asks in plain text by default: `off` is what a user chose.
      ...alike.notes(context.hasChatTemplate && context.options.chat === false ? UNUSED_TEMPLATE : null),
    ],
    ...metricsFile(whole, suite.constants?.(context) ?? {}),
  };
}

const UNUSED_TEMPLATE =
  'the model has a chat template, and was asked in plain text; --chat asks in its template';
