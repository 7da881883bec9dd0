/** What a folder of results holds between the stages, and what makes it whole. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AuditError } from '../../../errors.ts';

export const FILES = {
  predictions: 'predictions.csv',
  success: 'parse_success.csv',
  truth: 'ground_truth.csv',
  covariates: 'covariates.csv',
  evaluation: 'evaluation.csv',
  generations: 'generation_scores.csv',
  /** What the evaluation was made of, for the next stage and for people. */
  manifest: 'evaluation.json',
  summary: 'summary.csv',
  byGroup: 'by_group.csv',
  gaps: 'gaps.csv',
  gapDeltas: 'gap_deltas.csv',
  association: 'association.csv',
  /** How intervals, gaps and tests of the tables were made. */
  settings: 'tables.json',
} as const;

export function confusionFile(side: string): string {
  return `confusion_${side}.csv`;
}

/** Throws `output_exists` where one of the files is in the folder, unless `force` is given. */
export function checkFree(folder: string, names: readonly string[], force: boolean): void {
  if (force) return;
  const there = names.map((name) => join(folder, name)).find((path) => existsSync(path));
  if (there === undefined) return;
  const message = `${there} is already there; give another folder, or --force to replace it`;
  throw new AuditError('output_exists', message, { file: there });
}
