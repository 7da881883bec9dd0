/**
 * Several suites on one model, as one audit: every part is looked at before the first is run, each gets a folder of its
 * own, and their headline metrics stand in one table. A part that fails is told in the table; the others go on.
 */

import { AuditError, toAuditError } from '../../errors.ts';
import { writeAtomic } from '../../files/atomic.ts';
import { writeJson } from '../../report/index.ts';
import { clearLeftovers, createPanelFolder, type PanelFolder } from '../folder.ts';
import { lockFolder } from '../lock.ts';
import { describeModel, type Manifest, packageVersion } from '../manifest.ts';
import { checkResumed, executeRun } from '../run.ts';
import { panelMarkdown } from './markdown.ts';
import type { PanelOutcome, PartStatus } from './outcome.ts';
import { type NamedRun, type PanelOptions, prepareParts } from './prepare.ts';
import { type PanelRow, panelRows, writeSummaryCsv } from './summary.ts';

export interface PanelResult {
  readonly folder: PanelFolder;
  readonly outcomes: readonly PanelOutcome[];
  /** Every metric of every part over all its rows. */
  readonly rows: readonly PanelRow[];
}

async function runPart({ name, prepared }: NamedRun): Promise<PanelOutcome> {
  const head = { name, suite: prepared.suite };
  try {
    return { ...head, status: 'complete', run: await executeRun(prepared), error: null };
  } catch (thrown) {
    const error = toAuditError(thrown);
    // Every later part would meet the same disk.
    if (error.kind === 'storage') throw error;
    return { ...head, status: error.code === 'cancelled' ? 'cancelled' : 'failed', run: null, error };
  }
}

/** panel.json: which runs there are, in order, how each stands, and what they run on. */
export interface PanelFile {
  readonly createdAt: string;
  readonly version: string;
  readonly model: Manifest['model'];
  readonly parts: readonly {
    readonly name: string;
    readonly suite: string;
    readonly folder: string;
    readonly status: PartStatus | 'running';
    readonly error: { readonly code: string; readonly message: string } | null;
  }[];
}

/** The parts that are done, the one that is under way if any is, and those to come. */
function partsOf(
  runs: readonly NamedRun[],
  outcomes: readonly PanelOutcome[],
  running: boolean,
): PanelFile['parts'] {
  return runs.map(({ name, prepared }, part) => {
    const outcome = outcomes[part];
    const status = outcome?.status ?? (running && part === outcomes.length ? 'running' : 'not started');
    const error = outcome?.error ? { code: outcome.error.code, message: outcome.error.message } : null;
    return { name, suite: prepared.suite.name, folder: name, status, error };
  });
}

function notStarted({ name, prepared }: NamedRun): PanelOutcome {
  return { name, suite: prepared.suite, status: 'not started', run: null, error: null };
}

function cancelled({ path }: PanelFolder, outcomes: readonly PanelOutcome[]): AuditError {
  const done = outcomes.filter(({ status }) => status === 'complete').length;
  const message = `the panel was cancelled; ${done} of its ${outcomes.length} parts are done, in ${path}`;
  return new AuditError('cancelled', message, { folder: path, done, parts: outcomes.length });
}

/**
 * Runs a panel. Throws before anything is written what prepareRun throws for any of its parts, and `bad_argument` for two
 * of one name. Throws `cancelled` once the part under way has stopped: parts that were done by then stand, and so do the
 * tables, which say what is missing.
 */
export async function runPanel(options: PanelOptions): Promise<PanelResult> {
  const runs = await prepareParts(options);
  const head = {
    createdAt: new Date().toISOString(),
    version: packageVersion(),
    model: await describeModel(options.backend),
  };
  // Before the first part goes on: a panel of two models would be none.
  for (const { prepared } of runs) await checkResumed(prepared);
  const folder = createPanelFolder(options.out, options.resume);
  const unlock = lockFolder(folder.path);
  try {
    if (options.resume) clearLeftovers(folder.path);
    return await runParts(options, runs, folder, head);
  } finally {
    unlock();
  }
}

async function runParts(
  options: PanelOptions,
  runs: readonly NamedRun[],
  folder: PanelFolder,
  head: Omit<PanelFile, 'parts'>,
): Promise<PanelResult> {
  const outcomes: PanelOutcome[] = [];
  // Whenever the process ends, the file says how far it came.
  const write = (running: boolean) =>
    writeJson(folder.panel, {
      ...head,
      parts: partsOf(runs, outcomes, running),
    } satisfies PanelFile);
  for (const run of runs) {
    if (options.signal?.aborted) break;
    await write(true);
    const outcome = await runPart(run);
    outcomes.push(outcome);
    await options.onPart?.(outcome);
    if (outcome.status === 'cancelled') break;
  }
  await write(false);
  const all = [...outcomes, ...runs.slice(outcomes.length).map(notStarted)];
  const rows = panelRows(all);
  await writeSummaryCsv(folder.summaryCsv, rows);
  await writeAtomic(folder.summaryMd, [panelMarkdown(head.model, all, rows)]);
  if (all.some(({ status }) => status === 'cancelled' || status === 'not started')) {
    throw cancelled(folder, all);
  }
  return { folder, outcomes: all, rows };
}
