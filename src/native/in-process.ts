/** A model that llama.cpp runs in this very process: what the worker's child does, and `inProcess: true` asks for. */
import {
  calling,
  type EngineOptions,
  engineAddon,
  type RawJointTokens,
  type RawMeasure,
  type RawModel,
  type RawModelInfo,
  type RawObservations,
  type RawReducer,
  type RawRequest,
  type RawSystem,
} from './engine.ts';
import type { EngineSession } from './session.ts';

class InProcessSession implements EngineSession {
  readonly info: RawModelInfo;
  readonly system: RawSystem = engineAddon().system();
  readonly pid = process.pid;
  readonly #raw: RawModel;

  constructor(raw: RawModel) {
    this.#raw = raw;
    this.info = raw.info();
  }

  tokenizeAll(texts: readonly string[], bos: boolean, special: boolean): Promise<Int32Array[]> {
    return calling(() => texts.map((text) => this.#raw.tokenize(text, bos, special)));
  }

  tokenizeJoint(
    prompt: string,
    continuation: string,
    bos: boolean,
    special: boolean,
  ): Promise<RawJointTokens> {
    return calling(() => this.#raw.tokenizeJoint(prompt, continuation, bos, special));
  }

  pieces(tokens: Int32Array): Promise<string[]> {
    return calling(() => Array.from(tokens, (token) => this.#raw.piece(token)));
  }

  detokenize(tokens: Int32Array): Promise<string> {
    return calling(() => this.#raw.detokenize(tokens));
  }

  async observe(requests: RawRequest[], measure: RawMeasure, signal?: AbortSignal): Promise<RawObservations> {
    const flag = new (engineAddon().CancelFlag)();
    const onAbort = () => flag.cancel();
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await calling(() => this.#raw.observe(requests, measure, flag));
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  close(): Promise<void> {
    return calling(() => this.#raw.close());
  }
}

/** Opens a model in this process. A file on which llama.cpp aborts ends this process. `reducer`: for benchmarks. */
export async function openInProcess(
  path: string,
  options: EngineOptions,
  reducer: RawReducer = 'cpu',
): Promise<EngineSession> {
  return new InProcessSession(await calling(() => engineAddon().openModel(path, options, reducer)));
}
