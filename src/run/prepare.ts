/** A planned run and its model: what can be wrong between the two is looked at, and nothing is written. */

import type { SuiteContext } from '../contract/index.ts';
import { AuditError } from '../errors.ts';
import type { Backend, EngineDescription } from '../model/index.ts';
import { checkIntervals, DEFAULT_SEED, type IntervalOptions } from './accumulate/index.ts';
import { type ContextDescription, suiteContext } from './context.ts';
import type { Progress } from './pipeline.ts';
import { type PlanOptions, plannedRows, type RunPlan } from './plan.ts';
import { readRow } from './read-row.ts';

/** What a plan is run on. */
export interface RunModel {
  readonly backend: Backend;
  /** What the manifest keeps of the engine: its options and what it runs on. */
  readonly engine: EngineDescription;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** A run and the model that it is run on. */
export interface RunOptions extends PlanOptions, RunModel {}

export interface PreparedRun {
  readonly plan: RunPlan;
  readonly model: RunModel;
  readonly context: SuiteContext;
  readonly description: ContextDescription;
  readonly interval: IntervalOptions;
}

/**
 * Throws `bad_argument`, `lexicon_unmapped`, and `not_supported` where the model cannot be asked what the suite asks.
 */
export async function prepareRun(plan: RunPlan, model: RunModel): Promise<PreparedRun> {
  const { suite } = plan;
  const { context, description } = await suiteContext(plan, model.backend);
  suite.check?.(context);
  const ci = plan.compat === 'reference' ? 'normal' : 'cluster';
  const interval: IntervalOptions = { ci, level: 0.95, seed: DEFAULT_SEED, ...plan.interval };
  checkIntervals(interval, suite.metrics(context));
  await checkAsking(model, plan, context);
  return { plan, model, context, description, interval };
}

/**
 * Whether the model can be asked what the suite asks, by its first row that asks anything. What later rows ask besides is
 * a fault of their own.
 */
async function checkAsking(
  { backend, signal }: RunModel,
  plan: RunPlan,
  context: SuiteContext,
): Promise<void> {
  if (!backend.refusal) return;
  const { suite } = plan;
  for await (const row of plannedRows(plan)) {
    const checked = readRow(suite, row, context.options);
    if (!checked.ok) continue;
    const asking = suite.plan(checked.value, context, { file: row.file, index: row.index });
    if (asking.kind !== 'ask' || asking.requests.length === 0) continue;
    await backend.prepare?.(asking.requests, signal ? { signal } : {});
    for (const request of asking.requests) {
      const refusal = backend.refusal(request);
      if (!refusal) continue;
      const { code, message, data } = refusal;
      throw new AuditError(code, `${suite.name}: ${message}`, { ...data, suite: suite.name });
    }
    return;
  }
}
