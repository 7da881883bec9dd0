/** Every provider of models, a line each, and the one way to open a model by its name. */

import { llama } from './llama/open.ts';
import type { ModelOptions } from './llama/options.ts';
import { mock } from './mock/open.ts';
import type { OpenApiOptions } from './openai/index.ts';
import { openai } from './openai/open.ts';
import type { OpenedModel, Opening, Provider } from './provider.ts';

// What a provider's options are it checks itself. The last one takes what no other does.
const PROVIDERS = [openai, mock, llama] as readonly Provider<unknown>[];

export interface OpenOptions extends Opening {
  /** For a GGUF model. */
  readonly engine?: ModelOptions;
  /** For `openai:MODEL`. */
  readonly endpoint?: OpenApiOptions;
}

function providerOf(model: string): Provider<unknown> {
  const named = PROVIDERS.find(({ prefixes }) => prefixes.some((prefix) => model.startsWith(prefix)));
  return named ?? PROVIDERS.at(-1)!;
}

/** Which options a model is opened with: `engine`, `endpoint`, or none. */
export function optionsOf(model: string): string | null {
  return providerOf(model).options;
}

/** Opens a GGUF file, `openai:MODEL`, `policy:NAME` or `mock:NAME`. Throws what opening each of them throws. */
export async function openAny(model: string, { onNote, ...options }: OpenOptions = {}): Promise<OpenedModel> {
  const provider = providerOf(model);
  const own = provider.options === null ? {} : (options as Record<string, unknown>)[provider.options];
  return provider.open(model, own ?? {}, onNote ? { onNote } : {});
}
