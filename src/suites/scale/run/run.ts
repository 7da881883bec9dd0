/**
 * A scale put to a model: every participant at every tier, case by case into a journal, so that a run that was stopped
 * is resumed where it was. The result file is made of the journal.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ObservedRequest } from '../../../contract/index.ts';
import { AuditError, toAuditError } from '../../../errors.ts';
import { type Backend, type EngineDescription, usageFromNow } from '../../../model/index.ts';
import { readObservations, remarksOf } from '../../../observation/by-request.ts';
import type { Measure } from '../../../observation/observation.ts';
import { Alike, writeCsv, writeJson } from '../../../report/index.ts';
import {
  checkFolderIsFree,
  clearLeftovers,
  createFolder,
  lockFolder,
  openFolder,
  type RunFolder,
  runFolder,
} from '../../../run/folder.ts';
import { type JournalEntry, JournalWriter, readJournal } from '../../../run/journal.ts';
import type { Progress } from '../../../run/pipeline.ts';
import { type WindowSizes, windowRows } from '../../../run/windows.ts';
import { scaleAsker } from '../ask/index.ts';
import { askedSubscales, CASE_JOINT } from '../data/index.ts';
import {
  type AskingDescription,
  asksInChats,
  checkSameRun,
  readScaleManifest,
  type ScaleCounts,
  type ScaleManifest,
  startedManifest,
} from './manifest.ts';
import { ID_COLUMN, planScale, type ScaleCase, type ScalePlan, type ScalePlanOptions } from './plan.ts';
import { CASE_COLUMNS, lastLines, readScaleResults, takenOver, writeScaleResults } from './results.ts';

/** A run of a scale and its model. */
export interface ScaleRunOptions extends ScalePlanOptions {
  readonly backend: Backend;
  readonly engine: EngineDescription;
  /** Folder of the run: new or empty, or with `resume` that of a run that was stopped. */
  readonly out: string;
  /** Resume what is in the folder; what was answered is not asked again. Default false. */
  readonly resume?: boolean;
  /** Ask in the model's own chat template: where it has one (`auto`, default), always, or never. */
  readonly chat?: 'auto' | 'on' | 'off';
  /** Most tokens of an answer; default 256. */
  readonly maxTokens?: number;
  /** From 0, where each token is the likeliest one; default 0. */
  readonly temperature?: number;
  /** In (0, 1]: draws come from the fewest likeliest tokens that together have this probability. Default 1. */
  readonly topP?: number;
  /** Default 0. */
  readonly sampleSeed?: number;
  readonly onProgress?: (progress: Progress) => void;
}

/** What a run of a scale wrote. */
export interface ScaleRunResult {
  readonly folder: RunFolder;
  readonly manifest: ScaleManifest;
  readonly counts: ScaleCounts;
  /** The result file. */
  readonly results: string;
  /** What was wrong with the first case that failed; null where none did. */
  readonly firstFailure: string | null;
  readonly notes: readonly string[];
}

export const MAX_TOKENS = 256;
export const RESULTS_FILE = 'results.csv';
const PERSONAS_FILE = 'personas.csv';

/** Cases asked at a time: in the end enough to fill a batch, and no more than a slow machine answers well within the time limit of a window. */
const WINDOWS: WindowSizes = { first: 2, most: 16 };
const NO_MEASURE: Measure = { groups: [], topK: 0, pairTopK: [] };

/** Throws `output_exists` for a folder in use, unless it is to be resumed. */
export function checkScaleFolder(out: string, resume: boolean): void {
  // A result file of another program may be all that is there: it is resumed too.
  if (!resume) checkFolderIsFree(out);
}

/**
 * Asks every case that the folder has no answer to. Throws before anything is asked what {@link planScale} throws,
 * `output_exists`, with `resume` `bad_argument` for a folder of a run with other settings and `data_malformed` for a
 * journal or a result file that is damaged; and `cancelled` and engine faults, after which the run can be resumed.
 */
export async function runScale(options: ScaleRunOptions): Promise<ScaleRunResult> {
  const { out, resume = false } = options;
  checkScaleFolder(out, resume);
  const plan = await planScale(options);
  const asking = askingOf(options);
  const ask = scaleAsker(options.scale, options.subscales, asking);
  const before = resume ? await readScaleManifest(runFolder(out).manifest) : null;
  const manifest = await firstManifest(options, plan, asking, before);
  if (before !== null) checkSameRun(before, manifest, runFolder(out).manifest);
  const results = path.join(out, RESULTS_FILE);
  const texts = resume && existsSync(results) ? await readScaleResults(results) : new Map<string, string>();
  checkOwner(runFolder(out), before);
  const folder = resume ? openFolder(out) : createFolder(out);
  const unlock = lockFolder(folder.path);
  try {
    return await runLocked(options, { folder, plan, manifest, texts, ask });
  } finally {
    unlock();
  }
}

