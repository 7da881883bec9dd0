/** Opening a model: in a process of its own, or in this one. */
import { openInProcess } from '../native/in-process.ts';
import { WorkerSession } from '../native/worker/host.ts';
import { LocalModel } from './local.ts';
import { type ModelOptions, toEngineOptions } from './options.ts';

/**
 * Opens a GGUF model, of one in parts the first; each in a process of its own, so that two on two devices run side by
 * side. Throws `file_not_found` (a part or an adapter too), `file_unreadable`, `not_gguf`, `model_invalid` (an adapter
 * that does not fit too), `bad_argument` (an option), `engine_failed` (memory), `engine_crash` (llama.cpp aborted on
 * it, or the system ended it for its memory) or `addon_missing`.
 */
export async function openModel(path: string, options: ModelOptions = {}): Promise<LocalModel> {
  const engine = toEngineOptions(options);
  if (options.inProcess) return new LocalModel(await openInProcess(path, engine));
  const worker = options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs };
  return new LocalModel(await WorkerSession.open(path, engine, worker));
}
