/**
 * One render process, seen from the parent: jobs out, answers in, and how it ended. It is never started again, but may be given
 * other material.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AuditError } from '../../errors.ts';
import type { Answer, Cost, FromRenderer, Job, Material, ToRenderer } from './protocol.ts';

/** For one chat: more than the clock inside allows, which ends loops but no call of a built-in. */
const JOB_LIMIT_MS = 5_000;
/** For the process to come up; a busy machine may be slow, and no template runs yet. */
const START_LIMIT_MS = 60_000;
/** Memory of JavaScript: a template, a chat of some megabytes, and what becomes of them. */
const MAX_HEAP_MB = 256;

/** How jobs came to their end before all were answered. */
export interface Ended {
  readonly limit: 'time' | 'memory';
  readonly what: string;
}

/** Path of the built main.ts: beside this file in dist/, and in dist/ too where this file runs from src/ (tests). */
function builtEntry(): string {
  const fromSource = import.meta.url.endsWith('.ts');
  const relative = fromSource ? '../../../dist/prompt/process/main.js' : './main.js';
  const path = fileURLToPath(new URL(relative, import.meta.url));
  if (existsSync(path)) return path;
  const message = `the process that renders templates, dist/prompt/process/main.js, is missing; run "npm run build" in the package's folder`;
  throw new AuditError('internal', message);
}

/** Neither keys nor options of the parent's Node are the template's. */
function environment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS, OPENAI_API_KEY, ...rest } = process.env;
  return rest;
}

/** For tests. */
export interface RenderProcess {
  /** The process's program. */
  readonly entry?: string;
  readonly jobLimitMs?: number;
}

export class RenderChild {
  readonly #child: ChildProcess;
  readonly #jobLimitMs: number;
  #ready = false;
  #fault: Error | null = null;
  #gone = false;
  /** Who waits for messages and for the end. */
  #listener: ((message: FromRenderer | null) => void) | null = null;
  readonly #ended: Promise<void>;

  constructor(material: Material, { entry = builtEntry(), jobLimitMs = JOB_LIMIT_MS }: RenderProcess = {}) {
    this.#jobLimitMs = jobLimitMs;
    this.#child = fork(entry, [], {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
      env: environment(),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child.on('message', (message: FromRenderer) => {
      if (message.type === 'ready') this.#ready = true;
      this.#listener?.(message);
    });
    this.#ended = new Promise((resolve) => {
      const gone = (fault: Error | null) => {
        this.#gone = true;
        this.#fault = fault;
        resolve();
        this.#listener?.(null);
      };
      this.#child.once('exit', () => gone(null));
      this.#child.on('error', gone);
    });
    this.setMaterial(material);
    this.#keepAlive(false);
  }

  /** What the jobs that follow are about. */
  setMaterial(material: Material): void {
    this.#send({ type: 'material', material });
  }

  get alive(): boolean {
    return !this.#gone && !this.#child.killed;
  }

  /**
   * Gives each answer to `take`, until that says that no more is wanted: the process is ended then. How it ended where it ended
   * by itself or for its time; null where it did not. Throws `cancelled`, `internal` where it could not be started, and what
   * sending throws.
   */
  async ask(
    jobs: readonly Job[],
    take: (answer: Answer, cost: Cost) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<Ended | null> {
    this.#send({ type: 'jobs', jobs });
    this.#keepAlive(true);
    let left = jobs.length;
    let late = false;
    let timer: NodeJS.Timeout | undefined;
    const startClock = () => {
      clearTimeout(timer);
      const limit = this.#ready ? this.#jobLimitMs : START_LIMIT_MS;
      // An answer may lie there that a busy event loop has not come to: it is read before what setImmediate runs.
      const own = setTimeout(() => setImmediate(() => timer === own && expire()), limit);
      timer = own;
    };
    const expire = () => {
      late = true;
      this.#kill();
    };
    const onAbort = () => this.#kill();
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) this.#kill();
    try {
      await new Promise<void>((resolve) => {
        startClock();
        this.#listener = (message) => {
          startClock();
          if (message === null) return resolve();
          // What was on its way when no more was wanted.
          if (message.type !== 'answer' || left === 0) return;
          left -= 1;
          if (!take(message.answer, message.cost)) {
            left = 0;
            this.#kill();
          }
          if (left === 0) resolve();
        };
        if (this.#gone) resolve();
      });
    } finally {
      clearTimeout(timer);
      timer = undefined;
      this.#listener = null;
      signal?.removeEventListener('abort', onAbort);
      this.#keepAlive(false);
    }
    if (left === 0) return null;
    if (signal?.aborted) throw new AuditError('cancelled', 'the observation was cancelled');
    if (!this.#ready) {
      const why = this.#fault?.message ?? (late ? 'it does not answer' : `it ended with ${this.#how()}`);
      throw new AuditError('internal', `the process that renders templates could not be started: ${why}`);
    }
    if (late) return { limit: 'time', what: `it gave no text within ${this.#jobLimitMs / 1000} seconds` };
    const what = `it ended the process that rendered it (${this.#how()}); most likely it makes more than fits in ${MAX_HEAP_MB} MB`;
    return { limit: 'memory', what };
  }

  /** Ends the process, and waits until it is gone. */
  async end(): Promise<void> {
    this.#keepAlive(true);
    this.#kill();
    await this.#ended;
  }

  #how(): string {
    return this.#child.signalCode ?? `exit code ${this.#child.exitCode}`;
  }

  #kill(): void {
    this.#child.kill('SIGKILL');
  }

  #send(message: ToRenderer): void {
    // A failed send means that the process is going; its end tells who waits.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  /** Node waits for a process that works, and for no other. */
  #keepAlive(yes: boolean): void {
    for (const handle of [this.#child, this.#child.channel]) {
      if (yes) handle?.ref();
      else handle?.unref();
    }
  }
}
