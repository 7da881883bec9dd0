/** Values of independent programs, through the public API, both ways of calling: rows, pairs, gates, means, proportions. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  aggregate,
  aggregateSync,
  gate,
  type PairMetrics,
  pairMetrics,
  pairMetricsSync,
  type RowMetrics,
  rowMetrics,
  rowMetricsSync,
  wilson,
} from '../../src/numbers/index.ts';
import { sharedFile } from '../oracle/shared.ts';
import type { PairVector, RowVector, StoredLogit } from '../oracle/vectors.ts';
import { expectLogits, expectNear, FLOAT64, NOISE, QUANTILES } from './helpers.ts';

interface GateVector {
  readonly name: string;
  readonly topKHits: number[];
  readonly occupation: number[];
  readonly pronounOrName: number[];
  readonly window: number;
  readonly stepsAfter: number;
  readonly expect: { gate: number[]; topKTriggers: number; windowTriggers: number; coverage: number };
}

interface Ends {
  readonly low: number;
  readonly high: number;
  readonly clusters?: number;
}

interface AggregateVector {
  readonly name: string;
  readonly values: number[];
  readonly gate: number[];
  readonly cluster: number[];
  readonly expect: {
    readonly mean: number;
    readonly gatedSteps: number;
    readonly coverage: number;
    readonly ci: { readonly normal: Ends | null; readonly cluster: Ends | null };
  };
}

interface WilsonVector {
  readonly successes: number;
  readonly n: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

function read<T>(path: string | null): T[] {
  return path === null ? [] : (JSON.parse(readFileSync(path, 'utf8')) as T[]);
}

const committed = (name: string): string => fileURLToPath(new URL(`../vectors/${name}`, import.meta.url));
const shared = (name: string): string | null => sharedFile(`vectors/${name}`);
const logits = (stored: readonly StoredLogit[]): Float32Array =>
  Float32Array.from(stored, (z) => (z === '-inf' ? Number.NEGATIVE_INFINITY : z));

const rowFiles = [committed('rows.json'), shared('rows.json')].flatMap((file) => read<RowVector>(file));
const pairFiles = [committed('pairs.json'), shared('pairs.json')].flatMap((file) => read<PairVector>(file));

describe('rows', () => {
  test.each(rowFiles)('$name', async ({ logits: stored, groups, target, k, expect: want }) => {
    const row = logits(stored);
    const options = {
      vocab: row.length,
      groups: groups.map((ids) => Int32Array.from(ids)),
      targets: Int32Array.of(target),
      topK: k,
    };
    const check = (got: RowMetrics): void => {
      expect(got.rows).toBe(1);
      expectLogits(got.logsumexp, [want.logsumexp], 'logsumexp');
      expectLogits(got.entropy, [want.entropy], 'entropy');
      expectLogits(got.masses, want.masses, 'masses');
      expectLogits(got.targetLogprob, [want.targetLogprob], 'targetLogprob');
      expect([...got.targetRank]).toEqual([want.targetRank]);
      expect([...got.topKIds]).toEqual(want.topKIds);
      expectLogits(got.topKProbs, want.topKProbs, 'topKProbs');
    };
    check(rowMetricsSync(row, options));
    check(await rowMetrics(row, options));
  });
});

describe('pairs', () => {
  test.each(pairFiles)('$name', async ({ a, b, expect: want }) => {
    const [p, q] = [logits(a), logits(b)];
    const ks = Object.keys(want.topK).map(Number);
    const check = (got: PairMetrics, unit: number): void => {
      expect(got.rows).toBe(1);
      expectLogits(got.jsd, [want.jsd / unit], 'jsd');
      expectLogits(got.klPQ, [want.klPQ === null ? Number.POSITIVE_INFINITY : want.klPQ / unit], 'klPQ');
      expectLogits(got.klQP, [want.klQP === null ? Number.POSITIVE_INFINITY : want.klQP / unit], 'klQP');
      // A distance of probabilities has no logarithm, and so no unit.
      expectLogits(got.totalVariation, [want.totalVariation], 'totalVariation');
      expect(got.topK.map((form) => form.k)).toEqual(ks);
      for (const form of got.topK) {
        const wanted = want.topK[String(form.k)]!;
        expect([...form.unionSize]).toEqual([wanted.unionSize]);
        expectLogits(form.partial, [wanted.partial / unit], 'partial');
        expectLogits(form.lower, [wanted.lower / unit], 'lower');
        expectLogits(form.upper, [wanted.upper / unit], 'upper');
      }
    };
    for (const [base, unit] of [
      [undefined, 1],
      [Math.E, 1],
      [2, Math.LN2],
    ] as const) {
      const options = { vocab: p.length, topK: ks, ...(base === undefined ? {} : { base }) };
      check(pairMetricsSync(p, q, options), unit);
      check(await pairMetrics(p, q, options), unit);
    }
  });
});

const gates = read<GateVector>(shared('gate.json'));
test.skipIf(gates.length === 0).each(gates)('gate $name', (vector) => {
  const got = gate({
    topKHits: Uint8Array.from(vector.topKHits),
    occupation: Uint8Array.from(vector.occupation),
    pronounOrName: Uint8Array.from(vector.pronounOrName),
    window: vector.window,
    stepsAfter: vector.stepsAfter,
  });
  expect({ ...got, gate: [...got.gate] }).toEqual(vector.expect);
});

const aggregates = read<AggregateVector>(shared('aggregate.json'));
test.skipIf(aggregates.length === 0).each(aggregates)('aggregate $name', async (vector) => {
  const values = Float64Array.from(vector.values);
  for (const ci of ['normal', 'cluster'] as const) {
    const options = { gate: Uint8Array.from(vector.gate), cluster: Uint32Array.from(vector.cluster), ci };
    const got = aggregateSync(values, options);
    expect(await aggregate(values, options)).toEqual(got);
    expectNear(got.mean, vector.expect.mean, FLOAT64, NOISE, 'mean');
    expect(got.gatedSteps).toBe(vector.expect.gatedSteps);
    expectNear(got.coverage, vector.expect.coverage, FLOAT64, NOISE, 'coverage');
    const want = vector.expect.ci[ci];
    expect(got.ci === null, ci).toBe(want === null);
    expect(got.reason === undefined, ci).toBe(want !== null);
    if (got.ci !== null && want !== null) {
      expect(got.ci.method).toBe(ci);
      expectNear(got.ci.low, want.low, QUANTILES, NOISE, `${ci} low`);
      expectNear(got.ci.high, want.high, QUANTILES, NOISE, `${ci} high`);
      expect(got.ci.clusters).toBe(want.clusters);
    }
  }
});

const proportions = read<WilsonVector>(shared('wilson.json'));
test.skipIf(proportions.length === 0).each(proportions)(
  'wilson $successes of $n',
  ({ successes, n, ...want }) => {
    const got = wilson(successes, n);
    expect({ n: got.n, level: got.level }).toEqual({ n, level: 0.95 });
    for (const key of ['mean', 'low', 'high'] as const)
      expectNear(got[key], want[key], QUANTILES, NOISE, key);
  },
);
