/** What a model's KV cache takes, out of its metadata. */

/** Bytes of the cache for 1,000 tokens, over all layers. */
export interface KvMemory {
  readonly bytesPer1000Tokens: { readonly f32: number; readonly f16: number };
  /** Tokens beyond which some layers keep no more: then the figures are the most it can be. Null: no such window. */
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
