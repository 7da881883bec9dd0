/**
 * A model of one llama block whose matrices are random blocks of one weight type. It says nothing; what it must compute is
 * known in float64 (forward.ts). Rows of 256, so that every type fits, and enough columns for every kernel.
 */
import { type GgufTensor, type GgufValue, ggufBytes } from '../demo/planted/index.ts';
import { Random } from './random.ts';
import type { WeightType } from './weight-types.ts';

export const EMBEDDING = 256;
export const HEADS = 4;
export const FEED_FORWARD = 512;
/** A multiple of 32, without which AMX's and others' kernels leave the product to plainer code. */
export const VOCABULARY = 512;
export const EPSILON = 1e-5;
export const ROPE_BASE = 10_000;
export const CONTEXT = 128;
const CONTROL = ['<unk>', '<s>', '</s>'];
const FIRST_CHARACTER = 0x4e00;

/** A matrix in float64, as its bytes say: rows x columns, row-major. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array<ArrayBuffer>;
}

export interface TestModel {
  /** The GGUF file. */
  readonly bytes: Uint8Array;
  /** By the names of GGUF; vectors have one row. */
  readonly weights: ReadonlyMap<string, Matrix>;
}

/** The text whose tokens are these ids, each above the control tokens'. */
export const textOf = (ids: readonly number[]): string =>
  ids.map((id) => String.fromCodePoint(FIRST_CHARACTER + id)).join('');

/** Ids of `count` random tokens that have a text. */
export function randomIds(count: number): number[] {
  const random = new Random(64);
  const free = VOCABULARY - CONTROL.length;
  return Array.from({ length: count }, () => CONTROL.length + Math.floor(random.uniform() * free));
}

/** Rows, columns and spread of a matrix: products have numbers of about 1, and logits of about 2. */
type Shape = readonly [rows: number, columns: number, spread: number];
const MATRICES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['token_embd.weight', [VOCABULARY, EMBEDDING, 1]],
  ['output.weight', [VOCABULARY, EMBEDDING, 2 / Math.sqrt(EMBEDDING)]],
  ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].map((name): [string, Shape] => [
    `blk.0.${name}.weight`,
    [EMBEDDING, EMBEDDING, 1 / Math.sqrt(EMBEDDING)],
  ]),
  ['blk.0.ffn_gate.weight', [FEED_FORWARD, EMBEDDING, 1 / Math.sqrt(EMBEDDING)]],
  ['blk.0.ffn_up.weight', [FEED_FORWARD, EMBEDDING, 1 / Math.sqrt(EMBEDDING)]],
  ['blk.0.ffn_down.weight', [EMBEDDING, FEED_FORWARD, 1 / Math.sqrt(FEED_FORWARD)]],
]);

const NORMS = ['output_norm.weight', 'blk.0.attn_norm.weight', 'blk.0.ffn_norm.weight'];

/** The model in this weight type; the same on every machine. */
export function buildTestModel(type: WeightType): TestModel {
  const random = new Random(1 + type.type);
  const tensors: GgufTensor[] = [];
  const weights = new Map<string, Matrix>();
  for (const [name, [rows, columns, spread]] of MATRICES) {
    const { bytes, values } = randomWeights(type, rows * columns, spread, random);
    tensors.push({ name, dims: [columns, rows], data: { type: type.type, bytes } });
    weights.set(name, { rows, columns, values });
  }
  for (const name of NORMS) {
    const data = Float32Array.from({ length: EMBEDDING }, () => 0.5 + random.uniform());
    tensors.push({ name, dims: [EMBEDDING], data });
    weights.set(name, { rows: 1, columns: EMBEDDING, values: Float64Array.from(data) });
  }
  return { bytes: ggufBytes(metadataOf(type), tensors), weights };
}

function randomWeights(type: WeightType, count: number, spread: number, random: Random) {
  const bytes = new Uint8Array((count / type.weights) * type.bytes);
  const values = new Float64Array(count);
  for (let i = 0; i * type.weights < count; i++) {
    const block = new DataView(bytes.buffer, i * type.bytes, type.bytes);
    type.fill(block, spread, random);
    type.read(block, values.subarray(i * type.weights, (i + 1) * type.weights));
  }
  return { bytes, values };
}

function metadataOf(type: WeightType): ReadonlyMap<string, GgufValue> {
  const uint32 = (value: number): GgufValue => ({ type: 'uint32', value });
  const float32 = (value: number): GgufValue => ({ type: 'float32', value });
  const string = (value: string): GgufValue => ({ type: 'string', value });
  const tokens = Array.from({ length: VOCABULARY }, (_, id) => CONTROL[id] ?? textOf([id]));
  return new Map<string, GgufValue>([
    ['general.architecture', string('llama')],
    ['general.name', string(`logit-audit self-test, ${type.name}`)],
    ['general.description', string('Random weights of one type, for a self-test. Not a language model.')],
    ['llama.vocab_size', uint32(VOCABULARY)],
    ['llama.context_length', uint32(CONTEXT)],
    ['llama.embedding_length', uint32(EMBEDDING)],
    ['llama.block_count', uint32(1)],
    ['llama.feed_forward_length', uint32(FEED_FORWARD)],
    ['llama.attention.head_count', uint32(HEADS)],
    ['llama.attention.head_count_kv', uint32(HEADS)],
    ['llama.attention.layer_norm_rms_epsilon', float32(EPSILON)],
    ['llama.rope.dimension_count', uint32(EMBEDDING / HEADS)],
    ['llama.rope.freq_base', float32(ROPE_BASE)],
    ['tokenizer.ggml.model', string('llama')],
    ['tokenizer.ggml.tokens', { type: 'strings', value: tokens }],
    ['tokenizer.ggml.scores', { type: 'float32s', value: new Float32Array(VOCABULARY) }],
    [
      'tokenizer.ggml.token_type',
      // 1: a normal token, 2: unknown, 3: control.
      { type: 'int32s', value: Int32Array.from(tokens, (_, id) => (id === 0 ? 2 : id < 3 ? 3 : 1)) },
    ],
    ['tokenizer.ggml.unknown_token_id', uint32(0)],
    ['tokenizer.ggml.bos_token_id', uint32(1)],
    ['tokenizer.ggml.eos_token_id', uint32(2)],
    ['tokenizer.ggml.add_bos_token', { type: 'bool', value: false }],
    ['tokenizer.ggml.add_eos_token', { type: 'bool', value: false }],
    ['tokenizer.ggml.add_space_prefix', { type: 'bool', value: false }],
  ]);
}
