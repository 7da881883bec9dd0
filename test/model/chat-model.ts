/**
 * A model that chats can be rendered for: a vocabulary of bytes and of the special tokens that templates write, weights
 * without meaning, and the template that a test wants. Every file is written once a process.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GgufTensor, type GgufValue, ggufBytes } from '../../src/demo/planted/gguf.ts';

const TYPE = { normal: 1, unknown: 2, control: 3, userDefined: 4, byte: 6 } as const;

const TOKENS: readonly (readonly [text: string, type: number])[] = [
  ['<unk>', TYPE.unknown],
  ['<s>', TYPE.control],
  ['</s>', TYPE.control],
  ...Array.from({ length: 256 }, (_, byte): [string, number] => [
    `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
    TYPE.byte,
  ]),
  ['\u2581', TYPE.normal],
  ['<|im_start|>', TYPE.control],
  ['<|im_end|>', TYPE.control],
  ['<|start_header_id|>', TYPE.control],
  ['<|end_header_id|>', TYPE.control],
  ['<|eot_id|>', TYPE.control],
  ['<|assistant|>', TYPE.control],
  ['<|user|>', TYPE.control],
  ['<|end|>', TYPE.control],
  ['<think>', TYPE.userDefined],
  ['</think>', TYPE.userDefined],
];

export const BOS = 1;
export const CONTROL_TOKENS = TOKENS.filter(([, type]) => type === TYPE.control || type === TYPE.unknown).map(
  ([text]) => text,
);

/** Id of a token by its text. */
export function idOf(text: string): number {
  return TOKENS.findIndex(([known]) => known === text);
}

const WIDTH = 16;
const FEED_FORWARD = 24;
const VOCAB = TOKENS.length;

/** Numbers that look random and are the same everywhere. */
function tensor(name: string, dims: readonly number[], seed: number): GgufTensor {
  const length = dims.reduce((product, dim) => product * dim, 1);
  const data = Float32Array.from({ length }, (_, index) => Math.sin((index + 1) * (12.9898 + seed)) / 2);
  return { name, dims, data };
}

function ones(name: string): GgufTensor {
  return { name, dims: [WIDTH], data: new Float32Array(WIDTH).fill(1) };
}

const TENSORS: readonly GgufTensor[] = [
  tensor('token_embd.weight', [WIDTH, VOCAB], 1),
  ones('output_norm.weight'),
  tensor('output.weight', [WIDTH, VOCAB], 2),
  ones('blk.0.attn_norm.weight'),
  tensor('blk.0.attn_q.weight', [WIDTH, WIDTH], 3),
  tensor('blk.0.attn_k.weight', [WIDTH, WIDTH], 4),
  tensor('blk.0.attn_v.weight', [WIDTH, WIDTH], 5),
  tensor('blk.0.attn_output.weight', [WIDTH, WIDTH], 6),
  ones('blk.0.ffn_norm.weight'),
  tensor('blk.0.ffn_gate.weight', [WIDTH, FEED_FORWARD], 7),
  tensor('blk.0.ffn_up.weight', [WIDTH, FEED_FORWARD], 8),
  tensor('blk.0.ffn_down.weight', [FEED_FORWARD, WIDTH], 9),
];

const folder = mkdtempSync(join(tmpdir(), 'logit-audit-chat-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const written = new Map<string, string>();

/** The path of a model with this template; `addsBos` is the tokenizer's own rule, `contextLength` is in bytes of text. */
export function chatModel(template: string | null, { addsBos = true, contextLength = 512 } = {}): string {
  const key = JSON.stringify([template, addsBos, contextLength]);
  const known = written.get(key);
  if (known !== undefined) return known;
  const path = join(folder, `chat-${written.size}.gguf`);
  writeFileSync(path, ggufBytes(metadata(template, addsBos, contextLength), TENSORS));
  written.set(key, path);
  return path;
}

function metadata(
  template: string | null,
  addsBos: boolean,
  contextLength: number,
): ReadonlyMap<string, GgufValue> {
  const uint32 = (value: number): GgufValue => ({ type: 'uint32', value });
  const float32 = (value: number): GgufValue => ({ type: 'float32', value });
  const bool = (value: boolean): GgufValue => ({ type: 'bool', value });
  const string = (value: string): GgufValue => ({ type: 'string', value });
  return new Map<string, GgufValue>([
    ['general.architecture', string('llama')],
    ['llama.vocab_size', uint32(VOCAB)],
    ['llama.context_length', uint32(contextLength)],
    ['llama.embedding_length', uint32(WIDTH)],
    ['llama.block_count', uint32(1)],
    ['llama.feed_forward_length', uint32(FEED_FORWARD)],
    ['llama.attention.head_count', uint32(2)],
    ['llama.attention.head_count_kv', uint32(2)],
    ['llama.attention.layer_norm_rms_epsilon', float32(1e-5)],
    ['llama.rope.dimension_count', uint32(WIDTH / 2)],
    ['tokenizer.ggml.model', string('llama')],
    ['tokenizer.ggml.tokens', { type: 'strings', value: TOKENS.map(([text]) => text) }],
    ['tokenizer.ggml.scores', { type: 'float32s', value: new Float32Array(VOCAB) }],
    ['tokenizer.ggml.token_type', { type: 'int32s', value: Int32Array.from(TOKENS, ([, type]) => type) }],
    ['tokenizer.ggml.unknown_token_id', uint32(0)],
    ['tokenizer.ggml.bos_token_id', uint32(BOS)],
    ['tokenizer.ggml.eos_token_id', uint32(2)],
    ['tokenizer.ggml.add_bos_token', bool(addsBos)],
    ['tokenizer.ggml.add_eos_token', bool(false)],
    ['tokenizer.ggml.add_space_prefix', bool(false)],
    ...(template === null ? [] : [['tokenizer.chat_template', string(template)] as const]),
  ]);
}
