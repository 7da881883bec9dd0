/** The weights of a llama with one layer, drawn from a seed: a model without sense, whose every number matters. */
import type { GgufTensor, GgufValue } from '../../src/demo/planted/gguf.ts';

const EMBEDDING = 32;
const HEADS = 4;
const HEADS_KV = 2;
const FEED_FORWARD = 48;
/** Longest text that the models were "trained" on, in tokens. */
export const TRAINED = 256;

/** Uniform in [-1, 1), the same everywhere. */
function drawer(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

export function architecture(vocabSize: number): ReadonlyMap<string, GgufValue> {
  const uint32 = (value: number): GgufValue => ({ type: 'uint32', value });
  return new Map<string, GgufValue>([
    ['general.architecture', { type: 'string', value: 'llama' }],
    ['general.file_type', uint32(0)],
    ['llama.vocab_size', uint32(vocabSize)],
    ['llama.context_length', uint32(TRAINED)],
    ['llama.embedding_length', uint32(EMBEDDING)],
    ['llama.block_count', uint32(1)],
    ['llama.feed_forward_length', uint32(FEED_FORWARD)],
    ['llama.attention.head_count', uint32(HEADS)],
    ['llama.attention.head_count_kv', uint32(HEADS_KV)],
    ['llama.attention.layer_norm_rms_epsilon', { type: 'float32', value: 1e-5 }],
    ['llama.rope.dimension_count', uint32(EMBEDDING / HEADS)],
    ['llama.rope.freq_base', { type: 'float32', value: 10_000 }],
  ]);
}

export function randomTensors(vocabSize: number, seed: number): readonly GgufTensor[] {
  const draw = drawer(seed);
  /** Scaled so that a layer's output has about the size of its input, times `gain`. */
  const matrix = (name: string, columns: number, rows: number, gain = 1): GgufTensor => ({
    name,
    dims: [columns, rows],
    data: Float32Array.from({ length: columns * rows }, () => draw() * gain * Math.sqrt(3 / columns)),
  });
  const norm = (name: string): GgufTensor => ({
    name,
    dims: [EMBEDDING],
    data: Float32Array.from({ length: EMBEDDING }, () => 1 + draw() / 4),
  });
  const kv = (EMBEDDING / HEADS) * HEADS_KV;
  return [
    matrix('token_embd.weight', EMBEDDING, vocabSize, Math.sqrt(EMBEDDING)),
    norm('output_norm.weight'),
    // Logits of a few units: distributions that are neither flat nor certain.
    matrix('output.weight', EMBEDDING, vocabSize, 3),
    norm('blk.0.attn_norm.weight'),
    matrix('blk.0.attn_q.weight', EMBEDDING, EMBEDDING, 2),
    matrix('blk.0.attn_k.weight', EMBEDDING, kv, 2),
    matrix('blk.0.attn_v.weight', EMBEDDING, kv, 2),
    matrix('blk.0.attn_output.weight', EMBEDDING, EMBEDDING, 2),
    norm('blk.0.ffn_norm.weight'),
    matrix('blk.0.ffn_gate.weight', EMBEDDING, FEED_FORWARD),
    matrix('blk.0.ffn_up.weight', EMBEDDING, FEED_FORWARD),
    matrix('blk.0.ffn_down.weight', FEED_FORWARD, EMBEDDING),
  ];
}
