/**
 * Several suites on one model, as one audit: every part is looked at before the first is run, each gets a folder of its
 * own, and their headline metrics stand in one table. A part that fails is reported in the table; the others are run.
 */

import { AuditError, toAuditError } from '../../errors.ts';
import { writeAtomic } from '../../files/atomic.ts';
import { writeJson } from '../../report/index.ts';
import { clearLeftovers, createPanelFolder, lockFolder, type PanelFolder } from '../folder.ts';
import { describeModel, type Manifest, packageVersion } from '../manifest.ts';
import type { Progress } from '../pipeline.ts';
import { type PreparedRun, prepareRun } from '../prepare.ts';
import { checkResumed, executeRun } from '../run.ts';
import { panelMarkdown } from './markdown.ts';
import type { PanelOutcome, PartStatus } from './plan.ts';
import { named, type PanelModel, type PanelOptions, type PanelPlan, planPanel } from './plan.ts';
import { type PanelRow, panelRows, writeSummaryCsv } from './summary.ts';

/** What a panel wrote, and how each part ended. */
export interface PanelResult {
  readonly folder: PanelFolder;
  readonly outcomes: readonly PanelOutcome[];
  /** Every metric of every part over all its rows. */
  readonly rows: readonly PanelRow[];
}

interface NamedRun {
  readonly name: string;
  readonly prepared: PreparedRun;
}

async function runPart({ name, prepared }: NamedRun): Promise<PanelOutcome> {
  const head = { name, suite: prepared.plan.suite };
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
    return { name, suite: prepared.plan.suite.name, folder: name, status, error };
  });
}

function notStarted({ name, prepared }: NamedRun): PanelOutcome {
  return { name, suite: prepared.plan.suite, status: 'not started', run: null, error: null };
}

function cancelled({ path }: PanelFolder, outcomes: readonly PanelOutcome[]): AuditError {
  const done = outcomes.filter(({ status }) => status === 'complete').length;
  const message = `the panel was cancelled; ${done} of its ${outcomes.length} parts are done, in ${path}`;
  return new AuditError('cancelled', message, { folder: path, done, parts: outcomes.length });
}

/**
 * Runs a panel. Throws before anything is written what planRun and prepareRun throw for any of its parts, and `bad_argument` for two
 * of one name. Throws `cancelled` once the part under way has stopped: parts that were done by then stand, and so do the
 * tables, which say what is missing.
 */
export async function runPanel(options: PanelOptions): Promise<PanelResult> {
  return runPanelPlan(await planPanel(options), options);
}

/** Runs what was planned on a model. Throws as {@link runPanel} does, less what planning throws. */
export async function runPanelPlan(plan: PanelPlan, model: PanelModel): Promise<PanelResult> {
  const runs = await prepareParts(plan, model);
  const head = {
    createdAt: new Date().toISOString(),
    version: packageVersion(),
    model: await describeModel(model.backend),
  };
  // Before the first part is resumed: a panel of two models would be none.
  for (const { prepared } of runs) await checkResumed(prepared);
  const folder = createPanelFolder(plan.out, plan.resume);
  const unlock = lockFolder(folder.path);
  try {
    if (plan.resume) clearLeftovers(folder.path);
    return await runParts(model, runs, folder, head);
  } finally {
    unlock();
  }
}

/** Throws the first fault of any part, named by the part. */
async function prepareParts(
  { parts }: PanelPlan,
  { onProgress, onPart: _, ...model }: PanelModel,
): Promise<NamedRun[]> {
  const runs: NamedRun[] = [];
  for (const { name, plan } of parts) {
    const own = onProgress
      ? { ...model, onProgress: (progress: Progress) => onProgress(name, progress) }
      : model;
    runs.push({ name, prepared: await named(name, () => prepareRun(plan, own)) });
  }
  return runs;
}

async function runParts(
  { signal, onPart }: PanelModel,
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
    if (signal?.aborted) break;
    await write(true);
    const outcome = await runPart(run);
    outcomes.push(outcome);
    await onPart?.(outcome);
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
