/** What the local engine is and runs on: for manifests and for `doctor`. */
import { engineAddon, type RawSystem } from '../native/engine.ts';
import type { ModelOptions } from './options.ts';

export { readBuildInfo, readLlamaLicence } from '../native/load.ts';

export type SystemInfo = RawSystem;

/** The build, its instruction sets and its devices. Throws `addon_missing`. */
export function engineSystem(): SystemInfo {
  return engineAddon().system();
}

/** What a run's manifest keeps: the options as asked, and what they were run on. */
export interface EngineDescription {
  readonly options: ModelOptions;
  readonly llamaVersion: string;
  readonly builtFor: string;
  readonly features: readonly string[];
  readonly devices: readonly string[];
  /** Where rows are reduced: `cpu`, in host memory. */
  readonly metricsImplementation: 'cpu';
}

/** `system` is an open model's; left out, this process loads the engine to ask it. */
export function describeEngine(
  options: ModelOptions,
  system: SystemInfo = engineSystem(),
): EngineDescription {
  const { llamaVersion, builtFor, features, devices } = system;
  return {
    options: { mode: 'fast', kvType: 'f32', flashAttention: false, ...options },
    llamaVersion,
    builtFor,
    features,
    devices: devices.map(({ name, description }) => `${name}: ${description}`),
    metricsImplementation: 'cpu',
  };
}
