/**
 * Attacks the memory of what the public metrics are given, in a process that may die of it: `child.mjs ATTACK` prints one
 * JSON object, for each function what came of it. `same`: the numbers of an undisturbed call.
 */
import { isDeepStrictEqual } from 'node:util';
import { MessageChannel, Worker } from 'node:worker_threads';
import * as door from '../../../dist/numbers/index.js';

const metrics = { ...door };

const VOCAB = 4096;
const ROWS = 64;
const logits = (seed) => Float32Array.from({ length: ROWS * VOCAB }, (_, i) => Math.sin(i * seed) * 4);
const values = (seed, count = 400) => Float64Array.from({ length: count }, (_, i) => 1 + Math.cos(i * seed));
const flags = (count = 400) => Uint8Array.from({ length: count }, (_, i) => i % 2);
const ids = (count = 400) => Uint32Array.from({ length: count }, (_, i) => i % 20);
const lists = () => ({
  offsets: Uint32Array.of(0, 2, 4),
  keys: Int32Array.of(1, 2, 2, 3),
  logProbs: Float64Array.of(-1, -2, -1.5, -3),
  mostUnlisted: Float64Array.of(-2, -3),
});
const groups = () => [Int32Array.of(1, 2, 3), Int32Array.of(90)];
const steps = () => ({ gate: flags(), cluster: ids() });
const ratios = () => ({ numerators: values(1), denominators: values(2), columns: 2 });

/** Fresh arguments of every function that takes typed arrays. */
const ARGUMENTS = {
  rowMetrics: () => [
    logits(1),
    { vocab: VOCAB, groups: groups(), targets: new Int32Array(ROWS).fill(7), topK: 5 },
  ],
  pairMetrics: () => [logits(1), logits(2), { vocab: VOCAB, topK: [1, 5] }],
  listedRowMetrics: () => [lists(), { groups: groups(), complete: true }],
  listedPairMetrics: () => [lists(), lists()],
  aggregate: () => [values(1), steps()],
  pairedDifference: () => [values(1), values(2), steps()],
  correlation: () => [values(1), values(2), { method: 'spearman' }],
  kruskalWallis: () => [values(1), ids()],
  bootstrapRatios: () => [{ ...ratios(), cluster: ids(200), resamples: 200 }],
  bootstrapGroups: () => [{ ...ratios(), group: ids(200), groups: 20, resamples: 200 }],
  percentileInterval: () => [values(1), { level: 0.9 }],
  normalizeRows: () => [logits(1), { dimension: VOCAB }],
  innerProducts: () => [logits(1), logits(2), { dimension: VOCAB }],
  innerProductsHalf: () => [logits(1), logits(2), { dimension: VOCAB }],
};
/** Those that only run at once. */
const AT_ONCE = {
  gate: () => [{ topKHits: flags(), occupation: flags(), pronounOrName: flags(), window: 8, stepsAfter: 3 }],
  holm: () => [values(1, 50).map((value) => value / 2)],
  benjaminiHochberg: () => [values(1, 50).map((value) => value / 2)],
  aggregator: () => [{ values: values(1), gate: flags(), cluster: ids() }],
};

const aggregator = (columns) => new metrics.Aggregator().add(columns).resultSync();
const functionOf = (name) => (name === 'aggregator' ? aggregator : metrics[name]);

