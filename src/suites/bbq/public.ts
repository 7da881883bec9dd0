/** `logit-audit/bbq`: experiments over BBQ and MultiBBQ as data, their runs, and the scores of answers (docs/bbq.md). */

export {
  createExperiment,
  deleteExperiment,
  type Experiment,
  listExperiments,
  resolveExperiment,
  resultToken,
  updateExperiment,
  validateExperiments,
} from './experiment/index.ts';
export {
  type BbqModel,
  type BbqPlan,
  type BbqPlanOptions,
  type BbqRunResult,
  planBbq,
  runBbq,
  runBbqPlan,
} from './run/run.ts';
export {
  aggregateResults,
  combineResults,
  type PipelineOptions,
  runPipeline,
  type ScoringOptions,
  scoreResults,
} from './score/index.ts';
export {
  type ScoreOptions as BbqScoreOptions,
  type ScoreResult as BbqScores,
  scoreFiles as scoreBbqFiles,
} from './score/paper/index.ts';
