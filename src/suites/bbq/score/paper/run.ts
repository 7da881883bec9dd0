/** Files of BBQ rows with predictions, scored in one pass: rows are read, placed, counted and let go. */

import { checkRow, type DatasetRow, openDataset } from '../../../../dataset/index.ts';
import { AuditError } from '../../../../errors.ts';
import type { BootstrapSettings } from '../../../../numbers/index.ts';
import { reportedCategory } from './category.ts';
import { isBiased, type Mode } from './modes.ts';
import { type Policy, policyPrediction } from './policy.ts';
import { readPrediction } from './prediction.ts';
import { type BbqRow, type Option, schema } from './row.ts';
import { type CategoryScore, checkDraws, PaperScorer } from './score.ts';
import { targetOf } from './target.ts';
import { type Unresolved, UnresolvedTally } from './unresolved.ts';

/** Where the answers come from: a field of the rows, or a policy. */
export type Answers =
  | { readonly field: string; readonly policy?: never }
  | { readonly policy: Policy; readonly field?: never };

/** Which answers are scored, and how. */
export interface ScoreOptions {
  readonly answers: Answers;
  readonly mode: Mode;
  /** Its seed is the `random` policy's too. */
  readonly interval: BootstrapSettings;
  readonly signal?: AbortSignal;
}

/** A row with what was made of it. */
export interface PlacedRow {
  readonly place: Pick<DatasetRow, 'file' | 'line' | 'index'>;
  readonly row: BbqRow;
  readonly prediction: unknown;
  readonly answer: Option | null;
  readonly target: Option | null;
  /** Null where the row has no part in the scores. */
  readonly biased: boolean | null;
}

/** Scores of a benchmark by category. */
export interface ScoreResult {
  readonly mode: Mode;
  readonly categories: readonly CategoryScore[];
  /** Rows that were scored. */
  readonly rows: number;
  /** Rows that are no rows of BBQ, and the first faults. They are in no category. */
  readonly invalid: number;
  readonly faults: readonly AuditError[];
  /** What kept rows from having a target, with how many each. */
  readonly unresolved: readonly Unresolved[];
}

const SHOWN_FAULTS = 5;

/** Scores data files, several as one. Errors: those of {@link placeRows}. */
export async function scoreFiles(files: readonly string[], options: ScoreOptions): Promise<ScoreResult> {
  const placing = placeRows(files, options);
  for (;;) {
    const step = await placing.next();
    if (step.done) return step.value;
  }
}

/**
 * The rows of data files, several as one, as they are read, and the scores at the end. Errors: those of `openDataset`; `bad_argument` for an interval that there cannot be and
 * for a prediction field that no row has; `data_empty` for files without rows; the first row's own fault where no row is
 * one of BBQ; `cancelled`.
 */
export async function* placeRows(
  files: readonly string[],
  options: ScoreOptions,
): AsyncGenerator<PlacedRow, ScoreResult, undefined> {
  checkDraws(options.interval);
  const scorer = new PaperScorer(options.mode);
  const unresolved = new UnresolvedTally();
  const faults: AuditError[] = [];
  let rows = 0;
  let invalid = 0;
  let withField = false;
  let fields: readonly string[] = [];
  for await (const read of openDataset(files).rows()) {
    if (options.signal?.aborted) throw new AuditError('cancelled', 'the scoring was cancelled');
    const checked = checkRow(schema, read);
    if (!checked.ok) {
      invalid += 1;
      if (faults.length < SHOWN_FAULTS) faults.push(checked.error);
      continue;
    }
    const row = checked.value;
    const own = read.value as Readonly<Record<string, unknown>>;
    rows += 1;
    if (rows === 1) fields = Object.keys(own);
    withField ||= options.answers.field !== undefined && Object.hasOwn(own, options.answers.field);
    const prediction = predictionOf(row, own, options);
    const target = targetOf(row);
    if (target.option === null) unresolved.add(row, target.reason);
    const answered = {
      row,
      ...readPrediction(prediction, row),
      target: target.option,
    };
    scorer.add(reportedCategory(row), answered);
    const { file, line, index } = read;
    yield { place: { file, line, index }, prediction, ...answered, biased: isBiased(answered) };
  }
  if (rows === 0)
    throw faults[0] ?? new AuditError('data_empty', `${files.join(', ')}: there are no rows`, { files });
  if (options.answers.field !== undefined && !withField)
    throw fieldMissing(options.answers.field, files, fields);
  return {
    mode: options.mode,
    categories: await scorer.scores(options.interval),
    rows,
    invalid,
    faults,
    unresolved: unresolved.list(),
  };
}

function predictionOf(
  row: BbqRow,
  own: Readonly<Record<string, unknown>>,
  { answers, interval }: ScoreOptions,
): unknown {
  if (answers.policy !== undefined) return policyPrediction(row, answers.policy, interval.seed);
  return Object.hasOwn(own, answers.field) ? own[answers.field] : null;
}

function fieldMissing(field: string, files: readonly string[], fields: readonly string[]): AuditError {
  const message = `no row of ${files.join(', ')} has the field "${field}"; say which of these holds the predictions: ${fields.join(', ')}`;
  return new AuditError('bad_argument', message, { field, fields });
}
