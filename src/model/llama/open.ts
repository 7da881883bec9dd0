/** Opening a GGUF model: llama.cpp in a process of its own, or in this one. */
import { access } from 'node:fs/promises';
import { AuditError } from '../../errors.ts';
import { fileError, isElsewhere, isWebAddress } from '../../files/file-error.ts';
import type { EngineOptions } from '../../native/engine.ts';
import { openInProcess } from '../../native/in-process.ts';
import type { EngineSession } from '../../native/session.ts';
import { WorkerSession } from '../../native/worker/host.ts';
import type { Opening, Provider } from '../provider.ts';
import { describeEngine } from './engine.ts';
import { LocalModel } from './local.ts';
import { type ModelOptions, toEngineOptions } from './options.ts';

/**
 * Opens a GGUF model, of one in parts the first; each in a process of its own. On several devices (`CUDA0,CUDA1`)
 * each holds it and observes its share of the windows. Throws `file_not_found` (a part or an adapter too),
 * `file_unreadable`, `not_gguf`, `model_invalid` (an adapter that does not fit too), `bad_argument` (an option),
 * `engine_failed` (memory), `engine_crash` (llama.cpp aborted on it, or the system ended it for its memory) or
 * `addon_missing`.
 */
export async function openModel(
  path: string,
  options: ModelOptions = {},
  { onNote }: Opening = {},
): Promise<LocalModel> {
  try {
    await access(path);
  } catch (cause) {
    // What else a path may lack the engine says itself.
    if (isWebAddress(path) && !/\.gguf\b/i.test(path)) {
      const message = `${path} is an address: give a model behind an OpenAI-compatible endpoint as openai:MODEL with --base-url ${path} (from Node, openApiModel and baseUrl), and a GGUF file by its path, once it is downloaded`;
      throw new AuditError('bad_argument', message, { model: path });
    }
    if (isElsewhere(path)) throw fileError(path, cause);
  }
  const { systemRole, date } = options;
  const [first, ...others] = toEngineOptions(options);
  const sessions: [EngineSession, ...EngineSession[]] = [await openSession(path, options, first)];
  try {
    // One after the other: what is wrong with the file shows at the first.
    for (const engine of others) sessions.push(await openSession(path, options, engine));
    return new LocalModel(sessions, { systemRole, date, onNote });
  } catch (thrown) {
    await Promise.all(sessions.map((session) => session.close()));
    throw thrown;
  }
}

function openSession(path: string, options: ModelOptions, engine: EngineOptions): Promise<EngineSession> {
  if (options.inProcess) return openInProcess(path, engine);
  const worker = options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs };
  return WorkerSession.open(path, engine, worker);
}

export const llama: Provider<ModelOptions> = {
  prefixes: [],
  options: 'engine',
  async open(path, options, opening) {
    const backend = await openModel(path, options, opening);
    return { backend, engine: describeEngine(options, backend.info, backend.system) };
  },
};
