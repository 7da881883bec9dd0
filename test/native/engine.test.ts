/** The engine's typed face held against the addon: every export, every method, every column and its type. */
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/errors.ts';
import {
  engineAddon,
  type RawContextShape,
  type RawMeasure,
  type RawModel,
  type RawObservations,
  type RawRequest,
} from '../../src/native/engine.ts';
import { metricsAddon } from '../../src/native/metrics.ts';
import { plantedFiles } from '../e2e/planted.ts';

type Shape<T> = { readonly [Key in keyof T]-?: unknown };

const GENERATIONS = {
  request: 'Uint32Array',
  finish: 'Uint8Array',
  texts: 'Array',
  logProb: 'Float64Array',
  ids: 'Int32Array',
  offsets: 'Uint32Array',
} satisfies Shape<RawObservations['generations']>;

/** Names the constructor of each leaf; the compiler holds the keys against the types of the face. */
const OBSERVATIONS: { [Part in keyof RawObservations]: Shape<RawObservations[Part]> | string } = {
  rows: {
    request: 'Uint32Array',
    side: 'Uint32Array',
    position: 'Uint32Array',
    logsumexp: 'Float64Array',
    entropy: 'Float64Array',
    masses: 'Float64Array',
    topKIds: 'Int32Array',
    topKProbs: 'Float64Array',
  } satisfies Shape<RawObservations['rows']>,
  pairs: {
    request: 'Uint32Array',
    row: 'Uint32Array',
    rowSwap: 'Uint32Array',
    jsd: 'Float64Array',
    klPQ: 'Float64Array',
    klQP: 'Float64Array',
    totalVariation: 'Float64Array',
    unionSize: 'Uint32Array',
    partial: 'Float64Array',
    lower: 'Float64Array',
    upper: 'Float64Array',
  } satisfies Shape<RawObservations['pairs']>,
  scores: {
    request: 'Uint32Array',
    side: 'Uint32Array',
    tokens: 'Uint32Array',
    bytes: 'Uint32Array',
    logProb: 'Float64Array',
  } satisfies Shape<RawObservations['scores']>,
  generations: GENERATIONS,
  followed: GENERATIONS,
  embeddings: {
    request: 'Uint32Array',
    values: 'Float32Array',
  } satisfies Shape<RawObservations['embeddings']>,
  targets: {
    request: 'Uint32Array',
    side: 'Uint32Array',
    position: 'Uint32Array',
    token: 'Int32Array',
    logProb: 'Float64Array',
    rank: 'Uint32Array',
  } satisfies Shape<RawObservations['targets']>,
  sequences: {
    request: 'Uint32Array',
    side: 'Uint32Array',
    backedOff: 'Uint8Array',
    ids: 'Int32Array',
    offsets: 'Uint32Array',
  } satisfies Shape<RawObservations['sequences']>,
  failures: 'Array',
  decodedTokens: 'Number',
  naiveTokens: 'Number',
  threads: {
    threads: 'Number',
    cores: 'Number',
    by: 'String',
    trial: 'Array',
    trialSeconds: 'Number',
    retrials: 'Number',
    changes: 'Number',
  } satisfies Shape<RawObservations['threads']>,
};

const NOTHING: RawMeasure = {
  groupIds: Int32Array.of(),
  groupOffsets: Uint32Array.of(0),
  topK: 0,
  pairTopK: Uint32Array.of(),
};

function shapeOf(value: object): unknown {
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      Object.getPrototypeOf(part) === Object.prototype ? shapeOf(part) : part.constructor.name,
    ]),
  );
}

async function open(): Promise<RawModel> {
  const { model } = await plantedFiles();
  return engineAddon().openModel(model, {});
}

