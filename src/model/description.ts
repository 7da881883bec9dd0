/** What a manifest keeps of what a model runs on, whatever its provider. */

/** How an endpoint is asked, as far as answers may depend on it; a provider may say more. */
export interface EndpointDescription {
  readonly baseUrl: string;
  readonly api: string;
  readonly serviceTier: string | null;
  readonly sampling: string;
  readonly systemRole: string;
}

/** Of a provider's options those that runs know of. */
interface EngineSettings {
  readonly mode?: 'exact' | 'fast';
  readonly flashAttention?: boolean;
  readonly device?: string;
  readonly threads?: number;
  readonly timeoutMs?: number;
}

/** The options as asked, and what they were run on. */
export interface EngineDescription {
  readonly options: EngineSettings;
  readonly llamaVersion: string;
  readonly builtFor: string;
  readonly features: readonly string[];
  readonly devices: readonly string[];
  /** Who reduced rows of logits, as `ModelInfo` has it. */
  readonly metricsImplementation: string;
  /** Of a model behind an endpoint: how it is asked, and what it can do. */
  readonly endpoint?: EndpointDescription;
}

/** Where no llama.cpp runs. */
export const NO_ENGINE: EngineDescription = {
  options: {},
  llamaVersion: 'none',
  builtFor: 'none',
  features: [],
  devices: [],
  metricsImplementation: 'cpu',
};
