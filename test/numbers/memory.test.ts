/** Inputs are read in place and left as they were, and a hundred thousand calls leave nothing behind. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  Aggregator,
  aggregate,
  aggregateSync,
  benjaminiHochberg,
  gate,
  holm,
  mcnemar,
  pairedDifference,
  pairedDifferenceSync,
  pairMetrics,
  pairMetricsSync,
  rowMetrics,
  rowMetricsSync,
  wilson,
} from '../../src/numbers/index.ts';
import { uniforms } from './helpers.ts';

const VOCAB = 100;
const ROWS = 4;
const logits = Float32Array.from(uniforms(1, ROWS * VOCAB));
const others = Float32Array.from(uniforms(2, ROWS * VOCAB));
const values = Float64Array.from(uniforms(3, ROWS * VOCAB));
const more = Float64Array.from(uniforms(4, ROWS * VOCAB));
const flags = Uint8Array.from(values, (value) => (value < 0.5 ? 1 : 0));
const cluster = Uint32Array.from(values, (_, i) => i % 40);
const names = [...cluster].map((id) => `prompt ${id}`);
const groups = [Int32Array.of(1, 2, 3), Int32Array.of(90)];
const targets = Int32Array.of(0, -1, 5, 99);
const inputs = { logits, others, values, more, flags, cluster, names, groups, targets };

const rowOptions = { vocab: VOCAB, groups, targets, topK: 5 };
const pairOptions = { vocab: VOCAB, topK: [1, 5] };
const steps = { gate: flags, cluster };
const bootstrap = { ...steps, ci: 'bootstrap', resamples: 50 } as const;

const sync = {
  rowMetrics: () => rowMetricsSync(logits, rowOptions),
  pairMetrics: () => pairMetricsSync(logits, others, pairOptions),
  gate: () => gate({ topKHits: flags, occupation: flags, pronounOrName: flags, window: 8, stepsAfter: 3 }),
  aggregate: () => aggregateSync(values, steps),
  bootstrap: () => aggregateSync(values, bootstrap),
  pairedDifference: () => pairedDifferenceSync(values, more, steps),
  wilson: () => wilson(3, 10),
  mcnemar: () => mcnemar(3, 10),
  holm: () => holm(values),
  benjaminiHochberg: () => benjaminiHochberg(values),
  aggregator: () =>
    Aggregator.fromJSON(new Aggregator().add({ values, gate: flags, cluster: names }).toJSON()),
  error: () => {
    try {
      aggregateSync(values, { gate: new Uint8Array(1) });
    } catch {
      // Errors cross the boundary as objects too.
    }
  },
};

const later = {
  rowMetrics: () => rowMetrics(logits, rowOptions),
  pairMetrics: () => pairMetrics(logits, others, pairOptions),
  aggregate: () => aggregate(values, steps),
  pairedDifference: () => pairedDifference(values, more, steps),
  result: () => new Aggregator().add({ values }).result(),
  error: () => aggregate(values, { gate: new Uint8Array(1) }).catch(() => null),
};

test('inputs stay as they are', async () => {
  const before = structuredClone(inputs);
  for (const call of Object.values(sync)) call();
  await Promise.all(Object.values(later).map((call) => call()));
  expect(inputs).toEqual(before);
});

test('inputs are not copied: a call on a large array takes no memory to speak of', () => {
  const large = new Float32Array(64 * 1024 * 1024).fill(1);
  rowMetricsSync(large.subarray(0, 1024), { vocab: 1024 });
  const before = process.memoryUsage.rss();
  expect(rowMetricsSync(large, { vocab: 1024 * 1024 }).rows).toBe(64);
  // A copy would take 256 MiB.
  expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
});

test('results do not share memory with inputs or with each other', () => {
  const first = holm(values);
  const copy = first.slice();
  holm(more);
  expect(first).toEqual(copy);
  expect(first.buffer).not.toBe(values.buffer);
});

/** Growth that a heap of Node's may show by itself between collections. A leak of 500 bytes a call would be 50 MiB. */
const SETTLING = 40 * 1024 * 1024;

describe('a hundred thousand calls leave nothing behind', () => {
  const calls = 100_000;

  test('on the event loop', async () => {
    const all = Object.values(sync);
    const run = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i += 1) {
        all[i % all.length]!();
        // Node frees native memory between turns of the loop only.
        if (i % 500 === 0) await nextTurn();
      }
    };
    await run(calls / 5);
    const before = process.memoryUsage.rss();
    await run(calls);
    expect(process.memoryUsage.rss() - before).toBeLessThan(SETTLING);
  });

  test('off it', async () => {
    const all = Object.values(later);
    const run = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i += 50) {
        await Promise.all(Array.from({ length: 50 }, (_, j) => all[(i + j) % all.length]!()));
      }
    };
    await run(calls / 5);
    const before = process.memoryUsage.rss();
    await run(calls);
    expect(process.memoryUsage.rss() - before).toBeLessThan(SETTLING);
  });
});
