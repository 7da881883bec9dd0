/**
 * A questionnaire that the model answers itself, item by item, into a journal: a run that was stopped is resumed at the window that was
 * under way, and every later window holds the requests that it would have held anyway.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { ObservedRequest } from '../../../../contract/index.ts';
import { AuditError, toAuditError } from '../../../../errors.ts';
import { type Backend, type EngineDescription, usageFromNow } from '../../../../model/index.ts';
import { readObservations, remarksOf } from '../../../../observation/by-request.ts';
import type { Measure } from '../../../../observation/observation.ts';
import { Alike, writeJson } from '../../../../report/index.ts';
import {
  checkFolderIsFree,
  clearLeftovers,
  createFolder,
  lockFolder,
  openFolder,
  type RunFolder,
  runFolder,
} from '../../../../run/folder.ts';
import { cutJournal, type JournalEntry, JournalWriter } from '../../../../run/journal.ts';
import type { Progress } from '../../../../run/pipeline.ts';
import { type WindowSizes, windowRows } from '../../../../run/windows.ts';
import {
  type EarlierItem,
  type ItemAnswer,
  itemRequests,
  planQuestionnaire,
  type Questionnaire,
  type QuestionnaireCase,
  type QuestionnaireOptions,
  readItem,
} from '../../ask/index.ts';
import { asksInChats, startedManifest } from '../manifest.ts';
import {
  type AdministerDescription,
  type AdministerManifest,
  checkSameQuestionnaire,
  readAdministerManifest,
} from './manifest.ts';
import { readItems, writeQuestionnaire } from './results.ts';
import type { QuestionnaireStatistics } from './statistics.ts';

/** How a model is asked the items of a scale. */
export interface AdministerOptions extends QuestionnaireOptions {
  readonly backend: Backend;
  readonly engine: EngineDescription;
  /** Folder of the run: new or empty, or with `resume` that of a run that was stopped. */
  readonly out: string;
  readonly resume?: boolean;
  /** Which answer counts. Default: the likeliest letter of a model whose next-token probabilities can be read, else the text. */
  readonly answer?: 'letters' | 'text';
  readonly chat?: 'auto' | 'on' | 'off';
  /** Most tokens of a text; default 32. */
  readonly maxTokens?: number;
  /** Of the text; default 0. */
  readonly temperature?: number;
  readonly topP?: number;
  /** Of the intervals; default 0.95. */
  readonly level?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** What a questionnaire that a model answered gave. */
export interface AdministerResult {
  readonly folder: RunFolder;
  readonly manifest: AdministerManifest;
  readonly questionnaire: Questionnaire;
  readonly statistics: QuestionnaireStatistics;
  readonly firstFailure: string | null;
  readonly notes: readonly string[];
}

export const ITEM_TOKENS = 32;
const WINDOWS: WindowSizes = { first: 4, most: 32 };
const NO_MEASURE: Measure = { groups: [], topK: 0, pairTopK: [] };

/**
 * Asks every item in every order, and makes the files of the folder. Throws before anything is asked `bad_argument` (what cannot be asked, a
 * folder of a run with other settings), `output_exists`, `data_malformed`, what the model refuses; and `cancelled` and faults of the engine,
 * after which the run can be resumed.
 */
export async function administer(options: AdministerOptions): Promise<AdministerResult> {
  const { out, resume = false, backend } = options;
  checkFolderIsFree(out, resume ? 'run' : null);
  const questionnaire = planQuestionnaire(options);
  const asking = await askingOf(options, questionnaire);
  const before = resume ? await readAdministerManifest(runFolder(out).manifest) : null;
  const manifest = await firstManifest(options, asking, before);
  if (before !== null) checkSameQuestionnaire(before, manifest, runFolder(out).manifest);
  const folder = resume ? openFolder(out) : createFolder(out);
  const unlock = lockFolder(folder.path);
  try {
    if (resume) clearLeftovers(folder.path);
    return await runLocked(options, { folder, questionnaire, first: manifest, usage: usageFromNow(backend) });
  } finally {
    unlock();
  }
}

interface Prepared {
  readonly folder: RunFolder;
  readonly questionnaire: Questionnaire;
  readonly first: AdministerManifest;
  readonly usage: ReturnType<typeof usageFromNow>;
}

async function runLocked(
  options: AdministerOptions,
  { folder, questionnaire, first, usage }: Prepared,
): Promise<AdministerResult> {
  let manifest = first;
  const write = async (change: Partial<AdministerManifest>) => {
    manifest = { ...manifest, ...change, threads: options.backend.threads ?? [] };
    await writeJson(folder.manifest, manifest);
  };
  await write({});
  const windows = windowsOf(questionnaire);
  const done = await keptWindows(folder.journal, questionnaire, windows);
  const journal = await (done.length > 0 || existsSync(folder.journal)
    ? JournalWriter.resume(folder.journal)
    : JournalWriter.create(folder.journal));
  const end = (change: Partial<AdministerManifest>) =>
    write({ finishedAt: new Date().toISOString(), usage: usage(), ...change });
  try {
    await askWindows(options, { questionnaire, windows, done, journal, asking: manifest.asking });
    await journal.close();
    const statistics = await writeQuestionnaire(folder, options.scale, questionnaire, manifest.level);
    const { cases, ok, failed } = statistics.counts;
    await end({ status: 'complete', counts: { cases, ok, failed } });
    const { firstFailure, alike } = await lookOver(folder.journal);
    const notes = [...questionnaire.notes, ...alike];
    return { folder, manifest, questionnaire, statistics, firstFailure, notes };
  } catch (thrown) {
    const error = toAuditError(thrown);
    const { code, message } = error;
    // The first fault is the one to report, whatever a failing disk says to these.
    await journal.close().catch(() => undefined);
    const status = code === 'cancelled' ? 'cancelled' : 'failed';
    await end({ status, error: { code, message } }).catch(() => undefined);
    throw error;
  }
}

/** Windows never hold requests of two rounds, and depend on the questionnaire alone. */
function windowsOf({ rounds }: Questionnaire): (readonly QuestionnaireCase[])[] {
  return rounds.flatMap((round) => {
    const windows: (readonly QuestionnaireCase[])[] = [];
    for (let start = 0, next = 0; start < round.length; start = next) {
      next = start + windowRows(start, WINDOWS);
      windows.push(round.slice(start, next));
    }
    return windows;
  });
}

/**
 * The rows of the windows that are whole and without a failure, to which the journal is cut: what failed is asked again, and what follows
 * it with it, so that a resumed run has the rows, in the order and the company, of one that nothing stopped.
 */
async function keptWindows(
  journal: string,
  { cases }: Questionnaire,
  windows: readonly (readonly QuestionnaireCase[])[],
): Promise<JournalEntry[]> {
  if (!existsSync(journal)) return [];
  const entries = await readItems(journal);
  const odd = entries.findIndex(({ row, id }, at) => row !== at || id !== cases[at]?.id);
  if (odd !== -1) {
    const message = `${journal}: line ${odd + 1} is of another questionnaire; give a new folder for --out`;
    throw new AuditError('data_malformed', message, { file: journal, line: odd + 1 });
  }
  let kept = 0;
  for (const { length } of windows) {
    const window = entries.slice(kept, kept + length);
    if (window.length < length || window.some(({ status }) => status !== 'ok')) break;
    kept += length;
  }
  await cutJournal(journal, kept);
  return entries.slice(0, kept);
}

async function askingOf(
  options: AdministerOptions,
  { subscales, orders, system, cases }: Questionnaire,
): Promise<AdministerDescription> {
  const { backend, chat, seed = 0, inContext = false, answer, signal } = options;
  const asking = {
    subscales: subscales.map(({ name }) => name),
    orders,
    seed,
    inContext,
    system,
    chat: asksInChats(backend, chat),
    maxTokens: options.maxTokens ?? ITEM_TOKENS,
    temperature: options.temperature ?? 0,
    topP: options.topP ?? 1,
    sampleSeed: seed,
  };
  const both = { ...asking, answer: 'letters', letters: true } as const;
  const [text, score] = itemRequests(cases[0]!, { system, earlier: [] }, both);
  const wanted = answer === 'text' && backend.prepare ? [text!] : [text!, score!];
  await backend.prepare?.(wanted, signal ? { signal } : {});
  const refused = backend.refusal?.(text!) ?? null;
  if (refused) throw refused;
  const noLetters = backend.refusal?.(score!) ?? null;
  if (answer === 'letters' && noLetters) throw noLetters;
  const letters = noLetters === null;
  return { ...asking, letters, answer: answer ?? (letters ? 'letters' : 'text') };
}

async function firstManifest(
  options: AdministerOptions,
  asking: AdministerDescription,
  before: AdministerManifest | null,
): Promise<AdministerManifest> {
  const { level = 0.95 } = options;
  return { ...(await startedManifest(options, before)), suite: 'administer', asking, level, counts: null };
}

interface Asking {
  readonly questionnaire: Questionnaire;
  readonly windows: readonly (readonly QuestionnaireCase[])[];
  readonly done: readonly JournalEntry[];
  readonly journal: JournalWriter;
  readonly asking: AdministerDescription;
}

async function askWindows(
  { scale, backend, signal, onProgress }: AdministerOptions,
  { questionnaire: { cases, system }, windows, done, journal, asking }: Asking,
): Promise<void> {
  const chats = new Map<number, EarlierItem[]>();
  const remember = (of: QuestionnaireCase, entry: JournalEntry) => {
    if (!asking.inContext || entry.status !== 'ok') return;
    const said = wordsOf(entry.result as unknown as ItemAnswer, asking.answer);
    chats.set(of.order, [...(chats.get(of.order) ?? []), { text: of.text, answer: said }]);
  };
  for (const [at, entry] of done.entries()) remember(cases[at]!, entry);
  const progress = {
    rows: done.length,
    totalRows: cases.length,
    resumedFrom: done.length,
    failed: 0,
    skipped: 0,
    tokens: 0,
  };
  let row = 0;
  for (const window of windows) {
    const from = row;
    row += window.length;
    if (row <= done.length) continue;
    const planned = window.map((of) =>
      itemRequests(of, { system, earlier: chats.get(of.order) ?? [] }, asking),
    );
    const observed = await backend.observeWindow(planned.flat(), NO_MEASURE, signal ? { signal } : {});
    const answers = readObservations(observed, planned.flat().length);
    const entries = window.map((of, at) => {
      const first = planned.slice(0, at).reduce((sum, { length }) => sum + length, 0);
      const own = answers.slice(first, first + planned[at]!.length);
      const head = { row: from + at, id: of.id, slices: { item: of.item, order: String(of.order) } };
      return entryOf(head, own, (whole) => readItem(scale, of, whole, asking));
    });
    await journal.append(entries);
    for (const [at, entry] of entries.entries()) remember(window[at]!, entry);
    progress.rows += entries.length;
    progress.failed += entries.filter(({ status }) => status === 'failed').length;
    progress.tokens += observed.decodedTokens;
    onProgress?.({ ...progress });
  }
}

/** What stands as the model's answer in the chat that follows. */
function wordsOf({ answer, position, text }: ItemAnswer, counts: 'letters' | 'text'): string {
  if (counts === 'text' || answer === null) return text.trim();
  return String.fromCharCode('A'.charCodeAt(0) + position! - 1);
}

function entryOf(
  head: Pick<JournalEntry, 'row' | 'id' | 'slices'>,
  own: readonly (ObservedRequest | AuditError)[],
  read: (whole: readonly ObservedRequest[]) => ReturnType<typeof readItem>,
): JournalEntry {
  const failure = own.find((one) => one instanceof AuditError);
  if (failure) return { ...head, status: 'failed', error: failure.toJSON() };
  const whole = own as readonly ObservedRequest[];
  const [prompt = ''] = whole[0]!.asked?.texts ?? [];
  const promptSha256 = createHash('sha256').update(prompt).digest('hex');
  return { ...head, status: 'ok', result: { promptSha256, ...read(whole), ...remarksOf(whole) } };
}

async function lookOver(journal: string): Promise<{ firstFailure: string | null; alike: string[] }> {
  const alike = new Alike();
  let firstFailure: string | null = null;
  for (const entry of await readItems(journal)) {
    if (entry.status === 'failed') firstFailure ??= entry.error.message;
    if (entry.status !== 'ok') continue;
    const { answer, position } = entry.result as unknown as ItemAnswer;
    alike.add({ 'the answer': answer, 'the place of the answer in the list': position });
  }
  return { firstFailure, alike: alike.notes() };
}
