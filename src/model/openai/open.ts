/** Opening a model behind an OpenAI-compatible endpoint. The client takes a quarter of a second to load, so it is loaded late. */
import { NO_ENGINE } from '../description.ts';
import type { Provider } from '../provider.ts';
import type { ApiEmbedder, ApiEmbedderOptions } from './embedder.ts';
import type { OpenApiOptions } from './index.ts';
import type { ApiModel } from './model.ts';
import { PREFIX } from './options.ts';

/**
 * Opens `openai:MODEL`, a model behind an OpenAI-compatible endpoint, and asks it what it can do. The key is read from
 * the environment variable OPENAI_API_KEY. Throws `bad_argument` (an option, no key), `endpoint_refused`,
 * `endpoint_failed`, `not_supported`, `cancelled`; `output_exists` and `data_malformed` for the journal of answers.
 */
export async function openApiModel(model: string, options: OpenApiOptions = {}): Promise<ApiModel> {
  const { openApi } = await import('./index.ts');
  return openApi(model, options);
}

/**
 * `openai:MODEL` as something that makes vectors of texts, by /v1/embeddings; nothing is asked yet. Throws `bad_argument` (an
 * option, no key in OPENAI_API_KEY).
 */
export async function openApiEmbedder(model: string, options: ApiEmbedderOptions = {}): Promise<ApiEmbedder> {
  const { openEmbedder } = await import('./embedder.ts');
  return openEmbedder(model, options);
}

export const openai: Provider<OpenApiOptions> = {
  prefixes: [PREFIX],
  options: 'endpoint',
  async open(model, options) {
    const backend = await openApiModel(model, options);
    // Some of it is found out when a run begins, and belongs into its manifest.
    const engine = {
      ...NO_ENGINE,
      get endpoint() {
        return backend.describe();
      },
    };
    return { backend, engine };
  },
};
