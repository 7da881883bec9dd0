/**
 * One opened model, wherever it runs: in this process (in-process.ts) or in a process of its own (worker/). Both
 * have this face, so that whoever uses a model does not know which it is. Requests, measures and observations only
 * pass through; nobody here looks into them.
 */
import type {
  RawJointTokens,
  RawMeasure,
  RawModelInfo,
  RawObservations,
  RawRequest,
  RawSystem,
} from './engine.ts';

export interface EngineSession {
  readonly info: RawModelInfo;
  /** The build and the devices of the process that runs the model. */
  readonly system: RawSystem;
  /** Process that runs the model; null while none does. Another one after a restart. */
  readonly pid: number | null;
  tokenizeAll(texts: readonly string[], bos: boolean, special: boolean): Promise<Int32Array[]>;
  tokenizeJoint(
    prompt: string,
    continuation: string,
    bos: boolean,
    special: boolean,
  ): Promise<RawJointTokens>;
  pieces(tokens: Int32Array): Promise<string[]>;
  detokenize(tokens: Int32Array): Promise<string>;
  /** One window at a time. An aborted signal ends it at the next batch with `cancelled`. */
  observe(requests: RawRequest[], measure: RawMeasure, signal?: AbortSignal): Promise<RawObservations>;
  /** Frees the model once running calls have ended. Every other call then throws `engine_closed`. */
  close(): Promise<void>;
}
