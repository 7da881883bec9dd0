/**
 * The first half of a run: rows of data through the suite and the model into the journal, a window at a time. While
 * one window is decoded the next ones are read and made ready, so memory holds a few windows, whatever the size of the data.
 */
import type {
  Fields,
  JournalEntry,
  ObservedRequest,
  Plan,
  RowIdentity,
  Suite,
  SuiteContext,
  WindowSizes,
} from '../contract/index.ts';
import type { DatasetRow } from '../dataset/index.ts';
import { AuditError } from '../errors.ts';
import { sendAhead } from '../model/ahead.ts';
import type { Backend } from '../model/backend.ts';
import { remarksOf } from '../observation/by-request.ts';
import type { Measure, ObserveRequest } from '../observation/observation.ts';
import { type ChosenClusters, identityWith } from './chosen-clusters.ts';
import type { PromptsHash } from './hash.ts';
import type { JournalWriter } from './journal.ts';
import { Pieces } from './pieces.ts';
import { readRow } from './read-row.ts';
import { type Asker, observeRounds, type Rounds } from './rounds.ts';
import { rowWindows } from './windows.ts';

/** How far a run is: what the pipeline tells, and whoever shows it (a terminal, a service) reads. */
export interface Progress {
  readonly rows: number;
  /** Rows that an earlier process had done: rates are about the others. */
  readonly resumedFrom: number;
  /** Rows that there are to do. */
  readonly totalRows: number;
  readonly failed: number;
  readonly skipped: number;
  /** Tokens decoded so far. */
  readonly tokens: number;
  /** CPU threads that decode, where the model is on this machine. */
  readonly threads?: number;
}

const WINDOWS: WindowSizes = { first: 8, most: 128 };

/** Of a suite that looks at no distribution. */
const NO_MEASURE: Measure = { groups: [], topK: 0, pairTopK: [] };

export interface PipelineInput {
  readonly suite: Suite;
  readonly context: SuiteContext;
  /** Columns of clusters; null: those of the suite. */
  readonly cluster: ChosenClusters | null;
  readonly backend: Backend;
  readonly rows: AsyncIterable<DatasetRow>;
  /** Its answer is in the journal. */
  isDone(row: DatasetRow, at: number): boolean;
  /** By id the results of rows that are done, of a suite with rounds. */
  readonly earlier: Map<string, Fields>;
  readonly totalRows: number;
  readonly journal: JournalWriter;
  /** What an earlier process has done of the run. */
  readonly done: PipelineDone;
  /**
   * Rows are the same alone and in company, or in no order: windows then grow anew with each process, which so keeps something in a
   * short time.
   */
  readonly alone: boolean;
  /** Called after each window, once its rows are in the journal, with what is done in all. */
  readonly onWindow: (done: Pick<PipelineDone, 'rows' | 'failed'>) => Promise<void>;
  /** Told of every row that was measured, with what was asked for it and what came. */
  readonly onRow?: (
    row: number,
    requests: readonly ObserveRequest[],
    answers: readonly ObservedRequest[],
  ) => void;
  /** Takes what was asked, in order. */
  readonly prompts: PromptsHash;
  /** The first failed row ends the run with its error. */
  readonly strict: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** What is done of a run, and what was wrong with the first row that failed. */
export interface PipelineDone {
  readonly rows: number;
  readonly failed: number;
  readonly skipped: number;
  readonly firstFailure: string | null;
}

export const NOTHING_DONE: PipelineDone = { rows: 0, failed: 0, skipped: 0, firstFailure: null };

/** A row on its way: settled already (failed, skipped), or waiting for its requests to be observed. */
type Draft =
  | { readonly settled: JournalEntry }
  | {
      readonly head: EntryHead;
      /** The row as the suite's schema read it. */
      readonly value: unknown;
      readonly plan: Extract<Plan, { kind: 'ask' }>;
      /** Index of its first request within the window. */
      readonly firstRequest: number;
    };

interface Window {
  readonly drafts: Draft[];
  readonly requests: ObserveRequest[];
}

/** Who the row is, as the journal keeps it. */
type EntryHead = Pick<JournalEntry, 'row' | 'id' | 'slices' | 'clusters'>;

function headOf(row: number, { id, slices, clusters }: RowIdentity): EntryHead {
  return { row, id, slices, ...(clusters ? { clusters } : {}) };
}

function failedEntry(head: EntryHead, error: AuditError): JournalEntry {
  return { ...head, status: 'failed', error: error.toJSON() };
}

function draftRow(
  row: DatasetRow,
  window: Window,
  { suite, context, cluster, earlier }: PipelineInput,
): Draft {
  const checked = readRow(suite, row, context.options);
  if (!checked.ok) {
    const id = checked.error.data.id;
    const head = { row: row.index, id: id == null ? null : String(id), slices: {} };
    return { settled: failedEntry(head, checked.error) };
  }
  const place = { file: row.file, index: row.index };
  const head = headOf(row.index, identityWith(suite.identify(checked.value, place), row, cluster));
  const plan = suite.plan(checked.value, context, place, earlier);
  if (plan.kind === 'skip') {
    const { reason, message } = plan;
    return { settled: { ...head, status: 'skipped', reason, message } };
  }
  if (plan.kind === 'fail') {
    return { settled: failedEntry(head, plan.error) };
  }
  const firstRequest = window.requests.length;
  window.requests.push(...plan.requests);
  return { head, value: checked.value, plan, firstRequest };
}

function draftWindow(rows: readonly DatasetRow[], input: PipelineInput): Window {
  const window: Window = { drafts: [], requests: [] };
  for (const row of rows) {
    const draft = draftRow(row, window, input);
    if (input.strict && 'settled' in draft && draft.settled.status === 'failed') {
      const { code, message, data } = draft.settled.error;
      throw new AuditError(code, message, data);
    }
    window.drafts.push(draft);
  }
  return window;
}

function roundOf(row: DatasetRow, { suite, context }: PipelineInput): number {
  if (!suite.round) return 0;
  const checked = readRow(suite, row, context.options);
  return checked.ok ? suite.round(checked.value, context) : 0;
}

/** Holds a round back until all windows of the one before it are through. */
class Barrier {
  #round: number | null = null;
  #open = 0;
  #broken = false;
  #release = () => {};

