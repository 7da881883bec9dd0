/** The face of this room: models, and llama.cpp's own. */
export type { EngineOptions } from '../native/engine.ts';
export type { Backend, ModelInfo, ObserveOptions } from './backend.ts';
export {
  describeEngine,
  type EngineDescription,
  engineSystem,
  readBuildInfo,
  readLlamaLicence,
  type SystemInfo,
} from './engine.ts';
export { LocalModel, type MeasureInput, openModel } from './local.ts';
