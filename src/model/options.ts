/** What a model is opened with: the engine's own options, and where the engine runs. */
import type { EngineOptions, LoraAdapter } from '../native/engine.ts';

export interface ModelOptions extends Omit<EngineOptions, 'lora'> {
  /** LoRA adapters, which add up: a file, or several with their scales. */
  readonly lora?: string | readonly (string | LoraAdapter)[];
  /**
   * Run llama.cpp in this process instead of one of its own; default false. Saves a millisecond a window and some
   * memory; a crash of llama.cpp is then a crash of this process, and there is no time limit.
   */
  readonly inProcess?: boolean;
  /** Time limit of one window, and of any other single call, in ms; default ten minutes. */
  readonly timeoutMs?: number;
}

/** The engine's own part of the options; what is of a wrong type is left for the engine to refuse by name. */
export function toEngineOptions({ inProcess, timeoutMs, lora, ...engine }: ModelOptions): EngineOptions {
  if (lora === undefined) return engine;
  const all = typeof lora === 'string' ? [lora] : lora;
  const named = Array.isArray(all) ? all.map((one) => (typeof one === 'string' ? { path: one } : one)) : all;
  return { ...engine, lora: named as readonly LoraAdapter[] };
}
