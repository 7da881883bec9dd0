/**
 * LoRA adapters that the test writes, against the oracle: a float64 pass over weights into which the test merged
 * scale * alpha / rank * B A.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LocalModel, type ModelOptions, openModel } from '../../src/model/index.ts';
import { plantedFiles } from '../e2e/planted.ts';
import { faultOf } from '../fault.ts';
import { type KeyChanges, loraBytes, randomPairs } from '../gguf/lora-file.ts';
import { type ForwardModel, OracleLlama } from '../oracle/forward.ts';
import { type OracleGguf, readGgufFile } from '../oracle/gguf.ts';
import { type LoraPair, mergeLora } from '../oracle/lora.ts';
import { softmax } from '../oracle/metrics.ts';
import { sharedFile } from '../oracle/shared.ts';
import { OracleSpm } from '../oracle/spm.ts';
import { temporaryFolder } from '../temporary.ts';

const STORIES = sharedFile('models/stories260K.gguf');

/** float32 weights, activations and cache against float64; the largest difference seen is 2.6e-7. */
const FLOAT32 = 1e-6;
/** An adapter that moves a probability by less would show nothing. */
const MOVED = 1e-2;

const TEXTS = ['The nurse said that', 'Once upon a time', 'The nurse said that she was'];
const STORIES_WEIGHTS = [
  'token_embd.weight',
  'output.weight',
  ...[0, 1, 2, 3, 4].flatMap((layer) =>
    ['attn_q', 'attn_k', 'attn_v', 'attn_output', 'ffn_gate', 'ffn_up', 'ffn_down'].map(
      (name) => `blk.${layer}.${name}.weight`,
    ),
  ),
];

interface Subject {
  readonly path: string;
  readonly gguf: OracleGguf;
}

async function planted(): Promise<Subject> {
  const { model } = await plantedFiles();
  return { path: model, gguf: readGgufFile(model) };
}

const stories = (): Subject => ({ path: STORIES!, gguf: readGgufFile(STORIES!) });

function writeAdapter(pairs: readonly LoraPair[], alpha: number, changes?: KeyChanges): string {
  const path = join(temporaryFolder(), 'adapter.gguf');
  writeFileSync(path, loraBytes(pairs, alpha, changes));
  return path;
}

/** Every token's probability after each text. */
async function measured(model: LocalModel): Promise<number[][]> {
  const groups = Array.from({ length: model.vocabSize }, (_, id) => Int32Array.of(id));
  const requests = TEXTS.map((text) => ({ kind: 'probe' as const, text }));
  const { rows, failures } = await model.observeWindow(requests, { groups });
  expect(failures).toEqual([]);
  return TEXTS.map((_, row) => [...rows.masses.subarray(row * model.vocabSize, (row + 1) * model.vocabSize)]);
}

async function measuredWith(path: string, options: ModelOptions): Promise<number[][]> {
  await using model = await openModel(path, { threads: 1, ...options });
  return await measured(model);
}

function expected(model: ForwardModel, gguf: OracleGguf): number[][] {
  const [llama, spm] = [new OracleLlama(model), new OracleSpm(gguf)];
  return TEXTS.map((text) => softmax([...llama.forward(spm.tokenize(text)).logits]));
}

const largestDifference = (a: number[][], b: number[][]) =>
  Math.max(...a.flatMap((row, index) => row.map((value, id) => Math.abs(value - b[index]![id]!))));

describe('a LoRA adapter on the planted model', () => {
  it('changes what a merged float64 model changes', async () => {
    const { path, gguf } = await planted();
    const pairs = randomPairs(gguf, ['output.weight'], { rank: 3, size: 0.2, seed: 1 });
    const adapter = writeAdapter(pairs, 6);
    const found = await measuredWith(path, { lora: adapter });
    const base = expected(gguf, gguf);
    const wanted = expected(mergeLora(gguf, pairs, 6 / 3), gguf);
    expect(largestDifference(base, wanted)).toBeGreaterThan(MOVED);
    expect(largestDifference(found, wanted)).toBeLessThan(FLOAT32);
  });

  it('is the base model to the last bit with a scale of 0', async () => {
    const { path, gguf } = await planted();
    const pairs = randomPairs(gguf, ['output.weight'], { rank: 2, size: 0.2, seed: 2 });
    const found = await measuredWith(path, { lora: [{ path: writeAdapter(pairs, 4), scale: 0 }] });
    expect(found).toEqual(await measuredWith(path, {}));
  });
});

