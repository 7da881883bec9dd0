/**
 * A model in a process of its own, seen from the parent: an {@link EngineSession} whose process is started again when
 * it died. What of a window is asked again then is not decided here (model/contain.ts): the host only says that the
 * process ended. A call that does no work on the model's weights (tokens, pieces) is made again once by itself.
 */
import { AuditError } from '../../errors.ts';
import type {
  EngineOptions,
  RawJointTokens,
  RawMeasure,
  RawModelInfo,
  RawObservations,
  RawRequest,
  RawSystem,
} from '../engine.ts';
import type { EngineSession } from '../session.ts';
import { type DeathPlace, deathFault, EngineDeath } from './death.ts';
import { workerEntry } from './entry.ts';
import { type CallOptions, EngineProcess } from './process.ts';
import { type Calls, type Method, type Opened, PROTOCOL_VERSION } from './protocol.ts';

/** Ten minutes for one window: far more than decoding takes, far less than a night that was lost. */
export const DEFAULT_TIMEOUT_MS = 600_000;

/** Longer than this, a timer fires at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export interface WorkerOptions {
  /** Time limit of one call in ms; default ten minutes. Opening a model has none. */
  readonly timeoutMs?: number;
  /** The child's program, for tests; default: the engine. */
  readonly entry?: string;
}

export class WorkerSession implements EngineSession {
  readonly #path: string;
  readonly #options: EngineOptions;
  readonly #timeoutMs: number;
  readonly #entry: string;
  #opened: Opened | undefined;
  #process: EngineProcess | null = null;
  #starting: Promise<EngineProcess> | null = null;
  readonly #calls = new Set<Promise<unknown>>();
  #closing: Promise<void> | null = null;

  private constructor(path: string, options: EngineOptions, worker: WorkerOptions) {
    this.#path = path;
    this.#options = options;
    this.#timeoutMs = worker.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#entry = worker.entry ?? workerEntry();
    if (!(this.#timeoutMs > 0 && this.#timeoutMs <= MAX_TIMEOUT_MS)) {
      throw new AuditError(
        'bad_argument',
        `timeoutMs is ${this.#timeoutMs}; give milliseconds above 0, up to ${MAX_TIMEOUT_MS} (24 days)`,
        { key: 'timeoutMs' },
      );
    }
  }

  /** Starts a process and opens the model there. Throws what opening throws, and `engine_crash` when the process dies of it. */
  static async open(
    path: string,
    options: EngineOptions,
    worker: WorkerOptions = {},
  ): Promise<WorkerSession> {
    const session = new WorkerSession(path, options, worker);
    await session.#running();
    return session;
  }

  get info(): RawModelInfo {
    return this.#opened!.info;
  }

  get system(): RawSystem {
    return this.#opened!.system;
  }

  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  tokenizeAll(texts: readonly string[], bos: boolean, special: boolean): Promise<Int32Array[]> {
    return this.#track(() => this.#twice('tokenizeAll', [texts, bos, special]));
  }

  tokenizeJoint(
    prompt: string,
    continuation: string,
    bos: boolean,
    special: boolean,
  ): Promise<RawJointTokens> {
    return this.#track(() => this.#twice('tokenizeJoint', [prompt, continuation, bos, special]));
  }

  pieces(tokens: Int32Array): Promise<string[]> {
    return this.#track(() => this.#twice('pieces', [tokens]));
  }

  detokenize(tokens: Int32Array): Promise<string> {
    return this.#track(() => this.#twice('detokenize', [tokens]));
  }

  /**
   * Throws `engine_crash` and `engine_timeout` with `phase: 'request'` when the process ends while it decodes the window.
   * One that was only next is sent again to the process that follows.
   */
  observe(requests: RawRequest[], measure: RawMeasure, signal?: AbortSignal): Promise<RawObservations> {
    return this.#track(() => this.#asked('observe', [requests, measure], 0, { signal }));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#calls);
    // A call that found the process dead may have had another one started.
    const last = this.#starting ? await this.#starting.catch(() => null) : this.#process;
    if (last?.alive) await last.close();
  }

  /** Remembers a call, so that close can wait for it. */
  async #track<T>(call: () => Promise<T>): Promise<T> {
    if (this.#closing) throw new AuditError('engine_closed', 'the model is closed', { file: this.#path });
    const running = call();
    this.#calls.add(running);
    try {
      return await running;
    } finally {
      this.#calls.delete(running);
    }
  }

  async #once<M extends Method>(
    method: M,
    args: Parameters<Calls[M]>,
    options: CallOptions = {},
  ): Promise<ReturnType<Calls[M]>> {
    const running = await this.#running();
    if (options.signal?.aborted) throw new AuditError('cancelled', 'the observation was cancelled');
    return running.call(method, args, { timeoutMs: this.#timeoutMs, ...options });
  }

  /** Again as often as the process died of something else, and `retries` times where it died of this. */
  async #asked<M extends Method>(
    method: M,
    args: Parameters<Calls[M]>,
    retries: number,
    options: CallOptions = {},
  ): Promise<ReturnType<Calls[M]>> {
    for (let left = retries; ; ) {
      try {
        return await this.#once(method, args, options);
      } catch (thrown) {
        if (!(thrown instanceof EngineDeath) || (left === 0 && !thrown.innocent))
          throw this.#fault(thrown, 'request');
        if (!thrown.innocent) left -= 1;
      }
    }
  }

  #twice<M extends Method>(method: M, args: Parameters<Calls[M]>): Promise<ReturnType<Calls[M]>> {
    return this.#asked(method, args, 1);
  }

  /** The process, started where there is none; callers that come meanwhile wait for the same one. */
  async #running(): Promise<EngineProcess> {
    if (this.#process?.alive) return this.#process;
    this.#starting ??= this.#start().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #start(): Promise<EngineProcess> {
    const started = new EngineProcess(this.#entry);
    try {
      this.#opened = await started.call('open', [PROTOCOL_VERSION, this.#path, this.#options]);
    } catch (thrown) {
      await started.end();
      throw this.#fault(thrown, 'open');
    }
    this.#process = started;
    return started;
  }

  #fault(thrown: unknown, phase: DeathPlace['phase']): unknown {
    if (!(thrown instanceof EngineDeath)) return thrown;
    return deathFault(thrown, { file: this.#path, phase, timeoutMs: this.#timeoutMs });
  }
}
