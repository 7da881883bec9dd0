/**
 * Public API of this folder: what models said when they played participants, against what the participants said. Results become
 * predictions, predictions an evaluation, and an evaluation tables; each stage reads what the one before left on disk.
 */
export { aggregate as aggregateEvaluation } from './aggregate.ts';
export { DEFAULT_ATTRIBUTES, loadAttributes } from './attributes/index.ts';
export type { Evaluation } from './manifest.ts';
export { ALL_TIERS } from './parse-success.ts';
export {
  belowGate,
  evaluatePredictions,
  type Ingested,
  ingestResults,
  type PipelineOptions,
  type PipelineResult,
  runScalePipeline,
} from './stages.ts';
export type { AssociationRow, GapRow, OwnTables, SummaryRow } from './tables/index.ts';
