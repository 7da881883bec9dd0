/** The local model through the public API, on the planted model. */
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { openModel } from '../../src/model/index.ts';
import { countedDescription } from '../../src/model/size.ts';
import { plantedFiles } from '../e2e/planted.ts';
import { faultOf } from '../fault.ts';

/** What the metrics promise on every instruction set, relative. */
const VECTOR_KERNELS = 1e-6;

async function open(options = {}) {
  return openModel((await plantedFiles()).model, options);
}

describe('an open model', () => {
  it('says what it is', async () => {
    const { planted, model: path } = await plantedFiles();
    await using model = await open();
    expect(model.info).toMatchObject({
      path,
      architecture: 'llama',
      description: countedDescription(`llama ?B F32`, 'llama', model.info.parameters),
      tokenizer: 'llama',
      vocabSize: planted.vocabulary.tokens.length,
      addsBos: true,
      bosToken: planted.vocabulary.bos,
      chatTemplate: null,
    });
  });

  it('tokenizes and gives the text back', async () => {
    const { planted } = await plantedFiles();
    await using model = await open();
    const ids = await model.tokenize('The nurse said that she');
    expect(ids[0]).toBe(planted.vocabulary.bos);
    expect(ids.length).toBe(6);
    expect(await model.detokenize(ids)).toBe('The nurse said that she');
    expect([...(await model.tokenize('The nurse', { bos: false }))]).toEqual([...ids.subarray(1, 3)]);
    expect(await model.pieces(ids.subarray(4))).toEqual([' that', ' she']);
    expect(await model.pieces([])).toEqual([]);
    expect((await faultOf(model.pieces([0, -1]))).data).toMatchObject({ index: 1, token: -1 });
    // In 32 bits this would be token 1.
    expect((await faultOf(model.pieces([2 ** 32 + 1]))).code).toBe('out_of_range');
    expect((await faultOf(model.detokenize([planted.vocabulary.tokens.length]))).code).toBe('out_of_range');
  });

  it('tokenizes a prompt and its continuation as one text', async () => {
    await using model = await open();
    const joint = await model.tokenizeJoint('The nurse said that', ' she');
    expect(joint).toMatchObject({ boundary: 5, backedOff: false });
    const spanning = await model.tokenizeJoint('The nurse said that s', 'he');
    expect([...spanning.ids]).toEqual([...joint.ids]);
    expect(spanning).toMatchObject({ boundary: 5, backedOff: true });
  });

  it('reads special tokens as such only where it is asked to', async () => {
    const { planted } = await plantedFiles();
    const { bos, eos } = planted.vocabulary;
    await using model = await open();
    const plain = await model.tokenize('The nurse');
    // A BOS that the text brings is the only one; without one the model's own rule holds.
    for (const text of ['<s>The nurse', 'The nurse']) {
      expect(await model.tokenize(text, { special: true })).toEqual(plain);
    }
    expect([...(await model.tokenize('<s>The nurse', { special: true, bos: false }))]).toEqual([...plain]);
    expect([...(await model.tokenize('The nurse</s>', { special: true }))]).toEqual([...plain, eos]);
    const asText = await model.tokenize('<s>The nurse</s>');
    expect([...asText].filter((id) => id === bos || id === eos)).toEqual([bos]);
    const [first, second] = await model.tokenizeAll(['<s>The', 'The</s>'], { special: true });
    expect([[...first!], [...second!]]).toEqual([
      [bos, plain[1]],
      [bos, plain[1], eos],
    ]);
    const joint = await model.tokenizeJoint('<s>The nurse</s>', 'she', { special: true });
    expect([...joint.ids.subarray(0, 4)]).toEqual([...plain, eos]);
    expect(joint).toMatchObject({ boundary: 4, backedOff: false });
    expect((await model.tokenizeJoint('<s>The', ' nurse')).boundary).toBeGreaterThan(4);
  });

  it('gives a distribution: masses of a partition sum to 1', async () => {
    await using model = await open();
    const all = Int32Array.from({ length: model.vocabSize }, (_, id) => id);
    const half = model.vocabSize >> 1;
    const { rows } = await model.observeWindow([{ kind: 'probe', text: 'The nurse said that' }], {
      groups: [all.subarray(0, half), all.subarray(half), all],
      topK: 5,
    });
    expect(rows.rows).toBe(1);
    expect(Math.abs(rows.masses[0]! + rows.masses[1]! - 1)).toBeLessThan(VECTOR_KERNELS);
    expect(Math.abs(rows.masses[2]! - 1)).toBeLessThan(VECTOR_KERNELS);
    expect([...rows.topKProbs]).toEqual([...rows.topKProbs].sort((a, b) => b - a));
  });

  it('tells failed requests from observed ones', async () => {
    await using model = await open({ contextLength: 8 });
    const { rows, pairs, failures } = await model.observeWindow(
      [
        { kind: 'probe', text: 'The nurse said' },
        { kind: 'pair', text: 'The nurse said', textSwap: 'The nurse said that the nurse said that' },
        { kind: 'pair', text: 'The nurse said that she', textSwap: 'The nurse said that he' },
      ],
      { pairTopK: [3] },
    );
    expect([...rows.request]).toEqual([0, 2, 2]);
    expect([...rows.side]).toEqual([0, 0, 1]);
    expect([...pairs.request]).toEqual([2]);
    expect(failures).toEqual([
      {
        request: 1,
        code: 'context_overflow',
        message: expect.stringContaining('9 tokens'),
        data: { tokens: 9, context: 8 },
      },
    ]);
  });

  it('does not mind an empty window, and refuses requests of no kind', async () => {
    await using model = await open();
    const nothing = await model.observeWindow([], {});
    expect([nothing.rows.rows, nothing.pairs.pairs, nothing.decodedTokens]).toEqual([0, 0, 0]);
    // biome-ignore lint/suspicious/noExplicitAny: wrong on purpose
    const wrong = { kind: 'pair', text: 'The' } as any;
    const error = await faultOf(model.observeWindow([wrong], {}));
    expect([error.code, error.data]).toEqual(['bad_argument', { request: 0, key: 'textSwap' }]);
    expect((await faultOf(model.observeWindow([], { groups: [Int32Array.of(-5)] }))).code).toBe(
      'out_of_range',
    );
    expect((await faultOf(model.observeWindow([], { groups: [Int32Array.of(7, 7)] }))).code).toBe(
      'bad_argument',
    );
  });

  it('leaves the event loop free while it decodes', async () => {
    await using model = await open();
    const text = Array.from({ length: 40 }, () => 'The nurse said that').join(' ');
    const order: string[] = [];
    setImmediate(() => order.push('another turn of the loop'));
    await model.observeWindow(
      Array.from({ length: 200 }, () => ({ kind: 'probe' as const, text })),
      {},
    );
    order.push('observed');
    expect(order).toEqual(['another turn of the loop', 'observed']);
  });

  it('stops at an AbortSignal and works on', async () => {
    await using model = await open();
    const text = Array.from({ length: 40 }, () => 'The nurse said that').join(' ');
    const requests = Array.from({ length: 2000 }, () => ({ kind: 'probe' as const, text }));
    const controller = new AbortController();
    const observing = faultOf(model.observeWindow(requests, {}, { signal: controller.signal }));
    setImmediate(() => controller.abort());
    expect((await observing).code).toBe('cancelled');
    expect((await faultOf(model.observeWindow(requests, {}, { signal: AbortSignal.abort() }))).code).toBe(
      'cancelled',
    );
    expect((await model.observeWindow([{ kind: 'probe', text: 'The nurse' }], {})).rows.rows).toBe(1);
  });

  it('closes after what is running, once, and then says so', async () => {
    const model = await open();
    const running = model.observeWindow([{ kind: 'probe', text: 'The nurse said' }], {});
    const [observed] = await Promise.all([running, running.then(() => model.close())]);
    expect(observed.rows.rows).toBe(1);
    await model.close();
    expect((await faultOf(model.tokenize('The'))).code).toBe('engine_closed');
    expect((await faultOf(model.observeWindow([{ kind: 'probe', text: 'The' }], {}))).code).toBe(
      'engine_closed',
    );
  });

  it('runs windows asked for at once one after the other, each as if alone', async () => {
    await using model = await open();
    const texts = ['The nurse said that', 'The plumber said that', 'The nurse said that she'];
    const measure = { topK: 3 };
    const alone = [];
    for (const text of texts)
      alone.push((await model.observeWindow([{ kind: 'probe', text }], measure)).rows);
    const atOnce = await Promise.all(
      texts.map(async (text) => (await model.observeWindow([{ kind: 'probe', text }], measure)).rows),
    );
    expect(atOnce).toEqual(alone);
  });
});

