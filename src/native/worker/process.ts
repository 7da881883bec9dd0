/**
 * One child process, seen from the parent: calls out, answers in, time limits, and how it ended. It is never started
 * again; host.ts starts another one. While no call runs, the child does not keep this process alive.
 */
import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { AuditError, toAuditError } from '../../errors.ts';
import { printError } from '../../report/terminal.ts';
import { type Ending, EngineDeath } from './death.ts';
import type { Call, Calls, Method, ToChild, ToParent } from './protocol.ts';

/** Enough for a failed assertion with its stack. */
const TAIL_BYTES = 4096;

export class Tail {
  #bytes = Buffer.alloc(0);

  push(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]).subarray(-TAIL_BYTES);
  }

  /** As text, trimmed. A character that was cut in two shows as a replacement character. */
  text(): string {
    return this.#bytes.toString('utf8').trim();
  }
}

/** After a cancellation a child has this long to reach the end of a batch before it is ended, in ms. */
const CANCEL_GRACE_MS = 30_000;
/** For an orderly exit after the last answer, in ms. */
const EXIT_GRACE_MS = 5_000;
/** For the last of stderr after the exit, in ms: a debugger that a crash started may hold it open. */
const STDERR_GRACE_MS = 500;

/**
 * The child's JavaScript only passes things on. Left alone, V8 lets the garbage of that grow by some 70 MB before it
 * collects. Inspectors and loaders of the parent are not the child's.
 */
const CHILD_NODE_OPTIONS = ['--max-semi-space-size=1'];

interface Pending {
  readonly method: Method;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
  readonly timeoutMs: number | undefined;
  timer: NodeJS.Timeout | undefined;
  cancelled: boolean;
  timedOut: boolean;
}

export interface CallOptions {
  /** Time limit in ms; none where it is left out. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export class EngineProcess {
  /** Settles when the process is gone and what it wrote is read. */
  readonly ended: Promise<Ending>;
  readonly #child: ChildProcess;
  readonly #stderr = new Tail();
  readonly #pending = new Map<number, Pending>();
  #nextId = 0;
  #alive = true;
  /** Somebody waits for the end. */
  #held = false;

  /** Starts `entry` as a child of this process. */
  constructor(entry: string) {
    this.#child = fork(entry, [], {
      serialization: 'advanced',
      execArgv: CHILD_NODE_OPTIONS,
      env: { ...process.env, GGML_NO_BACKTRACE: '1' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr!.on('data', (chunk: Buffer) => {
      this.#stderr.push(chunk);
      if (process.env.LOGIT_AUDIT_LLAMA_LOG === '1') printError(chunk.toString());
    });
    this.#child.on('message', (message: ToParent) => this.#receive(message));
    // A child that cannot be talked to any more is of no use.
    this.#child.on('disconnect', () => {
      if (this.#pending.size > 0) this.#kill();
    });
    this.ended = this.#watch();
    this.#keepAlive(false);
  }

