/** The face of this room: models, and llama.cpp's own. */
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
export { describeTemplate } from './llama/chat.ts';
export {
  type ContextShape,
  contextShape,
  describeEngine,
  type EngineDescription,
  engineSystem,
  readBuildInfo,
  readLlamaLicence,
  type SystemInfo,
} from './llama/engine.ts';
export { LocalModel } from './llama/local.ts';
export type { ModelOptions } from './llama/options.ts';
export { isQuantised } from './llama/quantised.ts';
export type { MeasureInput } from './llama/raw.ts';
export type { ObserveProgress, StreamOptions } from './llama/stream.ts';
export { isMock, openMock, SCALE_MOCK } from './mock/mock.ts';
export { isPolicy, openPolicy, POLICY_ENGINE, POLICY_NAMES, PolicyModel } from './mock/policy.ts';
export {
  type OpenedModel,
  type OpenOptions,
  openAny,
  openApiEmbedder,
  openApiModel,
  openModel,
} from './open.ts';
export type { Capabilities } from './openai/capabilities.ts';
export type { ApiEmbedder, ApiEmbedderIdentity, ApiEmbedderOptions } from './openai/embedder.ts';
export type { OpenApiOptions } from './openai/index.ts';
export type { ApiModel, EndpointDescription } from './openai/model.ts';
export { APIS, type Api, type ApiOptions, isApiModel, SAMPLINGS } from './openai/options.ts';
export { type PriceTable, priceTable } from './openai/prices.ts';
export { type Tally, type Usage, usageFromNow, usageOfBoth } from './openai/usage.ts';
export { parameterSize } from './size.ts';
export { describeThreads, type ThreadChoice } from './threads.ts';
