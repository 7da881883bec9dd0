/** Small GGUF files for tests: some metadata, some tensors, nothing that runs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GgufTensor, type GgufValue, ggufBytes } from '../../src/demo/planted/gguf.ts';
import { temporaryFolder } from '../temporary.ts';

const text = (value: string): GgufValue => ({ type: 'string', value });
const uint = (value: number): GgufValue => ({ type: 'uint32', value });

/** A llama of 2 layers, 4 heads of 8, 2 of them for keys and values, and a vocabulary longer than a kept array. */
export const SMALL: ReadonlyMap<string, GgufValue> = new Map([
  ['general.architecture', text('llama')],
  ['general.name', text('Small \u001b[31mone')],
  ['general.license', text('mit')],
  ['general.file_type', uint(0)],
  ['llama.context_length', uint(128)],
  ['llama.block_count', uint(2)],
  ['llama.embedding_length', uint(32)],
  ['llama.attention.head_count', uint(4)],
  ['llama.attention.head_count_kv', uint(2)],
  ['tokenizer.ggml.model', text('gpt2')],
  ['tokenizer.ggml.pre', text('small')],
  [
    'tokenizer.ggml.tokens',
    { type: 'strings', value: Array.from({ length: 2000 }, (_, id) => (id === 1999 ? '<|end|>' : `t${id}`)) },
  ],
  ['tokenizer.ggml.scores', { type: 'float32s', value: new Float32Array(2000) }],
  // Unknown at 0, control tokens at both ends and far apart.
  [
    'tokenizer.ggml.token_type',
    {
      type: 'int32s',
      value: Int32Array.from({ length: 2000 }, (_, id) => ({ 0: 2, 1: 3, 1999: 3 })[id] ?? 1),
    },
  ],
  ['tokenizer.ggml.bos_token_id', uint(0)],
  ['tokenizer.ggml.eos_token_id', uint(1999)],
  ['tokenizer.ggml.padding_token_id', uint(4000)],
  ['tokenizer.ggml.add_bos_token', { type: 'bool', value: false }],
  ['tokenizer.chat_template', text("{% for m in messages %}\n{{ m.content ~ 'é' }}{% endfor %}")],
]);

export const TENSORS: readonly GgufTensor[] = [
  { name: 'token_embd.weight', dims: [32, 4], data: new Float32Array(128) },
  { name: 'output_norm.weight', dims: [32], data: new Float32Array(32) },
];

/** The bytes of a file whose metadata are `SMALL` with some keys set or, where undefined, left out. */
export function smallFile(
  changes: Readonly<Record<string, GgufValue | undefined>> = {},
  tensors: readonly GgufTensor[] = TENSORS,
): Uint8Array {
  const entries = [...Object.entries({ ...Object.fromEntries(SMALL), ...changes })];
  return ggufBytes(
    new Map(entries.filter((entry): entry is [string, GgufValue] => entry[1] !== undefined)),
    tensors,
  );
}

/** Writes bytes into a folder of the test's own; gives the path. */
export function write(bytes: Uint8Array, name = 'small.gguf', folder = temporaryFolder()): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}