  get pid(): number | null {
    return this.#alive ? (this.#child.pid ?? null) : null;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /**
   * Makes a call. Throws the child's fault as an AuditError, `cancelled` when the signal aborted, and
   * {@link EngineDeath} when the process ends first.
   */
  call<M extends Method>(
    method: M,
    args: Parameters<Calls[M]>,
    { timeoutMs, signal }: CallOptions = {},
  ): Promise<ReturnType<Calls[M]>> {
    if (!this.#alive) {
      return this.ended.then((ending) => Promise.reject(new EngineDeath(ending, false, true)));
    }
    const id = this.#nextId;
    this.#nextId += 1;
    const onAbort = () => this.#cancel(id);
    const answered = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, {
        method,
        resolve,
        reject,
        timeoutMs,
        timer: undefined,
        cancelled: false,
        timedOut: false,
      });
    });
    this.#startClocks();
    this.#keepAlive(true);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      this.#send({ type: 'call', id, method, args } as Call);
    } catch (thrown) {
      // An argument that cannot be cloned, such as a function where a text should be.
      this.#settle(id)?.reject(new AuditError('bad_argument', `${method}: ${toAuditError(thrown).message}`));
    }
    return answered.finally(() => signal?.removeEventListener('abort', onAbort)) as Promise<
      ReturnType<Calls[M]>
    >;
  }

  /** Asks the child to free the model and to exit; ends it where it does not. Never throws. */
  async close(): Promise<void> {
    this.#held = true;
    await this.call('close', [], { timeoutMs: EXIT_GRACE_MS }).catch(() => undefined);
    const overdue = setTimeout(() => this.#kill(), EXIT_GRACE_MS);
    await this.ended;
    clearTimeout(overdue);
  }

  /** Ends the process at once, and waits until it is gone. */
  async end(): Promise<void> {
    this.#held = true;
    this.#keepAlive(true);
    this.#kill();
    await this.ended;
  }

  #kill(): void {
    this.#child.kill('SIGKILL');
  }

  #send(message: ToChild): void {
    // A failed send means that the child is going; its end tells every call.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #receive(message: ToParent): void {
    const pending = this.#settle(message.id);
    if (!pending) return;
    if (message.type === 'answer') pending.resolve(message.value);
    else pending.reject(new AuditError(message.error.code, message.error.message, message.error.data));
  }

  /** Takes a call off the list. */
  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    clearTimeout(pending?.timer);
    this.#pending.delete(id);
    this.#startClocks();
    if (this.#pending.size === 0 && !this.#held) this.#keepAlive(false);
    return pending;
  }

  /** The window that is decoded, if one is: the child has the next one too, and takes them in order. */
  #decoded(): Pending | undefined {
    return [...this.#pending.values()].find(({ method }) => method === 'observe');
  }

  /** A call's time runs from when it is worked on. */
  #startClocks(): void {
    const decoded = this.#decoded();
    for (const [id, pending] of this.#pending) {
      const { method, timeoutMs, timer } = pending;
      if (timeoutMs === undefined || timer !== undefined) continue;
      if (method === 'observe' && pending !== decoded) continue;
      pending.timer = setTimeout(() => this.#expire(id), timeoutMs);
    }
  }

  #cancel(id: number): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    pending.cancelled = true;
    clearTimeout(pending.timer);
    pending.timer = setTimeout(() => this.#kill(), CANCEL_GRACE_MS);
    this.#send({ type: 'cancel', id });
  }

  #expire(id: number): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    pending.timedOut = true;
    this.#kill();
  }

  async #watch(): Promise<Ending> {
    const ending = await new Promise<Omit<Ending, 'stderr'>>((resolve) => {
      this.#child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
      this.#child.on('error', (startFault) => resolve({ exitCode: null, signal: null, startFault }));
    });
    this.#alive = false;
    await this.#stderrRead();
    const whole = { ...ending, stderr: this.#stderr.text() };
    const calls = [...this.#pending];
    const decoded = this.#decoded();
    const blamed = (call: Pending) => call.timedOut || call === decoded;
    const anyBlamed = calls.some(([, call]) => blamed(call));
    for (const [id, call] of calls) {
      this.#settle(id);
      if (call.cancelled) call.reject(new AuditError('cancelled', 'the observation was cancelled'));
      else call.reject(new EngineDeath(whole, call.timedOut, anyBlamed && !blamed(call)));
    }
    return whole;
  }

  async #stderrRead(): Promise<void> {
    const stderr = this.#child.stderr!;
    if (stderr.closed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, STDERR_GRACE_MS);
      stderr.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
    });
    stderr.destroy();
  }

  /** Node waits for a child with calls in flight, and for no other. */
  #keepAlive(yes: boolean): void {
    const handles = [this.#child, this.#child.channel, this.#child.stderr as Socket | null];
    for (const handle of handles) {
      if (yes) handle?.ref();
      else handle?.unref();
    }
  }
}
