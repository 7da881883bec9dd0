/** What a GGUF file says of itself, held against files whose content is known and against another reader. */
import { join } from 'node:path';
import { gguf } from '@huggingface/gguf';
import { describe, expect, it } from 'vitest';
import { readHeader } from '../../src/gguf/header.ts';
import { summarizeGguf } from '../../src/gguf/index.ts';
import { faultOf } from '../fault.ts';
import { temporaryFolder } from '../temporary.ts';
import { SMALL, smallFile, TENSORS, write } from './files.ts';

const uint = (value: number) => ({ type: 'uint32', value }) as const;

describe('a model', () => {
  it('is told from its header', async () => {
    const bytes = smallFile();
    const path = write(bytes);
    expect(await summarizeGguf(path)).toEqual({
      path,
      parts: [{ path, bytes: bytes.length }],
      ggufVersion: 3,
      architecture: 'llama',
      name: 'Small \u001b[31mone',
      licence: 'mit',
      parameters: 160,
      weightBytes: 640,
      quantisation: 'F32',
      tensorTypes: [{ type: 'F32', tensors: 2, parameters: 160, bytes: 640 }],
      vocabSize: 2000,
      tokenizer: 'gpt2',
      preTokenizer: 'small',
      trainedContextLength: 128,
      layers: 2,
      embeddingLength: 32,
      heads: 4,
      specialTokens: [
        { name: 'bos', id: 0, text: 't0' },
        { name: 'eos', id: 1999, text: '<|end|>' },
        { name: 'padding', id: 4000, text: null },
      ],
      controlTokens: ['t0', 't1', '<|end|>'],
      addsBos: false,
      addsEos: null,
      chatTemplate: "{% for m in messages %}\n{{ m.content ~ 'é' }}{% endfor %}",
      // 2 layers x 2 heads x (8 + 8) values x 4 bytes x 1,000 tokens.
      kv: { bytesPer1000Tokens: { f32: 256_000, f16: 128_000 }, slidingWindow: null },
      logitsBytesPerRow: 8000,
    });
  });

  it('is read as another reader reads it', async () => {
    const path = write(smallFile());
    const { metadata, tensors } = await readHeader(path);
    const other = await gguf(path, { allowLocalFile: true });
    const theirs = new Map<string, unknown>(Object.entries(other.metadata));
    for (const [key, value] of metadata) {
      const wanted = theirs.get(key);
      if (typeof value !== 'object') expect(value).toEqual(wanted);
      else expect(value.length).toBe((wanted as unknown[]).length);
    }
    expect(metadata.size).toBe(SMALL.size);
    expect(tensors.map(({ name, shape }) => [name, shape])).toEqual(
      other.tensorInfos.map(({ name, shape }) => [name, shape.map(Number)]),
    );
  });

  it('has a cache by layer where its heads are told by layer, and a window', async () => {
    const path = write(
      smallFile({
        'llama.attention.head_count_kv': { type: 'int32s', value: Int32Array.of(0, 1) },
        'llama.attention.key_length': uint(16),
        'llama.attention.value_length': uint(4),
        'llama.attention.sliding_window': uint(64),
      }),
    );
    expect((await summarizeGguf(path)).kv).toEqual({
      bytesPer1000Tokens: { f32: 80_000, f16: 40_000 },
      slidingWindow: 64,
    });
  });

  it('that says little has nulls, not guesses', async () => {
    const path = write(
      smallFile({
        'llama.block_count': undefined,
        'general.file_type': uint(999),
        'tokenizer.ggml.tokens': undefined,
        'tokenizer.chat_template': undefined,
        'general.name': uint(7),
      }),
    );
    expect(await summarizeGguf(path)).toMatchObject({
      kv: null,
      layers: null,
      vocabSize: null,
      controlTokens: null,
      logitsBytesPerRow: null,
      quantisation: 'file type 999',
      chatTemplate: null,
      name: null,
    });
  });
});

describe('a model in parts', () => {
  const part = (no: number, tensor: number) =>
    smallFile({ 'split.no': uint(no), 'split.count': uint(2) }, [TENSORS[tensor]!]);

  it('is told whole', async () => {
    const folder = temporaryFolder();
    const first = write(part(0, 0), 'small-00001-of-00002.gguf', folder);
    const second = write(part(1, 1), 'small-00002-of-00002.gguf', folder);
    const { parts, parameters } = await summarizeGguf(first);
    expect(parts.map(({ path }) => path)).toEqual([first, second]);
    expect(parameters).toBe(160);
    const error = await faultOf(summarizeGguf(second));
    expect(error.code).toBe('model_invalid');
    expect(error.message).toContain(`part 2 of 2; give the first, ${first}`);
  });

  it('says which parts are missing, and what it should be called', async () => {
    const folder = temporaryFolder();
    const first = write(part(0, 0), 'small-00001-of-00002.gguf', folder);
    const error = await faultOf(summarizeGguf(first));
    expect(error.code).toBe('file_not_found');
    expect(error.data.missing).toEqual([join(folder, 'small-00002-of-00002.gguf')]);
    expect((await faultOf(summarizeGguf(write(part(0, 0), 'renamed.gguf', folder)))).message).toContain(
      'not named name-00001-of-0000N.gguf',
    );
  });
});