interface Prepared {
  readonly folder: RunFolder;
  readonly plan: ScalePlan;
  readonly manifest: ScaleManifest;
  readonly texts: ReadonlyMap<string, string>;
  readonly ask: ReturnType<typeof scaleAsker>;
}

async function runLocked(
  options: ScaleRunOptions,
  { folder, plan, manifest: first, texts, ask }: Prepared,
): Promise<ScaleRunResult> {
  let manifest = first;
  const results = folder.list(RESULTS_FILE);
  if (options.resume) clearLeftovers(folder.path);
  const usage = usageFromNow(options.backend);
  const write = async (change: Partial<ScaleManifest>) => {
    manifest = { ...manifest, ...change, threads: options.backend.threads ?? [] };
    await writeJson(folder.manifest, manifest);
  };
  await write({});
  await writePersonas(folder.list(PERSONAS_FILE), plan.cases);
  const journal = await openJournal(folder.journal);
  try {
    const done = await takeOver(journal, folder.journal, texts);
    await askCases(plan.cases, done, ask, journal, options);
    await journal.close();
    await writeScaleResults(results, folder.journal);
    const { counts, firstFailure, alike } = await countOf(folder.journal, plan.cases);
    await write({ status: 'complete', finishedAt: new Date().toISOString(), counts, usage: usage() });
    return {
      folder,
      manifest,
      counts,
      results,
      firstFailure,
      notes: [...plan.notes, ...notesOf(counts), ...alike],
    };
  } catch (thrown) {
    const error = toAuditError(thrown);
    const { code, message } = error;
    const status = code === 'cancelled' ? 'cancelled' : 'failed';
    // The first fault is the one to report, whatever a failing disk says to these.
    await journal.close().catch(() => undefined);
    // A run that is stopped has the file of what was answered.
    await writeScaleResults(results, folder.journal).catch(() => undefined);
    await write({
      status,
      finishedAt: new Date().toISOString(),
      error: { code, message },
      usage: usage(),
    }).catch(() => undefined);
    throw error;
  }
}

/** A journal without its manifest may be of any run. */
function checkOwner({ journal, manifest }: RunFolder, before: ScaleManifest | null): void {
  if (before !== null || !existsSync(journal)) return;
  const message = `${journal} is there, but not ${manifest}, which says what it is of; give a new folder for --out`;
  throw new AuditError('data_malformed', message, { file: journal });
}

function askingOf(options: ScaleRunOptions): AskingDescription {
  const { scale, subscales, backend, chat } = options;
  return {
    subscales: askedSubscales(scale, subscales).map(({ name }) => name),
    idColumn: options.idColumn ?? ID_COLUMN,
    guided: options.guided ?? false,
    chat: asksInChats(backend, chat),
    maxTokens: options.maxTokens ?? MAX_TOKENS,
    temperature: options.temperature ?? 0,
    topP: options.topP ?? 1,
    sampleSeed: options.sampleSeed ?? 0,
  };
}

async function firstManifest(
  options: ScaleRunOptions,
  { table, tiers, system, cases, sample }: ScalePlan,
  asking: AskingDescription,
  before: ScaleManifest | null,
): Promise<ScaleManifest> {
  return {
    ...(await startedManifest(options, before)),
    suite: 'scale',
    participants: { ...table.file, rows: table.participants.length, repeated: table.repeated.length },
    tiers,
    limit: options.limit ?? null,
    sample,
    asking,
    personasSha256: hashPersonas(cases),
    system,
    counts: null,
  };
}

function hashPersonas(cases: readonly ScaleCase[]): string {
  const hash = createHash('sha256');
  for (const { id, persona } of cases) hash.update(`${JSON.stringify([id, persona.system, persona.user])}\n`);
  return hash.digest('hex');
}

/** What each case tells, to read. */
async function writePersonas(file: string, cases: readonly ScaleCase[]): Promise<void> {
  const columns = ['caseid', 'participant_id', 'tier', 'missing', 'user'].map((key) => ({ key }));
  await writeCsv(
    file,
    columns,
    cases.map(({ id, participantId, tier, persona }) => ({
      caseid: id,
      participant_id: participantId,
      tier,
      missing: persona.missing.join(', '),
      user: persona.user,
    })),
  );
}

