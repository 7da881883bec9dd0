/** The face of this room: models, and llama.cpp's own. */
export type { EngineOptions, LoraAdapter } from '../native/engine.ts';
export type { AdapterInfo, Backend, ChatTemplateInfo, ModelInfo, ObserveOptions } from './backend.ts';
export {
  type ContextShape,
  contextShape,
  describeEngine,
  type EngineDescription,
  engineSystem,
  readBuildInfo,
  readLlamaLicence,
  type SystemInfo,
} from './engine.ts';
export { LocalModel } from './local.ts';
export { openModel } from './open.ts';
export type { ModelOptions } from './options.ts';
export { isPolicy, openPolicy, POLICY_ENGINE, POLICY_NAMES, PolicyModel } from './policy.ts';
export { isQuantised } from './quantised.ts';
export type { MeasureInput } from './raw.ts';
export type { ObserveProgress, StreamOptions } from './stream.ts';
