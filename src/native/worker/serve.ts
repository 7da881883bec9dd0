/**
 * The child's side of the protocol: opens one model and answers calls until it is closed or the parent is gone. How
 * a model is opened is the caller's (main.ts: llama.cpp; tests: a model that misbehaves).
 */
import v8 from 'node:v8';
import { AuditError, toAuditError } from '../../errors.ts';
import { printError } from '../../report/terminal.ts';
import type { EngineOptions } from '../engine.ts';
import type { EngineSession } from '../session.ts';
import { type Call, PROTOCOL_VERSION, type ToChild, type ToParent } from './protocol.ts';

export type OpenSession = (path: string, options: EngineOptions) => Promise<EngineSession>;

/** Serves the parent that forked this process. Does not return a value: the process lives by its channel. */
export function serve(openSession: OpenSession): void {
  if (process.send === undefined) {
    printError("this is the engine's process of logit-audit; it is started by openModel\n");
    process.exit(2);
  }
  // Code that V8 optimized would allocate a window's buffers as if they were to live for long, and 60 MB of them would
  // lie about before they are collected. What runs here takes no time that optimizing could save.
  v8.setFlagsFromString('--no-opt');
  // A terminal's interrupt reaches the whole group; the parent decides what it means and tells us.
  process.on('SIGINT', () => undefined);
  // The parent is gone. Decoding threads may still run, and nothing here is worth an orderly end.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  const server = new Server(openSession);
  process.on('message', (message: ToChild) => server.receive(message));
}

class Server {
  readonly #openSession: OpenSession;
  #session: EngineSession | null = null;
  readonly #running = new Map<number, AbortController>();

  constructor(openSession: OpenSession) {
    this.#openSession = openSession;
  }

  receive(message: ToChild): void {
    if (message.type === 'cancel') this.#running.get(message.id)?.abort();
    else void this.#answer(message);
  }

  async #answer(call: Call): Promise<void> {
    const { id } = call;
    try {
      const value = await this.#perform(call);
      send({ type: 'answer', id, value }, call.method === 'close' ? () => process.exit(0) : undefined);
    } catch (thrown) {
      send({ type: 'fault', id, error: toAuditError(thrown).toJSON() });
    }
  }

  async #perform(call: Call): Promise<unknown> {
    if (call.method === 'open') return this.#open(...call.args);
    const session = this.#session;
    if (!session) throw new AuditError('engine_closed', 'no model is open in this process');
    switch (call.method) {
      case 'tokenizeAll':
        return session.tokenizeAll(...call.args);
      case 'tokenizeJoint':
        return session.tokenizeJoint(...call.args);
      case 'pieces':
        return session.pieces(...call.args);
      case 'detokenize':
        return session.detokenize(...call.args);
      case 'observe':
        return this.#observe(session, call);
      case 'close':
        await session.close();
        return null;
    }
  }

  async #open(version: number, path: string, options: EngineOptions) {
    if (version !== PROTOCOL_VERSION) {
      throw new AuditError(
        'internal',
        `the engine's process speaks version ${PROTOCOL_VERSION} of the protocol and was asked in version ${version}; run "npm run build" in the package's folder`,
        { expected: version, found: PROTOCOL_VERSION },
      );
    }
    this.#session = await this.#openSession(path, options);
    return { info: this.#session.info, system: this.#session.system };
  }

  async #observe(session: EngineSession, call: Extract<Call, { method: 'observe' }>) {
    const controller = new AbortController();
    this.#running.set(call.id, controller);
    try {
      return await session.observe(...call.args, controller.signal);
    } finally {
      this.#running.delete(call.id);
    }
  }
}

function send(message: ToParent, sent?: () => void): void {
  // Whether it arrived does not matter here: a parent that is gone shows by `disconnect`.
  process.send?.(message, () => sent?.());
}