describe('the engine addon', () => {
  it('exports what its face says, and nothing else', () => {
    expect(Object.keys(engineAddon()).sort()).toEqual(
      ['CancelFlag', 'EngineModel', 'contextShape', 'errorCodes', 'openModel', 'system'].sort(),
    );
  });

  it('knows only codes of the one list', () => {
    for (const code of [...engineAddon().errorCodes(), ...metricsAddon().errorCodes()]) {
      expect(Object.keys(ERROR_CODES)).toContain(code);
    }
    expect(engineAddon().errorCodes().length).toBeGreaterThan(10);
  });

  it('describes the build', () => {
    const system = engineAddon().system();
    expect(shapeOf(system)).toEqual({
      llamaVersion: 'String',
      llamaCrate: 'String',
      builtFor: 'String',
      features: 'Array',
      cores: 'Number',
      metrics: 'Array',
      devices: 'Array',
    });
    expect(system.metrics.slice(0, 1)).toEqual(['cpu']);
    expect(system.metrics).toContain('graph');
    expect(system.llamaVersion).toMatch(/^\d+\.\d+\.\d+$/);
    expect(['cpu', 'cuda', 'metal', 'vulkan']).toContain(system.builtFor);
    expect(system.devices.map(({ kind }) => kind)).toContain('cpu');
    for (const device of system.devices) {
      expect(shapeOf(device)).toEqual({
        name: 'String',
        description: 'String',
        kind: 'String',
        metrics: 'String',
        memoryFree: 'Number',
        memoryTotal: 'Number',
      });
      expect(system.metrics).toContain(device.metrics);
      if (device.kind === 'cpu') expect(device.metrics).toBe('cpu');
    }
  });

  it('tells the shape of a context without a model', () => {
    const model = { vocabSize: 512, trainedContextLength: 4096 };
    const shape: RawContextShape = engineAddon().contextShape({ device: 'cpu' }, model);
    expect(shape).toEqual({
      contextLength: 1024,
      cells: 2048,
      batch: 128,
      graphTokens: 128,
      outputs: 128,
      devices: ['CPU'],
      metricsImpl: 'cpu',
      metricsBytes: 0,
    });
    // 128 pairs of 16 matrices of 512 floats are more than 128 rows of 8; and on the host three more numbers a logit.
    const graph = engineAddon().contextShape({ device: 'cpu', metricsImpl: 'graph' }, model);
    expect(graph).toMatchObject({ metricsImpl: 'graph', metricsBytes: 128 * 512 * 4 * (16 + 3) });
    const large = engineAddon().contextShape({ device: 'cpu', contextLength: 4096, batch: 2048 }, model);
    expect(large).toMatchObject({ contextLength: 4096, cells: 8192, batch: 2048, graphTokens: 512 });
    const refused: [object, object][] = [
      [{ contextLength: 4097 }, model],
      [{ batch: 1.5 }, model],
      [{ device: 'none' }, model],
      [{ metricsImpl: 'gpu' }, model],
      [{}, { vocabSize: 0, trainedContextLength: 1 }],
    ];
    for (const [options, of] of refused)
      expect(() => engineAddon().contextShape(options, of as typeof model)).toThrow(
        expect.objectContaining({ code: 'bad_argument' }),
      );
  });

  it('gives models the methods of the face', async () => {
    const model = await open();
    const methods: (keyof RawModel)[] = [
      'close',
      'cost',
      'detokenize',
      'info',
      'observe',
      'piece',
      'takeLogits',
      'tokenize',
      'tokenizeJoint',
    ];
    expect(
      Object.getOwnPropertyNames(Object.getPrototypeOf(model))
        .filter((name) => name !== 'constructor')
        .sort(),
    ).toEqual(methods);
    expect(shapeOf({ ...model.info(), chatTemplate: '', metricsWarning: '' })).toEqual({
      path: 'String',
      parts: 'Array',
      adapters: 'Array',
      devices: 'Array',
      description: 'String',
      architecture: 'String',
      parameters: 'Number',
      sizeBytes: 'Number',
      vocabSize: 'Number',
      contextLength: 'Number',
      threads: OBSERVATIONS.threads,
      metricsImpl: 'String',
      metricsWarning: 'String',
      metricsMemory: 'Number',
      trainedContextLength: 'Number',
      tokenizer: 'String',
      addsBos: 'Boolean',
      bosToken: 'Number',
      eosToken: 'Number',
      bosText: 'String',
      eosText: 'String',
      controlTokens: 'Array',
      chatTemplate: 'String',
    });
    expect(shapeOf(model.tokenizeJoint('The nurse', ' said', true, false))).toEqual({
      ids: 'Int32Array',
      boundary: 'Number',
      backedOff: 'Boolean',
    });
    await model.close();
  });

  it('gives observations the columns of the face', async () => {
    const model = await open();
    const observed = await model.observe(
      [{ kind: 'pair', texts: ['The', 'The nurse'] }],
      {
        groupIds: Int32Array.of(5, 6),
        groupOffsets: Uint32Array.of(0, 1, 2),
        topK: 3,
        pairTopK: Uint32Array.of(2, 4),
      },
      new (engineAddon().CancelFlag)(),
    );
    expect(shapeOf(observed)).toEqual(OBSERVATIONS);
    expect(observed.rows.masses.length).toBe(4);
    expect(observed.rows.topKIds.length).toBe(6);
    expect(observed.pairs.partial.length).toBe(2);
    await model.close();
  });

  it('counts what a window costs as observing it then does', async () => {
    const model = await open();
    const requests: RawRequest[] = ['nurse', 'chef', 'plumber'].map((who) => ({
      kind: 'score',
      texts: [`The ${who} said that`, ' he', ' she'],
    }));
    const cost = await model.cost(requests);
    expect(shapeOf(cost)).toEqual({ decodedTokens: 'Number', naiveTokens: 'Number', failures: 'Number' });
    const { decodedTokens, naiveTokens } = await model.observe(
      requests,
      NOTHING,
      new (engineAddon().CancelFlag)(),
    );
    expect(cost).toEqual({ decodedTokens, naiveTokens, failures: 0 });
    expect(decodedTokens).toBeLessThan(naiveTokens);
    expect(await model.cost([{ kind: 'probe', texts: ['The '.repeat(2000)] }])).toEqual({
      decodedTokens: 0,
      naiveTokens: 0,
      failures: 1,
    });
    await model.close();
  });

  it('hands logits to benchmarks, and to them alone', async () => {
    const { model: file } = await plantedFiles();
    const request: RawRequest = { kind: 'probe', texts: ['The nurse said that'], positions: 'all' };
    const observe = (model: RawModel) => model.observe([request], NOTHING, new (engineAddon().CancelFlag)());
    const measuring = await open();
    const measured = (await observe(measuring)).rows;
    expect(() => measuring.takeLogits()).toThrow(expect.objectContaining({ code: 'bad_argument' }));
    const { vocabSize } = measuring.info();
    await measuring.close();

    const copying = await engineAddon().openModel(file, {}, 'copy');
    const { rows } = await observe(copying);
    expect([...rows.position]).toEqual([...measured.position]);
    expect([...rows.entropy]).toEqual([...rows.entropy].fill(Number.NaN));
    const logits = copying.takeLogits();
    expect(logits.length).toBe(measured.position.length * vocabSize);
    const again = metricsAddon().rowMetricsSync(logits, { vocab: vocabSize });
    expect([...again.entropy]).toEqual([...measured.entropy]);
    expect(copying.takeLogits().length).toBe(0);
    await copying.close();

    const discarding = await engineAddon().openModel(file, {}, 'discard');
    expect([...(await observe(discarding)).rows.logsumexp]).toEqual([...rows.entropy]);
    await discarding.close();
    // Options are what users pass on: no name among them leads there.
    // biome-ignore lint/suspicious/noExplicitAny: wrong on purpose
    const optional = await engineAddon().openModel(file, { reducer: 'discard' } as any);
    expect([...(await observe(optional)).rows.entropy]).toEqual([...measured.entropy]);
    await optional.close();
    // biome-ignore lint/suspicious/noExplicitAny: wrong on purpose
    await expect(engineAddon().openModel(file, {}, 'gpu' as any)).rejects.toMatchObject({
      code: 'bad_argument',
    });
  });

  it('refuses what is not of the face, by name', async () => {
    const model = await open();
    const flag = new (engineAddon().CancelFlag)();
    const request = { kind: 'probe', texts: ['The'] };
    const going = (then: unknown) => ({ kind: 'generate', texts: ['The'], then });
    const measure = NOTHING;
    // biome-ignore lint/suspicious/noExplicitAny: wrong on purpose
    const observe = model.observe.bind(model) as any;
    const wrong: [unknown, unknown, unknown, string][] = [
      [null, measure, flag, 'requests'],
      [[7], measure, flag, 'requests[0]'],
      [[request], null, flag, 'measure'],
      [[request], measure, {}, 'CancelFlag'],
      [[{ ...request, kind: 'ask' }], measure, flag, 'requests[0].kind'],
      [[request, { ...request, texts: 'The' }], measure, flag, 'requests[1].texts'],
      [[{ ...request, texts: [7] }], measure, flag, 'requests[0].texts[0]'],
      [[{ ...request, positions: [0] }], measure, flag, 'positions'],
      [[{ ...request, positions: 'first' }], measure, flag, 'positions'],
      [[{ ...request, steps: 'some' }], measure, flag, 'steps'],
      [[going('on')], measure, flag, 'requests[0].then'],
      [[request, going({})], measure, flag, 'requests[1].then.text'],
      [[going({ text: 'x', seed: -1 })], measure, flag, 'requests[0].then.seed'],
      [[going({ text: 'x', stop: [7] })], measure, flag, 'requests[0].then.stop[0]'],
      [[request], { ...measure, groupIds: Uint32Array.of() }, flag, 'groupIds'],
      [[request], { ...measure, groupOffsets: Uint32Array.of() }, flag, 'groupOffsets'],
      [[request], { ...measure, groupOffsets: Uint32Array.of(0, 5) }, flag, 'groupOffsets'],
      [[request], { ...measure, topK: -1 }, flag, 'topK'],
      [[request], { ...measure, pairTopK: [1] }, flag, 'pairTopK'],
    ];
    for (const [s, m, f, named] of wrong) {
      expect(() => observe(s, m, f)).toThrow(
        expect.objectContaining({ code: 'bad_argument', message: expect.stringContaining(named) }),
      );
    }
    await model.close();
  });
});
