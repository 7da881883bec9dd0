/** A panel before its first row: everything that can be wrong with any part is looked at, and nothing is written. */
import path from 'node:path';
import type { Suite } from '../../contract/index.ts';
import { AuditError, toAuditError } from '../../errors.ts';
import { checkFolderIsFree } from '../folder.ts';
import type { Progress } from '../pipeline.ts';
import { checkUsable, type PlanOptions, planRuns, type RunPlan } from '../plan.ts';
import type { RunModel } from '../prepare.ts';
import type { RunResult } from '../run.ts';
import { checkPartNames } from './names.ts';

/** How a part ended; `not started` where the panel was cancelled before it. */
export type PartStatus = 'complete' | 'failed' | 'cancelled' | 'not started';

/** A part that was run, or why it was not. */
export interface PanelOutcome {
  readonly name: string;
  readonly suite: Suite;
  readonly status: PartStatus;
  /** There where the status is `complete`. */
  readonly run: RunResult | null;
  /** There where it is `failed` or `cancelled`. */
  readonly error: AuditError | null;
}

/** What the parts of a panel have in common. */
type Shared = Pick<PlanOptions, 'strict' | 'interval' | 'cluster' | 'resume'>;

/** One suite on its data. */
export interface PanelPart extends Omit<PlanOptions, keyof Shared | 'out'> {
  /** Name of its folder and in the table, such as `ctf-aligned`; default: the suite's. */
  readonly name?: string;
}

export interface PanelPlanOptions extends Shared {
  readonly parts: readonly PanelPart[];
  /** Folder for the panel: new or empty, or that of one to resume. */
  readonly out: string;
}

/** What a panel is run on. */
export interface PanelModel extends Omit<RunModel, 'onProgress'> {
  readonly onProgress?: (part: string, progress: Progress) => void;
  /** Called with each part once it has ended, before the next begins. */
  readonly onPart?: (outcome: PanelOutcome) => Promise<void>;
}

/** A panel and the model that it is run on. */
export interface PanelOptions extends PanelPlanOptions, PanelModel {}

/** A panel before its model is there. */
export interface PanelPlan {
  readonly out: string;
  readonly resume: boolean;
  readonly parts: readonly { readonly name: string; readonly plan: RunPlan }[];
}

/** A part's own faults, under its name. */
export async function named<T>(name: string, action: () => T | Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (thrown) {
    const { code, message, data } = toAuditError(thrown);
    throw new AuditError(code, `${name}: ${message}`, data, { cause: thrown });
  }
}

/** Plans a panel, without its model. Throws the first fault of any part, named by the part. */
export async function planPanel({
  parts,
  out,
  resume = false,
  ...shared
}: PanelPlanOptions): Promise<PanelPlan> {
  if (parts.length === 0) {
    throw new AuditError('bad_argument', 'the panel has no part; give data for at least one suite');
  }
  checkFolderIsFree(out, resume ? 'panel' : null);
  const names = parts.map(({ name, suite }) => name ?? suite.name);
  checkPartNames(names);
  const all = parts.map(({ name: _, ...part }, index) => ({
    ...shared,
    ...part,
    resume,
    out: path.join(out, names[index]!),
  }));
  const plans = await planRuns(all, (index, action) => named(names[index]!, action));
  return { out, resume, parts: plans.map((plan, index) => ({ name: names[index]!, plan })) };
}

/** Throws where no row of a part can be used, named by the part. */
export async function checkPanelUsable({ parts }: PanelPlan): Promise<void> {
  for (const { name, plan } of parts) await named(name, () => checkUsable(plan));
}
