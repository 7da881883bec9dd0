/** Public API of this folder: result files of MultiBBQ's kind scored without a model, and the tables made of them. */
export type { Aggregated, AggregateOptions } from './aggregate.ts';
export { originalBlock, valuesBlock } from './block.ts';
export { FIELDS, type JudgedRow, type MetricField, scoreChoices } from './fields.ts';
export {
  aggregateResults,
  combineResults,
  type PipelineOptions,
  runPipeline,
  type Scored,
  type StageOptions,
  scoreResults,
} from './pipeline.ts';
export type { Setting } from './result-name.ts';
export type { ScoredFile } from './score-file.ts';
export { COMPATIBLE, type Compatibility, type Scoring, type ScoringOptions } from './scoring.ts';
export type { GroupScores, Measured } from './tally.ts';
export type { TidyRow } from './tidy.ts';
export type { Unparsed } from './unparsed.ts';