  /** A window of a round; false where none is wanted any more. */
  async enter(round: number): Promise<boolean> {
    if (round !== this.#round && this.#open > 0 && !this.#broken) {
      await new Promise<void>((resolve) => {
        this.#release = resolve;
      });
    }
    this.#round = round;
    this.#open += 1;
    return !this.#broken;
  }

  leave(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#release();
  }

  /** A window that failed lets nobody through, and nobody wait. */
  watch<T>(window: Promise<T>): Promise<T> {
    return window.catch((fault) => {
      this.break();
      throw fault;
    });
  }

  break(): void {
    this.#broken = true;
    this.#release();
  }
}

/** The rows of a window that wait for answers, in order. */
function askersOf({ drafts }: Window, { suite, context }: PipelineInput): Asker[] {
  return drafts.flatMap((draft): Asker[] => {
    if ('settled' in draft) return [];
    const { firstRequest, plan, value } = draft;
    const more: Asker['more'] = (answers) => suite.followUp?.(answers, context, value, plan.note) ?? [];
    return [{ firstRequest, requests: plan.requests.length, more }];
  });
}

/** `own` are the answers to the draft's requests. */
function settle(
  draft: Draft,
  own: readonly (ObservedRequest | AuditError)[],
  input: PipelineInput,
): JournalEntry {
  if ('settled' in draft) return draft.settled;
  const { head, value, plan } = draft;
  const answers: ObservedRequest[] = [];
  for (const answer of own) {
    if (answer instanceof AuditError) {
      if (input.strict)
        throw new AuditError(
          answer.code,
          `row ${head.row + 1} (id ${JSON.stringify(head.id)}): ${answer.message}`,
          answer.data,
        );
      return failedEntry(head, answer);
    }
    answers.push(answer);
  }
  input.onRow?.(head.row, plan.requests, answers);
  const result = {
    ...plan.note,
    ...input.suite.score(answers, input.context, value, plan.note),
    ...remarksOf(answers),
  };
  return { ...head, status: 'ok', result };
}

/**
 * Runs every row that is not done and returns how many there were of each kind. What was finished when it throws is in the journal.
 * Throws what the backend throws, `cancelled` included, and in strict mode the first failed row's error.
 */
export async function runPipeline(input: PipelineInput): Promise<PipelineDone> {
  const { backend, suite, context, journal, prompts, totalRows, onProgress, onWindow } = input;
  const stop = new AbortController();
  const signal = input.signal ? AbortSignal.any([input.signal, stop.signal]) : stop.signal;
  const measure = suite.measure?.(context) ?? NO_MEASURE;
  const pieces = suite.wantsPieces?.(context) ? new Pieces(backend.tokenizer) : null;
  const barrier = new Barrier();
  const observe = (window: Window): Promise<Rounds> =>
    barrier.watch(
      observeRounds(window.requests, askersOf(window, input), (requests) =>
        backend.observeWindow(requests, measure, { signal }),
      ),
    );
  let { firstFailure } = input.done;
  const { rows: done, failed, skipped } = input.done;
  const progress = { rows: done, totalRows, failed, skipped, tokens: 0, resumedFrom: done };
  const report = () => {
    const threads = backend.threads?.[0]?.threads;
    onProgress?.({ ...progress, ...(threads === undefined ? {} : { threads }) });
  };
  // At once: the first window may take long.
  report();
  const cut = rowWindows(input.rows, {
    sizes: suite.windows ?? WINDOWS,
    isDone: input.isDone,
    roundOf: (row) => roundOf(row, input),
    anew: input.alone,
  });
  const next = async () => {
    const { done: ended, value } = await cut.next();
    if (ended || !(await barrier.enter(value.round))) return null;
    return draftWindow(value.rows, input);
  };
  const windows = sendAhead(next, observe, backend.windowsAtOnce);
  try {
    for (;;) {
      const { done: ended, value } = await windows.next();
      if (ended)
        return { rows: progress.rows, failed: progress.failed, skipped: progress.skipped, firstFailure };
      const [window, observed] = value;
      const read = observed.answers.flat();
      // One question to the tokenizer for all rows.
      const answers = pieces ? await pieces.addTo(read) : read;
      const waiting = observed.answers.values();
      let taken = 0;
      const entries = window.drafts.map((draft) => {
        const count = 'settled' in draft ? 0 : waiting.next().value!.length;
        taken += count;
        return settle(draft, answers.slice(taken - count, taken), input);
      });
      prompts.add(observed.asked);
      await journal.append(entries);
      if (suite.round) {
        for (const entry of entries) if (entry.status === 'ok') input.earlier.set(entry.id!, entry.result);
      }
      barrier.leave();
      firstFailure ??= entries.find((entry) => entry.status === 'failed')?.error.message ?? null;
      progress.rows += entries.length;
      progress.failed += entries.filter(({ status }) => status === 'failed').length;
      progress.skipped += entries.filter(({ status }) => status === 'skipped').length;
      progress.tokens += observed.decodedTokens;
      await onWindow(progress);
      report();
    }
  } finally {
    // After a fault nothing that is on its way is wanted.
    stop.abort();
    barrier.break();
    await windows.return();
    await cut.return();
  }
}
