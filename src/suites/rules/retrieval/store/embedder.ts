/** What turns texts into vectors. */
import { AuditError } from '../../../../errors.ts';
import type { Measure, Observations, ObserveRequest } from '../../../../observation/observation.ts';

/** What a vector depends on beside its text, as plain data: two embedders with the same identity give the same vectors. */
export interface EmbedderIdentity {
  /** `gguf`, `openai` or another kind. */
  readonly kind: string;
  /** Of the file, without its folder, or of the model at its endpoint. */
  readonly name: string;
  /** Of the model's file; null where there is none to hash. */
  readonly sha256: string | null;
  /** Whatever else changes vectors: how the engine was opened, dimensions that were asked for. */
  readonly settings: Readonly<Record<string, string | number | boolean | null>>;
}

/** Texts to vectors. */
export interface Embedder {
  readonly identity: EmbedderIdentity;
  /** How many texts a call of `embed` has at most, and how many calls there are at a time. Default: 128, one. */
  readonly calls?: { readonly texts: number; readonly atOnce: number };
  /** A vector for each text, all of one dimension and not 0, or why there is none. */
  embed(
    texts: readonly string[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly (Float32Array | AuditError)[]>;
}

/** What embedding needs of a model: that it answers requests of the kind `embed`. */
export interface EmbeddingModel {
  observeWindow(
    requests: readonly ObserveRequest[],
    measure: Measure,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Observations>;
}

const NOTHING_ELSE: Measure = { groups: [], topK: 0, pairTopK: [] };

/** An open model as an embedder. What `observeWindow` throws passes through. */
export function modelEmbedder(model: EmbeddingModel, identity: EmbedderIdentity): Embedder {
  return {
    identity,
    async embed(texts, { signal } = {}) {
      const requests = texts.map((text) => ({ kind: 'embed', text }) as const);
      const observed = await model.observeWindow(requests, NOTHING_ELSE, signal ? { signal } : {});
      return vectorsOf(observed, texts.length);
    },
  };
}

function vectorsOf({ embeddings, failures }: Observations, texts: number): (Float32Array | AuditError)[] {
  const unanswered = new AuditError('internal', 'the model gave neither a vector nor a reason');
  const vectors = new Array<Float32Array | AuditError>(texts).fill(unanswered);
  for (const { request, code, message, data } of failures) {
    vectors[request] = new AuditError(code, message, data);
  }
  const { dimensions, values } = embeddings;
  embeddings.request.forEach((request, row) => {
    vectors[request] = values.slice(row * dimensions, (row + 1) * dimensions);
  });
  return vectors;
}
