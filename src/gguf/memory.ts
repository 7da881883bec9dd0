/** What memory a model takes: its KV cache out of its metadata, and the whole of it with a context. */

/** Bytes of the cache for 1,000 tokens, over all layers. */
export interface KvMemory {
  readonly bytesPer1000Tokens: { readonly f32: number; readonly f16: number };
  /**
   * Tokens beyond which some layers need no more; null where there is no such window. Our engine keeps all of them in
   * every layer, so that prefixes can be shared, and that is what the figures are.
   */
  readonly slidingWindow: number | null;
}

type Setting = number | readonly number[] | null;

/** Keys and values of every layer and head; null where the file does not say how many there are. */
export function kvMemory(architecture: string, setting: (key: string) => Setting): KvMemory | null {
  const of = (key: string) => setting(`${architecture}.${key}`);
  const layers = of('block_count');
  const heads = of('attention.head_count');
  const embedding = of('embedding_length');
  if (typeof layers !== 'number' || heads === null || !Number.isSafeInteger(layers) || layers > 10_000)
    return null;
  const kvHeads = of('attention.head_count_kv') ?? heads;
  const keys = of('attention.key_length');
  const values = of('attention.value_length');
  let perToken = 0;
  for (let layer = 0; layer < layers; layer += 1) {
    const size = typeof embedding === 'number' ? embedding / Math.max(at(heads, layer), 1) : Number.NaN;
    perToken += at(kvHeads, layer) * (at(keys ?? size, layer) + at(values ?? size, layer));
  }
  if (!Number.isFinite(perToken)) return null;
  const window = of('attention.sliding_window');
  return {
    bytesPer1000Tokens: { f32: perToken * 4 * 1000, f16: perToken * 2 * 1000 },
    slidingWindow: typeof window === 'number' && window > 0 ? window : null,
  };
}

/** A setting of one layer; NaN where a list is too short. */
function at(setting: number | readonly number[], layer: number): number {
  return typeof setting === 'number' ? setting : (setting[layer] ?? Number.NaN);
}

/** What of a context its memory depends on: tokens in the cache, tokens in one graph, rows of logits at once, and metrics on them. */
export interface ContextSizes {
  readonly cells: number;
  readonly graphTokens: number;
  readonly outputs: number;
  /** Bytes that metrics on a device take beyond the logits. */
  readonly metricsBytes: number;
}

/** Bytes; null where the file does not say enough. */
export interface MemoryNeed {
  readonly weights: number | null;
  readonly kvCache: number | null;
  /** Rows of logits as they are handed out. */
  readonly logits: number | null;
  /** What metrics on a device take beyond the logits. */
  readonly metrics: number;
  /** What the graph computes in, roughly: its two largest parts share the space. */
  readonly workSpace: number | null;
  readonly total: number | null;
}

/** The memory of a model in a context. `heads`: most of any layer. */
export function memoryNeed(
  model: {
    readonly weightBytes: number | null;
    readonly kv: KvMemory | null;
    readonly heads: number | null;
    readonly logitsBytesPerRow: number | null;
  },
  { cells, graphTokens, outputs, metricsBytes: metrics }: ContextSizes,
  { kvType, flashAttention }: { readonly kvType: 'f32' | 'f16'; readonly flashAttention: boolean },
): MemoryNeed {
  const { weightBytes: weights, kv, heads, logitsBytesPerRow: row } = model;
  const kvCache = kv === null ? null : (kv.bytesPer1000Tokens[kvType] * cells) / 1000;
  const logits = row === null ? null : row * outputs;
  // Flash attention keeps no scores, and its mask is of half the width.
  const scores = flashAttention ? 0 : heads === null ? null : heads * graphTokens * cells * 4;
  const mask = graphTokens * cells * (flashAttention ? 2 : 4);
  const workSpace = scores === null || logits === null ? null : Math.max(scores, logits) + mask;
  const parts = [weights, kvCache, logits, metrics, workSpace];
  const total = parts.reduce((sum, part) => (sum === null || part === null ? null : sum + part), 0);
  return { weights, kvCache, logits, metrics, workSpace, total };
}
