/** The written file, read back by two readers that share no code with the writer. */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gguf } from '@huggingface/gguf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ggufBytes } from '../../../src/demo/planted/gguf.ts';
import { plantedModel, writePlantedModel } from '../../../src/demo/planted/index.ts';
import { tensorsOf } from '../../../src/demo/planted/weights.ts';
import { readGguf } from '../../oracle/gguf.ts';
import { FEW } from './occupations.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'planted-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('the planted file', () => {
  const planted = plantedModel(FEW);

  test('reads back with the oracle: tokenizer, hyperparameters, tensors, alignment', () => {
    const { version, metadata, tensors } = readGguf(planted.bytes);
    const { tokens, scores, types } = planted.vocabulary;
    expect(version).toBe(3);
    expect(metadata.get('general.architecture')).toBe('llama');
    expect(metadata.get('general.description')).toContain('Not a language model');
    expect(metadata.get('llama.vocab_size')).toBe(tokens.length);
    expect(metadata.get('llama.rope.dimension_count')).toBe(metadata.get('llama.embedding_length'));
    expect(metadata.get('llama.attention.layer_norm_rms_epsilon')).toBe(1 / 128);
    expect(metadata.get('tokenizer.ggml.tokens')).toEqual(tokens.map(({ text }) => text));
    expect(metadata.get('tokenizer.ggml.scores')).toEqual([...scores]);
    expect(metadata.get('tokenizer.ggml.token_type')).toEqual([...types]);
    expect(metadata.get('tokenizer.ggml.add_bos_token')).toBe(true);
    expect(metadata.get('tokenizer.ggml.add_eos_token')).toBe(false);
    expect(metadata.get('tokenizer.ggml.add_space_prefix')).toBe(false);
    const wanted = tensorsOf(planted.construction);
    expect([...tensors.keys()]).toEqual(wanted.map(({ name }) => name));
    for (const { name, dims, data } of wanted) {
      const tensor = tensors.get(name)!;
      expect(tensor.shape).toEqual(dims);
      expect(tensor.offset % 32).toBe(0);
      expect(
        Buffer.compare(Buffer.from(tensor.data.buffer), Buffer.from((data as Float32Array).buffer)),
        name,
      ).toBe(0);
    }
  });

  test('reads back with @huggingface/gguf', async () => {
    const path = join(folder, 'planted.gguf');
    await writePlantedModel(path, planted);
    const { metadata, tensorInfos } = await gguf(path, { allowLocalFile: true });
    const values = new Map<string, unknown>(Object.entries(metadata));
    expect(values.get('general.architecture')).toBe('llama');
    expect(values.get('tokenizer.ggml.tokens')).toEqual(planted.vocabulary.tokens.map(({ text }) => text));
    expect(tensorInfos.map(({ name }) => name)).toEqual(
      tensorsOf(planted.construction).map(({ name }) => name),
    );
    for (const info of tensorInfos) expect(info.dtype).toBe(0);
  });

  test('is written whole, over an old file, without leaving a temporary one', async () => {
    const path = join(folder, 'twice.gguf');
    await writePlantedModel(path, plantedModel(FEW.slice(0, 1)));
    await writePlantedModel(path, planted);
    expect(Buffer.compare(await readFile(path), planted.bytes)).toBe(0);
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('a path that cannot be a file is an error that names it', async () => {
    const path = join(folder, 'planted.gguf', 'planted.gguf');
    await writePlantedModel(join(folder, 'planted.gguf'), planted);
    await expect(writePlantedModel(path, planted)).rejects.toMatchObject({
      name: 'AuditError',
      message: expect.stringContaining(path),
    });
  });
});

test('every metadata type reads back', () => {
  const bytes = ggufBytes(
    new Map([
      ['a.uint32', { type: 'uint32', value: 4294967295 }],
      ['a.float32', { type: 'float32', value: 0.1 }],
      ['a.true', { type: 'bool', value: true }],
      ['a.false', { type: 'bool', value: false }],
      ['a.string', { type: 'string', value: '\u2581né' }],
      ['a.strings', { type: 'strings', value: ['', 'x'] }],
      ['a.float32s', { type: 'float32s', value: Float32Array.of(-1.5, 1e30) }],
      ['a.int32s', { type: 'int32s', value: Int32Array.of(-7, 7) }],
    ] as const),
    [
      { name: 'one', dims: [3], data: Float32Array.of(1, 2, 3) },
      { name: 'two', dims: [2, 1], data: Float32Array.of(4, 5) },
    ],
  );
  const { metadata, tensors } = readGguf(bytes);
  expect(Object.fromEntries(metadata)).toEqual({
    'a.uint32': 4294967295,
    'a.float32': Math.fround(0.1),
    'a.true': true,
    'a.false': false,
    'a.string': '\u2581né',
    'a.strings': ['', 'x'],
    'a.float32s': [-1.5, Math.fround(1e30)],
    'a.int32s': [-7, 7],
  });
  expect([...tensors.get('one')!.data]).toEqual([1, 2, 3]);
  expect([...tensors.get('two')!.data]).toEqual([4, 5]);
});

test('dims that do not fit the data are refused', () => {
  const tensor = { name: 'odd', dims: [2, 2], data: new Float32Array(3) };
  expect(() => ggufBytes(new Map(), [tensor])).toThrow(/odd.*4 values, got 3/);
});
