/** Runs in the mode `exact` on one thread, in this process, and what they wrote. */
import { readFileSync } from 'node:fs';
import type { MetricFigures } from '../../src/contract/index.ts';
import type { RunOptions, RunResult } from '../../src/run/index.ts';
import { runOn } from './suite-run.ts';

export type ResultRow = Record<string, unknown> & {
  readonly row: number;
  readonly id: string | null;
  readonly status: string;
};

export interface ExactRun extends Omit<RunOptions, 'backend' | 'engine'> {
  readonly model: string;
}

export async function exactRun({ model, ...options }: ExactRun): Promise<RunResult> {
  const { result } = await runOn(model, options, { mode: 'exact', threads: 1, inProcess: true });
  return result;
}

/** The journal. */
export function rowsIn(path: string): ResultRow[] {
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** The metrics over all rows, or over those of a slice. */
export function figures(
  { summaries }: RunResult,
  slice: string | null = null,
  value: string | null = null,
): Map<string, MetricFigures> {
  const summary = summaries.find((own) => own.slice === slice && own.value === value);
  if (!summary) throw new Error(`no slice ${slice} = ${value}`);
  return new Map(summary.metrics.map((metric) => [metric.name, metric.value]));
}