describe('opening a model', () => {
  it('refuses options that cannot be', async () => {
    const cases: [object, string][] = [
      [{ contextLength: 0 }, 'contextLength'],
      [{ contextLength: 1.5e9 }, 'contextLength'],
      [{ threads: -1 }, 'threads'],
      [{ batch: Number.NaN }, 'batch'],
      [{ kvType: 'q8' }, 'kvType'],
      [{ mode: 'quick' }, 'mode'],
      [{ contextLength: 4096 }, 'trained on'],
      [{ gpuLayers: -2 }, 'gpuLayers'],
      [{ gpuLayers: 'all' }, 'gpuLayers'],
      [{ device: 7 }, 'device'],
      [{ device: 'CUDA99' }, 'there is no device "CUDA99"; choose one of auto, cpu'],
      [{ device: 'cpu', gpuLayers: 3 }, '3 layers on an accelerator are asked, and the CPU for all'],
    ];
    for (const [options, named] of cases) {
      const error = await faultOf(open(options));
      expect(error.code).toBe('bad_argument');
      expect(error.message).toContain(named);
    }
  });

  it('works in a worker thread beside the main thread', async () => {
    const { model } = await plantedFiles();
    await using own = await open();
    const code = `
      const { parentPort, workerData } = require('node:worker_threads');
      const addon = require(workerData.addon);
      addon.openModel(workerData.model, {}).then(async (model) => {
        const tokens = [...model.tokenize('The nurse', true)];
        await model.close();
        parentPort.postMessage(tokens);
      });`;
    const addon = new URL('../../build/engine.node', import.meta.url).pathname;
    const tokens = await new Promise((resolve, reject) => {
      const worker = new Worker(code, { eval: true, workerData: { model, addon } });
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    expect(tokens).toEqual([...(await own.tokenize('The nurse'))]);
  });
});
