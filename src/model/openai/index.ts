/** Public API of this folder: models behind OpenAI-compatible endpoints. It loads the client, so it is loaded late. */

import type { Usage } from '../usage.ts';
import { EXTRAS, findBasics } from './capabilities.ts';
import { Endpoint } from './endpoint.ts';
import { ApiModel } from './model.ts';
import type { ApiOptions } from './options.ts';
import { resolveApiOptions } from './options.ts';
import { REAL, type Runtime } from './runtime.ts';
import { readSecret } from './secret.ts';

export interface OpenApiOptions extends ApiOptions {
  readonly signal?: AbortSignal;
  /** Called after every answer. */
  readonly onAnswer?: (usage: Usage) => void;
  /** Called before each wait for a server that is loading its model, with what it says. */
  readonly onWait?: (reason: string) => void;
  /**
   * What is found out at once: `all` that can be, or only what every request needs; the rest is then found out when a request
   * needs it. Default `all`.
   */
  readonly probe?: 'all' | 'needed';
}

/** Whether there are messages of the system is found out when one is asked. */
const EXTRAS_AT_ONCE = EXTRAS.filter((extra) => extra !== 'systemRole');

/**
 * Opens `openai:MODEL` and asks it what it can do. Throws `bad_argument` (an option, no key), `endpoint_refused`,
 * `endpoint_failed`, `not_supported`, `cancelled`; `output_exists` and `data_malformed` for the journal of answers.
 */
export async function openApi(
  model: string,
  { signal: given, onAnswer, onWait, probe = 'all', ...rest }: OpenApiOptions = {},
  runtime: Runtime = REAL,
): Promise<ApiModel> {
  const options = resolveApiOptions(model, rest, runtime.env);
  const secret = readSecret(runtime.env, options.baseUrl);
  const endpoint = new Endpoint({ ...options, ...(onWait ? { onWait } : {}) }, secret, runtime);
  const signal = given ?? new AbortController().signal;
  const opened = new ApiModel(options, endpoint, await findBasics(endpoint, options, signal), onAnswer);
  if (probe === 'all') await opened.findExtras(EXTRAS_AT_ONCE, signal);
  await opened.openAnswers();
  return opened;
}
