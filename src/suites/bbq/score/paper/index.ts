/** BBQ's own scores, from rows with predictions: public API of this folder. */
export { reportedCategory } from './category.ts';
export { SCORE_COLUMNS, scoreCells, scoreJson, writeScores } from './files.ts';
export { type Answered, isBiased, METRICS, type Metric, MODES, type Mode } from './modes.ts';
export { POLICIES, type Policy, policyPrediction } from './policy.ts';
export { readPrediction } from './prediction.ts';
export { type ResultScores, scoreResultFiles } from './result-files.ts';
export { type BbqRow, type Option, schema as bbqRowSchema } from './row.ts';
export { type Answers, type PlacedRow, type ScoreOptions, type ScoreResult, scoreFiles } from './run.ts';
export { type CategoryScore, PaperScorer } from './score.ts';
export { SplitScorer, type SplitScores, writeSplitScores } from './splits.ts';
export { type Target, targetOf } from './target.ts';
export type { Unresolved } from './unresolved.ts';
