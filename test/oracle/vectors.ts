/**
 * Golden vectors: rows and pairs of logits with the oracle's values, in the JSON shape of the shared vectors. All logits are
 * float32 values; "-inf" is a masked token; null is an infinite divergence.
 */

import {
  entropy,
  jsd,
  jsdTopK,
  kl,
  logSumExp,
  mass,
  rank,
  softmax,
  type TopKForm,
  topK,
  totalVariation,
} from './metrics.ts';

/** A float32 logit, or a masked token. */
export type StoredLogit = number | '-inf';

export interface RowVector {
  readonly name: string;
  readonly logits: readonly StoredLogit[];
  readonly groups: readonly (readonly number[])[];
  readonly target: number;
  readonly k: number;
  readonly expect: {
    readonly logsumexp: number;
    readonly entropy: number;
    readonly masses: readonly number[];
    readonly targetLogprob: number;
    readonly targetRank: number;
    readonly topKIds: readonly number[];
    readonly topKProbs: readonly number[];
  };
}

export interface PairVector {
  readonly name: string;
  readonly a: readonly StoredLogit[];
  readonly b: readonly StoredLogit[];
  readonly expect: {
    readonly jsd: number;
    readonly klPQ: number | null;
    readonly klQP: number | null;
    readonly totalVariation: number;
    /** By K, as text. */
    readonly topK: Readonly<Record<string, TopKForm>>;
  };
}

const MASKED = Number.NEGATIVE_INFINITY;

export function rowExpectation(
  stored: readonly StoredLogit[],
  groups: readonly (readonly number[])[],
  target: number,
  k: number,
): RowVector['expect'] {
  const logits = stored.map(load);
  const p = softmax(logits);
  const logsumexp = logSumExp(logits);
  const topKIds = topK(logits, k);
  return {
    logsumexp,
    entropy: entropy(p),
    masses: groups.map((ids) => mass(p, ids)),
    targetLogprob: logits[target]! - logsumexp,
    targetRank: rank(logits, target),
    topKIds,
    topKProbs: topKIds.map((id) => p[id]!),
  };
}

export function pairExpectation(
  storedA: readonly StoredLogit[],
  storedB: readonly StoredLogit[],
  ks: readonly number[],
): PairVector['expect'] {
  const [a, b] = [storedA.map(load), storedB.map(load)];
  const [p, q] = [softmax(a), softmax(b)];
  const finite = (x: number): number | null => (Number.isFinite(x) ? x : null);
  return {
    jsd: jsd(p, q),
    klPQ: finite(kl(a, b)),
    klQP: finite(kl(b, a)),
    totalVariation: totalVariation(p, q),
    topK: Object.fromEntries(ks.map((k) => [String(k), jsdTopK(a, b, k)])),
  };
}

/** The committed rows. */
export function rowVectors(): RowVector[] {
  const row = (
    name: string,
    logits: readonly number[],
    groups: readonly (readonly number[])[],
    target: number,
    k: number,
  ): RowVector => {
    const stored = logits.map(store);
    return { name, logits: stored, groups, target, k, expect: rowExpectation(stored, groups, target, k) };
  };
  const tied = normals(11, 48, 1);
  for (const id of [5, 6, 21, 47]) tied[id] = 4;
  for (const id of [0, 30]) tied[id] = 3;
  return [
    row('small', normals(1, 13, 1), [[0, 5, 12], [2, 3], []], 4, 5),
    row('odd-length', normals(2, 101, 3), [range(0, 50), range(50, 101)], 100, 10),
    row('flat', new Array<number>(37).fill(-1.5), [[0], range(1, 37)], 36, 4),
    row(
      'ties',
      tied,
      [
        [5, 21],
        [6, 47, 30],
      ],
      21,
      6,
    ),
    row(
      'masked',
      normals(3, 40, 2).map((z, i) => (i % 3 === 0 ? MASKED : z)),
      [
        [0, 1, 2],
        [3, 6, 9],
      ],
      1,
      6,
    ),
    row(
      'masked-but-one',
      range(0, 9).map((i) => (i === 4 ? -7.25 : MASKED)),
      [[4], [0, 8]],
      4,
      3,
    ),
    row(
      'one-hot',
      range(0, 32).map((i) => (i === 17 ? 20000 : -20000)),
      [[17], [0, 31]],
      17,
      3,
    ),
    row(
      'large-offset',
      normals(4, 64, 2).map((z) => z + 100000),
      [[1, 2, 3], [4]],
      8,
      5,
    ),
    row(
      'large-negative-offset',
      normals(5, 64, 2).map((z) => z - 100000),
      [[1, 2, 3], [4]],
      8,
      5,
    ),
    row('wide', normals(6, 120, 25), [range(0, 60), range(60, 120)], 3, 20),
    row('single', [3.5], [[0], []], 0, 1),
    row('pair', [0, Math.LN2], [[0], [1]], 0, 2),
  ];
}

