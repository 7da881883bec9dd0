/** Public API of this folder: models, and what their providers have of their own. */
export type { EngineOptions, LoraAdapter, MetricsImpl } from '../native/engine.ts';
export { WINDOWS_AT_ONCE } from './ahead.ts';
export {
  type AdapterInfo,
  type Backend,
  type ChatDescription,
  type ChatTemplateInfo,
  type ModelInfo,
  type ObserveOptions,
  readsChats,
} from './backend.ts';
export type { EndpointDescription, EngineDescription } from './description.ts';
export { describeTemplate } from './llama/chat.ts';
export {
  type ContextShape,
  contextShape,
  describeEngine,
  engineSystem,
  readBuildInfo,
  readLlamaLicence,
  type SystemInfo,
} from './llama/engine.ts';
export { LocalModel } from './llama/local.ts';
export { openModel } from './llama/open.ts';
export type { ModelOptions } from './llama/options.ts';
export { isQuantised } from './llama/quantised.ts';
export type { MeasureInput } from './llama/raw.ts';
export type { ObserveProgress, StreamOptions } from './llama/stream.ts';
export { isMock, openMock, SCALE_MOCK } from './mock/mock.ts';
export { openPolicy, POLICY_ENGINE, POLICY_NAMES, PolicyModel } from './mock/policy.ts';
export type { Capabilities } from './openai/capabilities.ts';
export type { ApiEmbedder, ApiEmbedderIdentity, ApiEmbedderOptions } from './openai/embedder.ts';
export type { OpenApiOptions } from './openai/index.ts';
export type { ApiModel } from './openai/model.ts';
export { openApiEmbedder, openApiModel } from './openai/open.ts';
export { APIS, type Api, type ApiOptions, SAMPLINGS } from './openai/options.ts';
export { type PriceTable, priceTable } from './openai/prices.ts';
export type { OpenedModel } from './provider.ts';
export { type OpenOptions, openAny, optionsOf } from './providers.ts';
export { parameterSize } from './size.ts';
export { describeThreads, type ThreadChoice } from './threads.ts';
export { type Tally, type Usage, usageFromNow, usageOfBoth } from './usage.ts';
