/** What a GGUF file says of itself, held against files whose content is known and against another reader. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { gguf } from '@huggingface/gguf';
import { describe, expect, it } from 'vitest';
import { readHeader } from '../../src/gguf/header.ts';
import { memoryNeed, summarizeAdapter, summarizeGguf } from '../../src/gguf/index.ts';
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

  it('has the quantisation of most of its parameters where it does not say', async () => {
    const path = write(smallFile({ 'general.file_type': undefined }));
    expect((await summarizeGguf(path)).quantisation).toBe('F32');
  });

  it('that says little has nulls, not guesses', async () => {
    const path = write(
      smallFile({
        'llama.block_count': undefined,
        'general.file_type': uint(999),
        'llama.attention.head_count': undefined,
        'tokenizer.ggml.tokens': undefined,
        'tokenizer.chat_template': undefined,
        'general.name': uint(7),
      }),
    );
    expect(await summarizeGguf(path)).toMatchObject({
      kv: null,
      layers: null,
      heads: null,
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
  const part = (no: number, tensor: number, changes = {}) =>
    smallFile({ 'split.no': uint(no), 'split.count': uint(2), 'split.tensors.count': uint(2), ...changes }, [
      TENSORS[tensor]!,
    ]);

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

  it('says which parts do not belong to it', async () => {
    const folder = temporaryFolder();
    const first = write(part(0, 0), 'small-00001-of-00002.gguf', folder);
    const told = async (second: Uint8Array) => {
      write(second, 'small-00002-of-00002.gguf', folder);
      const error = await faultOf(summarizeGguf(first));
      expect(error.code).toBe('model_invalid');
      return error.message;
    };
    expect(await told(part(0, 1))).toContain('inside it is not part 2 of 2');
    expect(await told(part(1, 1, { 'split.count': uint(3) }))).toContain('inside it is not part 2 of 2');
    expect(await told(part(1, 0))).toContain('its parts hold 1 tensors, and it counts 2');
  });
});

describe('a LoRA adapter', () => {
  const adapter = (changes = {}) =>
    write(
      smallFile(
        {
          'general.type': { type: 'string', value: 'adapter' },
          'adapter.type': { type: 'string', value: 'lora' },
          'adapter.lora.alpha': { type: 'float32', value: 16 },
          ...changes,
        },
        [
          { name: 'one.weight.lora_a', dims: [32, 4], data: new Float32Array(128) },
          { name: 'one.weight.lora_b', dims: [4, 8], data: new Float32Array(32) },
          { name: 'two.weight.lora_a', dims: [32, 2], data: new Float32Array(64) },
          { name: 'two.weight.lora_b', dims: [2, 8], data: new Float32Array(16) },
        ],
      ),
    );

  it('is told from its header, and is no model', async () => {
    const path = adapter();
    expect(await summarizeAdapter(path)).toEqual({
      path,
      bytes: statSync(path).size,
      architecture: 'llama',
      name: 'Small \u001b[31mone',
      alpha: 16,
      rank: { least: 2, most: 4 },
      weights: 2,
      parameters: 240,
    });
    expect((await faultOf(summarizeGguf(path))).message).toContain('it is an adapter, not a model');
  });

  it('is no model, and no adapter of another kind', async () => {
    for (const path of [write(smallFile()), adapter({ 'adapter.type': undefined })])
      expect((await faultOf(summarizeAdapter(path))).message).toContain('it is no LoRA adapter');
    const empty = write(
      smallFile({
        'general.type': { type: 'string', value: 'adapter' },
        'adapter.type': { type: 'string', value: 'lora' },
      }),
    );
    expect((await faultOf(summarizeAdapter(empty))).message).toContain('holds no tensors of a LoRA adapter');
  });
});

describe('the memory that a model needs', () => {
  const model = {
    weightBytes: 1000,
    kv: { bytesPer1000Tokens: { f32: 2000, f16: 1000 }, slidingWindow: null },
    heads: 2,
    logitsBytesPerRow: 40,
  };
  const sizes = { cells: 500, graphTokens: 10, outputs: 3, metricsBytes: 0 };

  it('is that of its weights, cache, logits and work space', () => {
    // Scores: 2 heads x 10 tokens x 500 cells x 4 bytes; the mask: 10 x 500 x 4.
    expect(memoryNeed(model, sizes, { kvType: 'f32', flashAttention: false })).toEqual({
      weights: 1000,
      kvCache: 1000,
      logits: 120,
      metrics: 0,
      workSpace: 60_000,
      total: 62_120,
    });
    expect(memoryNeed(model, sizes, { kvType: 'f16', flashAttention: true })).toEqual({
      weights: 1000,
      kvCache: 500,
      logits: 120,
      metrics: 0,
      workSpace: 10_120,
      total: 11_740,
    });
    const onDevice = memoryNeed(
      model,
      { ...sizes, metricsBytes: 500 },
      { kvType: 'f32', flashAttention: false },
    );
    expect([onDevice.metrics, onDevice.total]).toEqual([500, 62_620]);
  });

  it('is not known where a part of it is not', () => {
    const need = memoryNeed({ ...model, heads: null }, sizes, { kvType: 'f32', flashAttention: false });
    expect([need.workSpace, need.total, need.kvCache]).toEqual([null, null, 1000]);
    expect(
      memoryNeed({ ...model, kv: null }, sizes, { kvType: 'f32', flashAttention: false }).total,
    ).toBeNull();
  });
});