/** The committed pairs. */
export function pairVectors(): PairVector[] {
  const pair = (name: string, a: readonly number[], b: readonly number[], ks = [1, 5, 20]): PairVector => {
    const [storedA, storedB] = [a.map(store), b.map(store)];
    return { name, a: storedA, b: storedB, expect: pairExpectation(storedA, storedB, ks) };
  };
  const base = normals(21, 150, 2);
  const nudge = normals(22, 150, 0.001);
  const tied = range(0, 40).map((i) => (i % 10 === 0 ? 2 : i % 10 === 1 ? 1 : 0));
  return [
    pair(
      'near',
      base,
      base.map((z, i) => z + nudge[i]!),
    ),
    pair(
      'moderate',
      base,
      base.map((z, i) => z + 500 * nudge[i]!),
    ),
    pair('far', normals(23, 90, 5), normals(24, 90, 5)),
    pair('identical', normals(25, 50, 1), normals(25, 50, 1)),
    pair(
      'shifted',
      normals(26, 50, 1),
      normals(26, 50, 1).map((z) => Math.fround(z) + 1024),
    ),
    pair(
      'disjoint',
      normals(27, 40, 1).map((z, i) => (i < 20 ? z : MASKED)),
      normals(28, 40, 1).map((z, i) => (i < 20 ? MASKED : z)),
    ),
    // KL is finite one way only.
    pair(
      'masked-one-side',
      normals(29, 40, 1).map((z, i) => (i % 4 === 0 ? MASKED : z)),
      normals(30, 40, 1),
    ),
    pair(
      'one-hot',
      range(0, 33).map((i) => (i === 2 ? 20000 : -20000)),
      range(0, 33).map((i) => (i === 32 ? 20000 : -20000)),
    ),
    pair('ties', tied, [...tied].reverse()),
    pair(
      'large-offset',
      normals(31, 60, 2).map((z) => z + 100000),
      normals(32, 60, 2).map((z) => z - 100000),
    ),
    pair('single', [3.5], [-2], [1]),
  ];
}

/** The text of a vector file: one number a line would be long, so one case a line. */
export function vectorFile(vectors: readonly (RowVector | PairVector)[]): string {
  return `[\n${vectors.map((vector) => JSON.stringify(vector)).join(',\n')}\n]\n`;
}

function load(logit: StoredLogit): number {
  return logit === '-inf' ? MASKED : logit;
}

function store(logit: number): StoredLogit {
  return logit === MASKED ? '-inf' : Math.fround(logit);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

/**
 * Seeded numbers of about normal shape: sums of twelve uniforms, less 6, times `scale`. Whole-number steps and
 * additions only, so every machine draws the same.
 */
function normals(seed: number, count: number, scale: number): number[] {
  let state = seed;
  const uniform = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
  return Array.from({ length: count }, () => {
    let total = 0;
    for (let i = 0; i < 12; i++) total += uniform();
    return (total - 6) * scale;
  });
}
