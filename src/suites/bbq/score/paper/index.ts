/** BBQ's own scores, from rows with predictions: public API of this folder. */
export { reportedCategory } from './category.ts';
export { scoreJson, writeScores } from './files.ts';
export { type Answered, METRICS, type Metric, MODES, type Mode } from './modes.ts';
export { POLICIES, type Policy, policyPrediction } from './policy.ts';
export { readPrediction } from './prediction.ts';
export { scoreResultFiles } from './result-files.ts';
export { type Option, schema as bbqRowSchema } from './row.ts';
export { type Answers, type ScoreOptions, type ScoreResult, scoreFiles } from './run.ts';
export type { CategoryScore } from './score.ts';
export { SplitScorer, type SplitScores, writeSplitScores } from './splits.ts';
export { targetOf } from './target.ts';
