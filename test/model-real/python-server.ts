/**
 * A server of others that speaks the API of OpenAI: that of llama-cpp-python, with the instruct model. It compiles a llama.cpp
 * of its own when it is installed, which takes long, so it is not installed here: LOGIT_AUDIT_TEST_PYTHON names a Python that
 * has it (pip install "llama-cpp-python[server]").
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** It loads the model first. */
const START_LIMIT_MS = 120_000;

export const PYTHON = process.env.LOGIT_AUDIT_TEST_PYTHON ?? null;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export class PythonServer implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcess;
  #said = '';

  private constructor(python: string, port: number, model: string) {
    this.url = `http://127.0.0.1:${port}/v1`;
    const options = ['--model', model, '--host', '127.0.0.1', '--port', String(port)];
    // Log-probabilities are only there where every row of logits is kept.
    const engine = ['--n_ctx', '4096', '--n_threads', '1', '--n_threads_batch', '1', '--logits_all', 'true'];
    this.#child = spawn(python, ['-m', 'llama_cpp.server', ...options, ...engine]);
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream!.on('data', (text) => {
        this.#said = `${this.#said}${text}`.slice(-4000);
      });
  }

  static async start(python: string, model: string): Promise<PythonServer> {
    const server = new PythonServer(python, await freePort(), model);
    const until = Date.now() + START_LIMIT_MS;
    while (Date.now() < until && server.#child.exitCode === null) {
      const answer = await fetch(`${server.url}/models`).catch(() => null);
      if (answer?.ok) return server;
      await sleep(200);
    }
    await server[Symbol.asyncDispose]();
    throw new Error(`the server did not start: ${server.#said}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await ended;
  }
}
