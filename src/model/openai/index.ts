/** The face of this part of the room: models behind OpenAI-compatible endpoints. It loads the client, so it is loaded late. */

import { probeCapabilities } from './capabilities.ts';
import { Endpoint } from './endpoint.ts';
import { ApiModel } from './model.ts';
import type { ApiOptions } from './options.ts';
import { resolveApiOptions } from './options.ts';
import { REAL, type Runtime } from './runtime.ts';
import { readSecret } from './secret.ts';
import type { Usage } from './usage.ts';

export interface OpenApiOptions extends ApiOptions {
  readonly signal?: AbortSignal;
  /** Called after every answer. */
  readonly onAnswer?: (usage: Usage) => void;
}

/**
 * Opens `openai:MODEL` and asks it what it can do. Throws `bad_argument` (an option, no key), `endpoint_refused`,
 * `endpoint_failed`, `not_supported`, `cancelled`; `output_exists` and `data_malformed` for the journal of answers.
 */
export async function openApi(
  model: string,
  { signal, onAnswer, ...given }: OpenApiOptions = {},
  runtime: Runtime = REAL,
): Promise<ApiModel> {
  const options = resolveApiOptions(model, given, runtime.env);
  const endpoint = new Endpoint(options, readSecret(runtime.env, options.baseUrl), runtime);
  const capabilities = await probeCapabilities(endpoint, options, signal ?? new AbortController().signal);
  const opened = new ApiModel(options, endpoint, capabilities, onAnswer);
  await opened.openAnswers();
  return opened;
}
