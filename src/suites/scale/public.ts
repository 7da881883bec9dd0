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
export {
  type AdministerOptions,
  type AdministerPlan,
  type AdministerPlanOptions,
  type AdministerResult,
  administer,
  planAdminister,
  runAdministerPlan,
} from './run/administer/run.ts';
export {
  planScale,
  runScale,
  runScalePlan,
  type ScalePlan,
  type ScalePlanOptions,
  type ScaleRunOptions,
  type ScaleRunResult,
} from './run/run.ts';
export {
  aggregateEvaluation,
  evaluatePredictions,
  ingestResults,
  type PipelineOptions as ScalePipelineOptions,
  runScalePipeline,
} from './score/index.ts';
