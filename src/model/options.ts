/** What a model is opened with: the engine's own options, and where the engine runs. */
import type { EngineOptions } from '../native/engine.ts';

export interface ModelOptions extends EngineOptions {
  /**
   * Run llama.cpp in this process instead of one of its own; default false. Saves a millisecond a window and some
   * memory; a crash of llama.cpp is then a crash of this process, and there is no time limit.
   */
  readonly inProcess?: boolean;
  /** Time limit of one window, and of any other single call, in ms; default ten minutes. */
  readonly timeoutMs?: number;
}
