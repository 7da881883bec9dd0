/**
 * Public API of this folder: what models said when they played participants, against what the participants said. Results become
 * predictions, predictions an evaluation, and an evaluation tables; each stage reads what the one before left on disk.
 */
export { type Aggregated, type AggregateOptions, aggregate as aggregateEvaluation } from './aggregate.ts';
export {
  type AttributeChoice,
  type AttributeTable,
  DEFAULT_ATTRIBUTES,
  loadAttributes,
  OWN_ATTRIBUTES,
} from './attributes/index.ts';
export type { Evaluation } from './manifest.ts';
export { ALL_TIERS, type TierSuccess } from './parse-success.ts';
export {
  belowGate,
  type EvaluateStageOptions,
  evaluatePredictions,
  type Ingested,
  type IngestStageOptions,
  ingestResults,
  type PipelineOptions,
  type PipelineResult,
  runScalePipeline,
} from './stages.ts';
export type { AssociationRow, GapRow, OwnTables, SummaryRow } from './tables/index.ts';