describe.skipIf(!STORIES)('LoRA adapters on stories260K', () => {
  const rank = 4;
  const alpha = 8;

  it('reach every kind of weight, with their scale', async () => {
    const { path, gguf } = stories();
    const pairs = randomPairs(gguf, STORIES_WEIGHTS, { rank, size: 0.06, seed: 3 });
    const adapter = writeAdapter(pairs, alpha);
    const base = expected(gguf, gguf);
    for (const scale of [1, 0.5, -1]) {
      const found = await measuredWith(path, { lora: [{ path: adapter, scale }] });
      const wanted = expected(mergeLora(gguf, pairs, (scale * alpha) / rank), gguf);
      expect(largestDifference(base, wanted), `scale ${scale}`).toBeGreaterThan(MOVED);
      expect(largestDifference(found, wanted), `scale ${scale}`).toBeLessThan(FLOAT32);
    }
  });

  it('add up', async () => {
    const { path, gguf } = stories();
    const some = randomPairs(gguf, STORIES_WEIGHTS.slice(2, 12), { rank, size: 0.1, seed: 4 });
    const others = randomPairs(gguf, STORIES_WEIGHTS.slice(7), { rank: 2, size: 0.1, seed: 5 });
    const lora = [
      { path: writeAdapter(some, alpha), scale: 0.5 },
      { path: writeAdapter(others, 3), scale: 2 },
    ];
    const wanted = expected(mergeLora(mergeLora(gguf, some, (0.5 * alpha) / rank), others, 3), gguf);
    expect(largestDifference(wanted, expected(gguf, gguf))).toBeGreaterThan(MOVED);
    const found = await measuredWith(path, { lora });
    expect(largestDifference(found, wanted)).toBeLessThan(FLOAT32);
    // Exact mode keeps its promise: the same bits in another process.
    const exact = await measuredWith(path, { lora, mode: 'exact' });
    expect(await measuredWith(path, { lora, mode: 'exact' })).toEqual(exact);
    expect(largestDifference(exact, wanted)).toBeLessThan(FLOAT32);
  });

  it('are told by the open model, however they were given, and in this process too', async () => {
    const { path, gguf } = stories();
    const pairs = randomPairs(gguf, STORIES_WEIGHTS.slice(2, 5), { rank, size: 0.1, seed: 6 });
    const adapter = writeAdapter(pairs, alpha);
    await using model = await openModel(path, { threads: 1, lora: adapter });
    expect(model.info.adapters).toEqual([{ path: adapter, scale: 1, alpha }]);
    await using tenth = await openModel(path, { threads: 1, lora: [{ path: adapter, scale: 0.1 }] });
    expect(tenth.info.adapters).toEqual([{ path: adapter, scale: 0.1, alpha }]);
    const found = await measured(model);
    for (const lora of [[adapter], [{ path: adapter }], [{ path: adapter, scale: 1 }]])
      expect(await measuredWith(path, { lora, inProcess: true })).toEqual(found);
    await using plain = await openModel(path, { threads: 1 });
    expect(plain.info.adapters).toEqual([]);
  });
});

describe('an adapter that cannot be used', () => {
  const cases: [string, (base: OracleGguf) => string, RegExp][] = [
    [
      'for a weight that the model does not have',
      (gguf) => {
        const [pair] = randomPairs(gguf, ['output.weight'], { rank: 1, size: 1, seed: 7 });
        return writeAdapter([{ ...pair!, weight: 'blk.7.attn_q.weight' }], 1);
      },
      /it changes blk\.7\.attn_q\.weight, which the model does not have/,
    ],
    [
      'of another size',
      (gguf) => {
        const [pair] = randomPairs(gguf, ['output.weight'], { rank: 2, size: 1, seed: 8 });
        return writeAdapter([{ ...pair!, a: pair!.a.subarray(2) }], 1);
      },
      /does not fit the model's weight of 128 x \d+/,
    ],
    [
      'of another architecture',
      (gguf) =>
        writeAdapter(randomPairs(gguf, ['output.weight'], { rank: 1, size: 1, seed: 9 }), 1, {
          'general.architecture': { type: 'string', value: 'gemma3' },
        }),
      /made for the architecture "gemma3", and the model is of "llama"/,
    ],
  ];
  for (const [name, make, message] of cases) {
    it(`${name}: model_invalid with its name`, async () => {
      const { path, gguf } = await planted();
      const adapter = make(gguf);
      for (const inProcess of [false, true]) {
        const error = await faultOf(openModel(path, { lora: adapter, inProcess }));
        expect(error.code).toBe('model_invalid');
        expect(error.data).toEqual({ file: adapter });
        expect(error.message).toMatch(message);
        expect(error.message).toContain(adapter);
      }
    });
  }

  it('by its option: bad_argument', async () => {
    const { path } = await planted();
    const wrong: [unknown, string][] = [
      [7, 'lora must be the path'],
      [[7], 'lora[0] must be a path'],
      [['a.gguf', {}], 'lora[1] must be a path'],
      [[{ path: 'a.gguf', scale: '1' }], 'lora[0].scale must be a number'],
      [[{ path: 'a.gguf', scale: Number.NaN }], 'lora[0].scale must be a number'],
      [[{ path: 'a.gguf', scale: 1e300 }], 'lora[0].scale must be a number'],
    ];
    for (const [lora, message] of wrong) {
      const error = await faultOf(openModel(path, { lora, inProcess: true } as unknown as ModelOptions));
      expect([error.code, error.message]).toEqual(['bad_argument', expect.stringContaining(message)]);
    }
    expect((await faultOf(openModel(path, { lora: 'none.gguf' }))).code).toBe('file_not_found');
  });

  it('because it is the model, or opened as one', async () => {
    const { path, gguf } = await planted();
    const adapter = writeAdapter(randomPairs(gguf, ['output.weight'], { rank: 1, size: 1, seed: 10 }), 1);
    expect((await faultOf(openModel(path, { lora: path }))).message).toContain(
      'it is a model, not an adapter',
    );
    expect((await faultOf(openModel(adapter))).message).toContain('it is an adapter, not a model');
    expect(readFileSync(adapter).subarray(0, 4).toString()).toBe('GGUF');
  });
});
