/** The public API of logit-audit: models, lexicons, runs. Numbers on logits of your own: `logit-audit/metrics`. */
export { AuditError, type ErrorCode, type ErrorData } from './errors.ts';
export { type AdapterSummary, type GgufSummary, summarizeAdapter, summarizeGguf } from './gguf/index.ts';
export {
  type Lexicon,
  type LexiconMapping,
  loadLexicon,
  type MultiTokenPolicy,
  mapLexicon,
  shippedLexicons,
} from './lexicon/index.ts';
export {
  type AdapterInfo,
  type Backend,
  type ChatTemplateInfo,
  describeEngine,
  type EngineOptions,
  LocalModel,
  type LoraAdapter,
  type MeasureInput,
  type ModelInfo,
  type ModelOptions,
  type ObserveProgress,
  openModel,
  type StreamOptions,
} from './model/index.ts';
export type {
  AskedTexts,
  Decoding,
  EmbeddingColumns,
  EmbedRequest,
  FinishReason,
  GenerateRequest,
  GenerationColumns,
  JointTokens,
  Measure,
  Observations,
  ObserveRequest,
  PairColumns,
  PairRequest,
  ProbeRequest,
  RowColumns,
  ScoreColumns,
  ScoreRequest,
  TargetColumns,
  TokenizeOptions,
  Tokenizer,
} from './observation.ts';
export {
  assertNotThinking,
  type ChatMessage,
  type ChatOptions,
  type ChatPrompt,
  ChatTemplate,
  type Prompt,
  type RenderedChat,
  renderChat,
} from './prompt/index.ts';
export { type Progress, type RunOptions, type RunResult, runSuite, type SliceSummary } from './run/index.ts';
export { suiteNames } from './suite/index.ts';
