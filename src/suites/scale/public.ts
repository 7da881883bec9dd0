/** `logit-audit/scale`: questionnaires as data, models that answer them, and what the answers say (docs/scales.md, docs/personas.md). */

export { extractOriginal } from '../../parse/index.ts';
export {
  bandOf,
  createScale,
  deleteScale,
  listScales,
  loadScale,
  predictionKeys,
  predictionSchema,
  responseValue,
  type Scale,
  type Subscale,
  subscaleScore,
  updateScale,
  validateScale,
} from './data/index.ts';
export { type AdministerOptions, type AdministerResult, administer } from './run/administer/run.ts';
export { planScale, type ScalePlan, type ScalePlanOptions } from './run/plan.ts';
export { runScale, type ScaleRunOptions, type ScaleRunResult } from './run/run.ts';
export {
  aggregateEvaluation,
  evaluatePredictions,
  ingestResults,
  type PipelineOptions as ScalePipelineOptions,
  runScalePipeline,
} from './score/index.ts';
