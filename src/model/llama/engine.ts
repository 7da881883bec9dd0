/** What the local engine is and runs on: for manifests and for `doctor`. */
import { toAuditError } from '../../errors.ts';
import { engineAddon, type RawContextShape, type RawSystem } from '../../native/engine.ts';
import type { ModelInfo } from '../backend.ts';
import type { EngineDescription } from '../description.ts';
import { type ModelOptions, toEngineOptions } from './options.ts';

export { readBuildInfo, readLlamaLicence } from '../../native/load.ts';

export type SystemInfo = RawSystem;

/** The build, its instruction sets and its devices. Throws `addon_missing`. */
export function engineSystem(): SystemInfo {
  return engineAddon().system();
}

/** What the options of a context come to for a model: what its memory depends on. Lengths in tokens. */
export type ContextShape = RawContextShape;

/**
 * The context that a model would be opened with, without the model. Throws `bad_argument` for an option that cannot be,
 * `addon_missing`.
 */
export function contextShape(
  options: ModelOptions,
  model: { readonly vocabSize: number; readonly trainedContextLength: number },
): ContextShape {
  try {
    // Of several devices each has one; they are alike.
    const [engine] = toEngineOptions(options);
    return engineAddon().contextShape(engine, model);
  } catch (thrown) {
    throw toAuditError(thrown);
  }
}

/** What a manifest says of the engine. `info` and `system` are an open model's; left out, the latter is this process's, which loads the engine to ask it. */
export function describeEngine(
  options: ModelOptions,
  { metricsImpl }: Pick<ModelInfo, 'metricsImpl'>,
  system: SystemInfo = engineSystem(),
): EngineDescription {
  const { llamaVersion, builtFor, features, devices } = system;
  return {
    options: { mode: 'fast', kvType: 'f32', flashAttention: false, device: 'auto', ...options },
    llamaVersion,
    builtFor,
    features,
    devices: devices.map(({ name, description }) => `${name}: ${description}`),
    metricsImplementation: metricsImpl,
  };
}
