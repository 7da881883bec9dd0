/**
 * The public API of logit-audit: models, lexicons, suites and their runs, comparisons, and the readers of answers
 * (docs/library.md). Numbers on logits of your own are in `logit-audit/metrics`; the systems with data of their own in
 * `logit-audit/bbq`, `logit-audit/rules` and `logit-audit/scale`.
 */

export type { OccupationStatistic, Suite } from './contract/index.ts';
export { AuditError, type ErrorCode } from './errors.ts';
export { type GgufSummary, summarizeGguf } from './gguf/index.ts';
export {
  checkRoundTrip,
  createLexicon,
  deleteLexicon,
  type Lexicon,
  type LexiconMapping,
  listLexicons,
  loadLexicon,
  mapLexicon,
  mappingFromIds,
  readTokenGroups,
  type SwapOptions,
  type SwapResult,
  swapText,
  updateLexicon,
  validateLexicon,
} from './lexicon/index.ts';
export {
  type ApiOptions,
  type Backend,
  describeEngine,
  type EngineOptions,
  type ModelInfo,
  type ModelOptions,
  type OpenedModel,
  openAny,
  openApiModel,
  openModel,
  openPolicy,
  POLICY_ENGINE,
} from './model/index.ts';
export type { Measure, Observations, ObserveRequest } from './observation/observation.ts';
export {
  extractJson,
  type LetterReading,
  parseLetter,
  parseObject,
  readFields,
  readSchema,
} from './parse/index.ts';
export { type ChatMessage, type Prompt, renderContained as renderChat } from './prompt/index.ts';
export {
  type CompareResult,
  type CompareRunsOptions,
  compareAll,
  compareRuns,
  openRun,
  type PanelOptions,
  type PanelPlan,
  type PanelResult,
  type PlanOptions,
  type Progress,
  planPanel,
  planRun,
  type RunModel,
  type RunOptions,
  type RunPlan,
  type RunResult,
  readOccupations,
  readPanelFile,
  runPanel,
  runPanelPlan,
  runPlan,
  runSuite,
  type StoredRun,
} from './run/index.ts';
export { findSuite, suiteNames } from './suites/registry.ts';
