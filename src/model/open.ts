/** Opening a model: llama.cpp in a process of its own or in this one, an endpoint, or a built-in policy. */
import { access } from 'node:fs/promises';
import { AuditError } from '../errors.ts';
import { fileError, isElsewhere, isWebAddress } from '../files/file-error.ts';
import type { EngineOptions } from '../native/engine.ts';
import { openInProcess } from '../native/in-process.ts';
import type { EngineSession } from '../native/session.ts';
import { WorkerSession } from '../native/worker/host.ts';
import type { Backend } from './backend.ts';
import { describeEngine, type EngineDescription, NO_ENGINE } from './llama/engine.ts';
import { LocalModel } from './llama/local.ts';
import { type ModelOptions, toEngineOptions } from './llama/options.ts';
import { isPolicy, openPolicy, POLICY_ENGINE } from './mock/policy.ts';
import type { ApiEmbedder, ApiEmbedderOptions } from './openai/embedder.ts';
import type { OpenApiOptions } from './openai/index.ts';
import type { ApiModel } from './openai/model.ts';
import { isApiModel } from './openai/options.ts';

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
  { onNote }: Pick<OpenOptions, 'onNote'> = {},
): Promise<LocalModel> {
  if (isApiModel(path)) {
    throw new AuditError('bad_argument', `${path} is no file; open it with openApiModel`, { model: path });
  }
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

/**
 * Opens `openai:MODEL`, a model behind an OpenAI-compatible endpoint, and asks it what it can do. The key is read from
 * the environment variable OPENAI_API_KEY. Throws `bad_argument` (an option, no key), `endpoint_refused`,
 * `endpoint_failed`, `not_supported`, `cancelled`; `output_exists` and `data_malformed` for the journal of answers.
 */
export async function openApiModel(model: string, options: OpenApiOptions = {}): Promise<ApiModel> {
  // The client takes a quarter of a second to load, which nobody else should wait for.
  const { openApi } = await import('./openai/index.ts');
  return openApi(model, options);
}

/**
 * `openai:MODEL` as something that makes vectors of texts, by /v1/embeddings; nothing is asked yet. Throws `bad_argument` (an
 * option, no key in OPENAI_API_KEY).
 */
export async function openApiEmbedder(model: string, options: ApiEmbedderOptions = {}): Promise<ApiEmbedder> {
  const { openEmbedder } = await import('./openai/embedder.ts');
  return openEmbedder(model, options);
}

export interface OpenOptions {
  /** For a GGUF model. */
  readonly engine?: ModelOptions;
  /** For `openai:MODEL`. */
  readonly endpoint?: OpenApiOptions;
  /** Told, once each, what became of chats that a user would not expect: a system message that was folded, a date. */
  readonly onNote?: (note: string) => void;
}

/** A model of any kind, and what a manifest keeps of what it runs on. */
export interface OpenedModel {
  readonly backend: Backend;
  readonly engine: EngineDescription;
}

/** Opens a GGUF file, `openai:MODEL` or `policy:NAME`. Throws what opening each of them throws. */
export async function openAny(
  model: string,
  { engine = {}, endpoint = {}, onNote }: OpenOptions = {},
): Promise<OpenedModel> {
  if (isPolicy(model)) return { backend: openPolicy(model), engine: POLICY_ENGINE };
  if (isApiModel(model)) {
    const backend = await openApiModel(model, endpoint);
    // Some of it is found out when a run begins, and belongs into its manifest.
    const engine = {
      ...NO_ENGINE,
      get endpoint() {
        return backend.describe();
      },
    };
    return { backend, engine };
  }
  const backend = await openModel(model, engine, onNote ? { onNote } : {});
  return { backend, engine: describeEngine(engine, backend.info, backend.system) };
}
