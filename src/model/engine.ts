/** What the local engine is and runs on: for manifests and for `doctor`. */
import { type EngineOptions, engineAddon, type RawSystem } from '../native/engine.ts';

export { readBuildInfo, readLlamaLicence } from '../native/load.ts';

export type SystemInfo = RawSystem;

/** The build, its instruction sets and its devices. Throws `addon_missing`. */
export function engineSystem(): SystemInfo {
  return engineAddon().system();
}

/** What a run's manifest keeps: the options as asked, and what they were run on. */
export interface EngineDescription {
  readonly options: EngineOptions;
  readonly llamaVersion: string;
  readonly builtFor: string;
  readonly features: readonly string[];
  readonly devices: readonly string[];
  /** Where rows are reduced: `cpu`, in host memory. */
  readonly metricsImplementation: 'cpu';
}

export function describeEngine(options: EngineOptions): EngineDescription {
  const { llamaVersion, builtFor, features, devices } = engineSystem();
  return {
    options: { mode: 'fast', kvType: 'f32', flashAttention: false, ...options },
    llamaVersion,
    builtFor,
    features,
    devices: devices.map(({ name, description }) => `${name}: ${description}`),
    metricsImplementation: 'cpu',
  };
}
