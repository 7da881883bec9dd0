/** Opening a model: in a process of its own, or in this one. */
import { openInProcess } from '../native/in-process.ts';
import { WorkerSession } from '../native/worker/host.ts';
import { LocalModel } from './local.ts';
import type { ModelOptions } from './options.ts';

/**
 * Opens a GGUF model. Throws `file_not_found`, `file_unreadable`, `not_gguf`, `model_invalid`, `bad_argument`
 * (an option), `engine_failed` (memory), `engine_crash` (llama.cpp aborted on it) or `addon_missing`.
 */
export async function openModel(path: string, options: ModelOptions = {}): Promise<LocalModel> {
  const { inProcess = false, timeoutMs, ...engine } = options;
  if (inProcess) return new LocalModel(await openInProcess(path, engine));
  const worker = timeoutMs === undefined ? {} : { timeoutMs };
  return new LocalModel(await WorkerSession.open(path, engine, worker));
}
