/** The loop in JavaScript that benchmarks compare with: it must do the same work, which its numbers show. */
import { expect, it } from 'vitest';
import { someGroups } from '../../bench/groups.ts';
import { fillRows, plainProducts, plainStep, TOP_K } from '../../bench/plain.ts';
import { innerProductsSync, normalizeRowsSync, rowMetricsSync } from '../../src/numbers/index.ts';

const VOCAB = 5003;
// float64 sums on both sides, in another order.
const SAME = 1e-6;

it('finds the masses, entropy and top 20 that the metrics find', () => {
  const z = new Float32Array(VOCAB);
  fillRows(z, 3);
  const groups = someGroups(VOCAB);
  const step = plainStep(z, groups);
  const row = rowMetricsSync(z, { vocab: VOCAB, groups, topK: TOP_K });
  expect(Math.abs(step.logsumexp - row.logsumexp[0]!)).toBeLessThan(SAME);
  expect(Math.abs(step.entropy - row.entropy[0]!)).toBeLessThan(SAME);
  expect(step.masses.length).toBe(groups.length);
  step.masses.forEach((mass, group) => {
    expect(Math.abs(mass - row.masses![group]!)).toBeLessThan(SAME);
  });
  expect([...step.topIds]).toEqual([...row.topKIds!]);
  step.topProbs.forEach((p, rank) => {
    expect(Math.abs(p - row.topKProbs![rank]!)).toBeLessThan(SAME);
  });
});

it('finds the products that the metrics find', () => {
  const dimension = 40;
  const vectors = new Float32Array(17 * dimension);
  fillRows(vectors, 9);
  const unit = normalizeRowsSync(vectors, { dimension });
  const [a, b] = [unit.subarray(0, 5 * dimension), unit.subarray(5 * dimension)];
  const products = plainProducts(a, b, dimension);
  const native = innerProductsSync(a, b, { dimension });
  expect(products).toHaveLength(5 * 12);
  products.forEach((product, i) => {
    expect(Math.abs(product - native[i]!)).toBeLessThan(SAME);
  });
});

it('is asked for groups of distinct ids', () => {
  for (const vocab of [512, 32_000, 49_152, 128_256, 151_936, 262_144]) {
    const ids = someGroups(vocab).flatMap((group) => [...group]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(Math.max(...ids)).toBeLessThan(vocab);
  }
});