/** Every typed array in arguments, each with a way to put another in its place. */
function arraysIn(value, put = () => undefined) {
  if (ArrayBuffer.isView(value)) return [{ array: value, put }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((key) =>
    arraysIn(value[key], (other) => {
      value[key] = other;
    }),
  );
}
const replace = (inputs, change) => {
  for (const { array, put } of arraysIn(inputs)) put(change(array));
  return inputs;
};
const detach = (array) => {
  if (array.buffer.byteLength > 0) structuredClone(array.buffer, { transfer: [array.buffer] });
};
function eachArray(inputs, act) {
  for (const { array } of arraysIn(inputs)) act(array);
}
function detachAll(inputs) {
  eachArray(inputs, detach);
  return inputs;
}
function onBuffer(array, buffer, ...place) {
  new array.constructor(buffer).set(array);
  return new array.constructor(buffer, ...place);
}

async function outcome(call, expected) {
  try {
    return isDeepStrictEqual(await call(), expected) ? 'same' : 'another number';
  } catch (error) {
    return error.code === undefined ? String(error) : `${error.code}: ${error.message}`;
  }
}

/** Every function, later and at once, on inputs that `prepare` made; `during` runs when the call has been made. */
async function everyFunction({ prepare = (inputs) => inputs, during = () => undefined, only = () => true }) {
  const outcomes = {};
  const kinds = { ...ARGUMENTS, ...AT_ONCE };
  for (const name of Object.keys(ARGUMENTS)) kinds[`${name}Sync`] = ARGUMENTS[name];
  for (const [name, make] of Object.entries(kinds)) {
    if (!only(name)) continue;
    const expected = await functionOf(name)(...make());
    const inputs = prepare(make());
    outcomes[name] = await outcome(() => {
      const result = functionOf(name)(...inputs);
      during(inputs);
      return result;
    }, expected);
  }
  return outcomes;
}

const later = (name) => name in ARGUMENTS;

/** Arguments of which the last object detaches every array when a field of it is read for the first time. */
function trapped(inputs) {
  const at = inputs.findLastIndex((input) => !ArrayBuffer.isView(input));
  if (at < 0) return inputs;
  const all = [...inputs];
  let reads = 0;
  inputs[at] = new Proxy(inputs[at], {
    get(target, key) {
      const value = target[key];
      reads += 1;
      // After the value was read: what the caller of the getter holds is gone with the rest.
      if (reads === 1) detachAll(all);
      return value;
    },
  });
  return inputs;
}

const ATTACKS = {
  nothing: () => everyFunction({}),
  'detached during the call': () => everyFunction({ during: detachAll, only: later }),
  'posted away during the call': () => {
    const { port1, port2 } = new MessageChannel();
    const during = (inputs) => eachArray(inputs, (array) => port1.postMessage(array.buffer, [array.buffer]));
    return everyFunction({ during, only: later }).finally(() => {
      port1.close();
      port2.close();
    });
  },
  'overwritten during the call': () =>
    everyFunction({
      during: (inputs) => eachArray(inputs, (array) => array.fill(255)),
      only: later,
    }),
  'detached before the call': () => everyFunction({ prepare: detachAll }),
  'detached by a getter': () => everyFunction({ prepare: trapped }),
  'resizable, then shrunk': () =>
    everyFunction({
      prepare: (inputs) =>
        replace(inputs, (array) =>
          onBuffer(array, new ArrayBuffer(array.byteLength, { maxByteLength: array.byteLength * 2 })),
        ),
      during: (inputs) => eachArray(inputs, (array) => array.buffer.resize(0)),
    }),
  'resizable with a fixed view': () =>
    everyFunction({
      prepare: (inputs) =>
        replace(inputs, (array) => {
          const buffer = new ArrayBuffer(array.byteLength, { maxByteLength: array.byteLength * 2 });
          return onBuffer(array, buffer, 0, array.length);
        }),
      during: (inputs) => eachArray(inputs, (array) => array.buffer.resize(0)),
    }),
  shared: () =>
    everyFunction({
      prepare: (inputs) =>
        replace(inputs, (array) => onBuffer(array, new SharedArrayBuffer(array.byteLength))),
    }),
  'shared and growing': () =>
    everyFunction({
      prepare: (inputs) =>
        replace(inputs, (array) =>
          onBuffer(array, new SharedArrayBuffer(array.byteLength, { maxByteLength: array.byteLength * 2 })),
        ),
    }),
  'views in the midst of a buffer': () =>
    everyFunction({
      prepare: (inputs) =>
        replace(inputs, (array) => {
          const view = new array.constructor(array.length + 7).subarray(3, 3 + array.length);
          view.set(array);
          return view;
        }),
    }),
  'memory of WebAssembly that grows': () =>
    everyFunction({
      prepare: (inputs) =>
        replace(inputs, (array) => {
          const memory = new WebAssembly.Memory({ initial: Math.ceil(array.byteLength / 65536) + 1 });
          const view = new array.constructor(memory.buffer, 64, array.length);
          view.set(array);
          view.grow = () => memory.grow(1);
          return view;
        }),
      during: (inputs) => eachArray(inputs, (array) => array.grow()),
      only: later,
    }),
  'lying properties': () =>
    everyFunction({
      prepare: (inputs) =>
        replace(inputs, (array) =>
          Object.defineProperties(array, {
            length: { value: 2 ** 30 },
            byteLength: { value: 2 ** 32 },
            buffer: { value: new ArrayBuffer(8) },
            constructor: { value: class Other {} },
            [Symbol.toStringTag]: { value: 'Float32Array' },
          }),
        ),
    }),
  'handed over': async () => {
    const outcomes = {};
    for (const name of ['rowMetrics', 'pairMetrics']) {
      const expected = await metrics[name](...ARGUMENTS[name]());
      const inputs = ARGUMENTS[name]();
      inputs.at(-1).transfer = true;
      outcomes[name] = await outcome(() => metrics[name](...inputs), expected);
      outcomes[`${name} leaves`] = inputs.filter(ArrayBuffer.isView).map(({ length }) => length);
    }
    // Both sides, and the targets too, in one buffer.
    const both = new Float32Array(2 * ROWS * VOCAB);
    both.set(logits(1));
    both.set(logits(2), ROWS * VOCAB);
    const sides = [both.subarray(0, ROWS * VOCAB), both.subarray(ROWS * VOCAB)];
    const expected = await metrics.pairMetrics(logits(1), logits(2), { vocab: VOCAB });
    outcomes['one buffer'] = await outcome(
      () => metrics.pairMetrics(...sides, { vocab: VOCAB, transfer: true }),
      expected,
    );
    const joined = new ArrayBuffer(4 * ROWS * VOCAB + 4 * ROWS);
    const z = new Float32Array(joined, 0, ROWS * VOCAB);
    z.set(logits(1));
    const targets = new Int32Array(joined, 4 * ROWS * VOCAB, ROWS).fill(7);
    const rows = await metrics.rowMetrics(logits(1), { vocab: VOCAB, targets: targets.slice() });
    outcomes['targets beside'] = await outcome(
      () => metrics.rowMetrics(z, { vocab: VOCAB, targets, transfer: true }),
      rows,
    );
    return outcomes;
  },
  'a thread that ends during the call': async () => {
    for (let round = 0; round < 5; round += 1) {
      const source = `const { workerData } = require('node:worker_threads');
        import(workerData).then(({ rowMetrics }) => {
          const calls = Array.from({ length: 8 }, () => rowMetrics(new Float32Array(2 ** 21), { vocab: 4096, transfer: true }));
          process.exit(0);
        });`;
      const workerData = new URL('../../../dist/numbers/index.js', import.meta.url).href;
      await new Promise((resolve) => new Worker(source, { eval: true, workerData }).once('exit', resolve));
    }
    return {};
  },
};

process.stdout.write(JSON.stringify(await ATTACKS[process.argv[2]]()));