async function openJournal(file: string): Promise<JournalWriter> {
  return existsSync(file) ? await JournalWriter.resume(file) : await JournalWriter.create(file);
}

/**
 * The ids of cases that are answered: those of the journal, and those of a result file that the journal does not have,
 * which are written into it. What failed is asked again.
 */
async function takeOver(
  journal: JournalWriter,
  file: string,
  texts: ReadonlyMap<string, string>,
): Promise<ReadonlySet<string>> {
  const last = await lastLines(file);
  const done = new Set([...last].flatMap(([id, { ok }]) => (ok ? [id] : [])));
  const fresh = [...texts].filter(([id]) => !done.has(id));
  await journal.append(fresh.map(([id, text], index) => takenOver(last.size + index, id, CASE_JOINT, text)));
  return new Set([...done, ...fresh.map(([id]) => id)]);
}

async function askCases(
  cases: readonly ScaleCase[],
  done: ReadonlySet<string>,
  ask: ReturnType<typeof scaleAsker>,
  journal: JournalWriter,
  { backend, signal, onProgress }: ScaleRunOptions,
): Promise<void> {
  const open = cases.map((of, row) => ({ of, row })).filter(({ of }) => !done.has(of.id));
  const progress = {
    rows: cases.length - open.length,
    totalRows: cases.length,
    resumedFrom: cases.length - open.length,
    failed: 0,
    skipped: 0,
    tokens: 0,
  };
  for (let start = 0, end = 0; start < open.length; start = end) {
    end = start + windowRows(start, WINDOWS);
    const window = open.slice(start, end);
    const requests = window.map(({ of }) => ask(of.id, of.persona));
    const observed = await backend.observeWindow(requests, NO_MEASURE, signal ? { signal } : {});
    const answers = readObservations(observed, requests.length);
    const entries = window.map(({ of, row }, index) => entryOf(row, of, answers[index]!));
    await journal.append(entries);
    progress.rows += entries.length;
    progress.failed += entries.filter(({ status }) => status === 'failed').length;
    progress.tokens += observed.decodedTokens;
    onProgress?.({ ...progress });
  }
}

function entryOf(
  row: number,
  { id, participantId, tier }: ScaleCase,
  answer: ObservedRequest | AuditError,
): JournalEntry {
  const head = { row, id, slices: { participant_id: participantId, tier } };
  if (answer instanceof AuditError) return { ...head, status: 'failed', error: answer.toJSON() };
  const { text, finish, tokenIds } = answer.generation!;
  const result = { generated_text: text, finish, tokens: tokenIds.length, ...remarksOf([answer]) };
  return { ...head, status: 'ok', result };
}

const CUT: readonly unknown[] = ['length', 'context'];

/** Of the cases that this run is about, as the journal has them in the end. */
async function countOf(
  file: string,
  cases: readonly ScaleCase[],
): Promise<{ counts: ScaleCounts; firstFailure: string | null; alike: string[] }> {
  const meant = new Set(cases.map(({ id }) => id));
  const last = new Map<string, JournalEntry>();
  for await (const entry of readJournal(file, CASE_COLUMNS))
    if (meant.has(entry.id!)) last.set(entry.id!, entry);
  const entries = [...last.values()];
  const ok = entries.flatMap((entry) => (entry.status === 'ok' ? [entry.result] : []));
  const failed = entries.flatMap((entry) => (entry.status === 'failed' ? [entry.error.message] : []));
  const counts = {
    cases: cases.length,
    ok: ok.length,
    failed: failed.length,
    truncated: ok.filter(({ finish }) => CUT.includes(finish)).length,
    takenOver: ok.filter(({ taken_over }) => taken_over === true).length,
  };
  const alike = new Alike();
  for (const { generated_text: text } of ok) alike.add({ 'the text': text as string });
  return { counts, firstFailure: failed[0] ?? null, alike: alike.notes() };
}

function notesOf({ truncated, failed, takenOver: taken }: ScaleCounts): string[] {
  return [
    ...(taken === 0 ? [] : [`${taken} answers were in ${RESULTS_FILE} already, and were taken as they are`]),
    ...(truncated === 0 ? [] : [`${truncated} answers were cut; a higher maxTokens lets them end`]),
    ...(failed === 0
      ? []
      : [`${failed} cases failed and have no text in ${RESULTS_FILE}; resume asks them again`]),
  ];
}
