/** What becomes of the memory of an input while it is measured, in processes that a wrong read would end. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { tokenIds } from '../../../src/model/llama/local.ts';
import { ownMeasure, toRawMeasure } from '../../../src/model/llama/raw.ts';
import { gate, pairMetrics, rowMetrics, rowMetricsSync } from '../../../src/numbers/index.ts';
import { expectError } from '../helpers.ts';

const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url));

/** What came of each function under an attack. A process that crashed rejects with its signal. */
async function outcomes(attack: string): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, attack]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('every function gives the numbers of an undisturbed call, its arrays', () => {
  test.for([
    ['nothing', 32],
    ['detached during the call', 14],
    ['posted away during the call', 14],
    ['overwritten during the call', 14],
    ['memory of WebAssembly that grows', 14],
    ['views in the midst of a buffer', 32],
    ['lying properties', 32],
  ] as const)('%s', async ([attack, functions]) => {
    const found = await outcomes(attack);
    expect(new Set(Object.values(found))).toEqual(new Set(['same']));
    expect(Object.keys(found)).toHaveLength(functions);
  });
});

describe('every function refuses arrays that are', () => {
  test.for([
    ['detached before the call', 'its buffer was detached: pass it before'],
    ['resizable, then shrunk', 'resizable ArrayBuffer, which may shrink while it is read: pass a copy, new '],
    ['resizable with a fixed view', 'resizable ArrayBuffer'],
    ['shared', 'SharedArrayBuffer, which other threads may write to: pass a copy, new '],
    ['shared and growing', 'SharedArrayBuffer'],
  ] as const)('%s', async ([attack, message]) => {
    const found = Object.values(await outcomes(attack));
    expect(found).toHaveLength(32);
    for (const outcome of found) {
      expect(outcome).toMatch(/^bad_argument: `\w+` /);
      expect(outcome).toContain(message);
    }
  });

  test('detached by a getter of the options', async () => {
    const found = await outcomes('detached by a getter');
    for (const [name, outcome] of Object.entries(found)) {
      // These have no options, so that nothing of the caller's runs.
      const expected = /^(kruskalWallis(Sync)?|holm|benjaminiHochberg)$/.test(name)
        ? /^same$/
        : /was detached/;
      expect(outcome, name).toMatch(expected);
    }
  });
});

test('memory that is handed over is measured where it lies, and is empty afterwards', async () => {
  expect(await outcomes('handed over')).toEqual({
    rowMetrics: 'same',
    'rowMetrics leaves': [0],
    pairMetrics: 'same',
    'pairMetrics leaves': [0, 0],
    'one buffer': 'same',
    'targets beside': 'same',
  });
});

test('a thread may end while its calls are running', async () => {
  expect(await outcomes('a thread that ends during the call')).toEqual({});
});

const detached = <T extends Int32Array | Float32Array>(array: T): T => {
  structuredClone(array.buffer, { transfer: [array.buffer as ArrayBuffer] });
  return array;
};

test('an empty array is empty and not detached', async () => {
  await expectError(() => rowMetrics(new Float32Array(), { vocab: 2 }), 'empty_input', 'logits');
  await expectError(
    () => rowMetricsSync(new Float32Array(4).subarray(2, 2), { vocab: 2 }),
    'empty_input',
    'logits',
  );
});

test('arrays of other realms and Buffers of the pool are what they are', async () => {
  const logits = runInNewContext('Float32Array.of(1, 2)') as Float32Array;
  const expected = rowMetricsSync(Float32Array.of(1, 2), { vocab: 2 });
  expect(rowMetricsSync(logits, { vocab: 2 })).toEqual(expected);
  expect(await rowMetrics(logits, { vocab: 2, transfer: true })).toEqual(expected);
  const pooled = Buffer.from([1, 0, 1]);
  expect(pooled.buffer.byteLength).toBeGreaterThan(3);
  const flags = { topKHits: pooled, occupation: pooled, pronounOrName: pooled, window: 1, stepsAfter: 0 };
  expect([...gate(flags).gate]).toEqual([1, 0, 1]);
});

test('nothing is detached by a call that is refused', async () => {
  const [a, b] = [new Float32Array(2), new Float32Array(new SharedArrayBuffer(8))];
  await expectError(() => pairMetrics(a, b, { vocab: 2, transfer: true }), 'bad_argument', '`b`');
  expect(a).toHaveLength(2);
});

test('objects that only look like typed arrays are refused', async () => {
  const fake = Object.create(Float32Array.prototype) as Float32Array;
  await expectError(() => rowMetricsSync(fake, { vocab: 2 }), 'bad_argument', '`logits`');
});

describe('the engine', () => {
  test('groups are taken when they are given, and not when a window is decoded', () => {
    const group = Int32Array.of(1, 2);
    const measure = ownMeasure({ groups: [group] });
    detached(group);
    expect([...toRawMeasure(measure).groupIds]).toEqual([1, 2]);
  });

  test('a group or tokens that were detached are no empty ones', async () => {
    const group = detached(Int32Array.of(1));
    await expectError(
      () => ownMeasure({ groups: [group] }),
      'bad_argument',
      '`groups` has no memory any more',
    );
    await expectError(() => tokenIds(group, 5), 'bad_argument', '`tokens` has no memory any more');
  });
});
