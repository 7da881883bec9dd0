/** Correlations against the float64 oracle, and what holds of them for all inputs. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { correlation, correlationSync } from '../../src/numbers/index.ts';
import {
  fisherInterval,
  pearson,
  permutationPValue,
  ranks,
  spearman,
  studentPValue,
} from '../oracle/correlation.ts';
import { expectNear, FLOAT64, NOISE, uniforms } from './helpers.ts';

/** The oracle's quantiles are integrated and bisected: ten digits of them are safe. */
const INTEGRATED = 1e-8;

/** Offsets of a million leave ten digits of values that differ by a 64th. */
const SHIFTED = 1e-8;

/** Of a p-value that the oracle takes as what is left of 1. */
const TAIL_NOISE = 1e-12;

const f64 = (numbers: readonly number[]): Float64Array => Float64Array.from(numbers);

/** Pairs that go together by `share`; a quarter of the values are tied. */
function pairs(seed: number, count: number, share: number): [number[], number[]] {
  const [x, noise] = [uniforms(seed, count), uniforms(seed + 1, count)];
  const coarse = x.map((value, i) => (i % 4 === 0 ? Math.round(5 * value) / 5 : value));
  return [coarse, coarse.map((value, i) => share * value + (1 - Math.abs(share)) * noise[i]! - 7)];
}

describe('against the oracle', () => {
  test.each([
    [4, 0.3],
    [5, -0.6],
    [11, 0.8],
    [60, 0],
    [400, -0.9],
    [1500, 0.1],
  ])('%i pairs', async (count, share) => {
    const [x, y] = pairs(100 + count, count, share);
    for (const level of [0.5, 0.95, 0.99]) {
      const got = correlationSync(f64(x), f64(y), { level });
      expect(await correlation(f64(x), f64(y), { level })).toEqual(got);
      const r = pearson(x, y);
      expectNear(got.r!, r);
      expect(got).toMatchObject({ method: 'pearson', n: count, test: 'student' });
      const ends = fisherInterval(r, count, level);
      expect(got.ci).toMatchObject({ method: 'fisher', level });
      expectNear(got.ci!.low, ends.low, INTEGRATED);
      expectNear(got.ci!.high, ends.high, INTEGRATED);
      expectNear(got.pValue!, studentPValue(r, count), INTEGRATED, TAIL_NOISE);
      expect(got.reason).toBeUndefined();
    }
    const got = correlationSync(f64(x), f64(y), { method: 'spearman' });
    const r = spearman(x, y);
    expectNear(got.r!, r);
    const ends = fisherInterval(r, count, 0.95, 1 + r ** 2 / 2);
    expectNear(got.ci!.low, ends.low, INTEGRATED);
    expectNear(got.ci!.high, ends.high, INTEGRATED);
    expect(got).toMatchObject({ method: 'spearman', test: count < 10 ? 'permutation' : 'student' });
    const p = count < 10 ? permutationPValue(x, y) : studentPValue(r, count);
    expectNear(got.pValue!, p, INTEGRATED, TAIL_NOISE);
  });

  test('ranks of few values with ties, by every order', () => {
    const small = fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(small, (list) => {
        const [x, y] = [list.map(([a]) => a), list.map(([, b]) => b)];
        const got = correlationSync(f64(x), f64(y), { method: 'spearman' });
        if (new Set(x).size === 1 || new Set(y).size === 1) {
          expect(got).toMatchObject({ r: null, ci: null, pValue: null, reason: expect.any(String) });
          return;
        }
        expectNear(got.r!, spearman(x, y));
        expectNear(got.pValue!, permutationPValue(x, y));
        expect(got.test).toBe('permutation');
        expect(got.ci === null).toBe(x.length < 4 || Math.abs(got.r!) === 1);
        expect(got.reason === undefined).toBe(got.ci !== null);
      }),
    );
  });
});

const whole = fc.integer({ min: -4096, max: 4096 }).map((n) => n / 64);
const columns = fc.array(fc.tuple(whole, whole), { minLength: 1, maxLength: 40 });

describe('for all inputs', () => {
  test('bounds, symmetry, signs, affine maps, and a reason for whatever is null', () => {
    fc.assert(
      fc.property(
        columns,
        fc.constantFrom('pearson', 'spearman'),
        fc.constantFrom(-3, -0.125, 0.1, 1e6),
        fc.constantFrom(0, -1e6, 1 / 3),
        (list, method, slope, offset) => {
          const [x, y] = [f64(list.map(([a]) => a)), f64(list.map(([, b]) => b))];
          const got = correlationSync(x, y, { method });
          const complete = got.r !== null && got.ci !== null && got.pValue !== null;
          expect(got.reason === undefined).toBe(complete);
          expect(got.test === undefined).toBe(got.pValue === null);
          expect(correlationSync(y, x, { method }).r).toBe(got.r);
          const moved = correlationSync(
            x.map((value) => slope * value + offset),
            y,
            { method },
          );
          expect(moved.r === null).toBe(got.r === null);
          if (got.r === null || moved.r === null) return;
          expect(Math.abs(got.r)).toBeLessThanOrEqual(1);
          expectNear(moved.r, Math.sign(slope) * got.r, SHIFTED, SHIFTED);
          const turned = correlationSync(
            x.map((value) => -value),
            y,
            { method },
          );
          expectNear(turned.r!, -got.r, 0, 0);
          expect(turned.pValue).toBe(got.pValue);
          if (got.ci === null || turned.ci === null) return;
          expect(got.ci.low).toBeLessThan(got.r);
          expect(got.ci.high).toBeGreaterThan(got.r);
          expect(Math.max(-got.ci.low, got.ci.high)).toBeLessThanOrEqual(1);
          expectNear(turned.ci.low, -got.ci.high, FLOAT64, NOISE);
        },
      ),
    );
  });

  test('Spearman is Pearson of ranks, and any map that keeps the order keeps it', () => {
    fc.assert(
      fc.property(columns, (list) => {
        const [x, y] = [list.map(([a]) => a), list.map(([, b]) => b)];
        const got = correlationSync(f64(x), f64(y), { method: 'spearman' });
        expect(correlationSync(f64(ranks(x)), f64(ranks(y))).r).toBe(got.r);
        const cubed = correlationSync(f64(x.map((value) => value ** 3 + value)), f64(y), {
          method: 'spearman',
        });
        expect(cubed).toEqual(got);
      }),
    );
  });

  test('the order of the rows does not show', () => {
    fc.assert(
      fc.property(columns, (list) => {
        const forth = correlationSync(f64(list.map(([a]) => a)), f64(list.map(([, b]) => b)));
        const turned = [...list].reverse();
        const back = correlationSync(f64(turned.map(([a]) => a)), f64(turned.map(([, b]) => b)));
        expect(back.r).toBe(forth.r);
      }),
    );
  });
});
