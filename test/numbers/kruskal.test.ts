/** The test of Kruskal and Wallis against its textbook formula, and what holds of it for all inputs. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { correlationSync, kruskalWallis, kruskalWallisSync } from '../../src/numbers/index.ts';
import { chiSquaredTail, kruskalH } from '../oracle/kruskal.ts';
import { expectError, expectNear, uniforms } from './helpers.ts';

/** The textbook's formula takes a small number from two large ones. */
const CANCELLED = 1e-10;

/** The oracle integrates by steps. */
const INTEGRATED = 1e-9;

const run = (values: readonly number[], group: readonly number[]) =>
  kruskalWallisSync(Float64Array.from(values), Uint32Array.from(group));

test.each([
  [10, 2, 4],
  [40, 3, 1000],
  [300, 5, 7],
  [2000, 9, 50],
])('%i values in %i groups', async (count, groups, distinct) => {
  const values = uniforms(count, count).map((value) => Math.floor(value * distinct));
  const group = uniforms(count + 1, count).map((value) => Math.floor(value * groups));
  const got = run(values, group);
  expect(await kruskalWallis(Float64Array.from(values), Uint32Array.from(group))).toEqual(got);
  const k = new Set(group).size;
  const h = kruskalH(values, group);
  expect(got).toMatchObject({ n: count, groups: k, freedom: k - 1 });
  expectNear(got.h!, h, CANCELLED);
  expectNear(got.epsilonSquared!, (h - k + 1) / (count - k), CANCELLED, 1e-10);
  expectNear(got.pValue!, chiSquaredTail(h, k - 1), INTEGRATED, INTEGRATED);
});

const pairs = fc.array(fc.tuple(fc.integer({ min: -5, max: 5 }), fc.nat(3)), { minLength: 1, maxLength: 40 });

test('for all inputs: in range, and the same by rank, by name of group and in any order', () => {
  fc.assert(
    fc.property(pairs, (list) => {
      const [values, group] = [list.map(([value]) => value), list.map(([, id]) => id)];
      const got = run(values, group);
      if (got.h === null) {
        expect(got).toMatchObject({ pValue: null, epsilonSquared: null, reason: expect.any(String) });
      } else {
        expect(got.reason).toBeUndefined();
        expect(got.h).toBeGreaterThanOrEqual(0);
        expect(got.h).toBeLessThanOrEqual(got.n - 1);
        expect(got.pValue).toBeGreaterThanOrEqual(0);
        expect(got.pValue).toBeLessThanOrEqual(1);
        expect(got.epsilonSquared).toBeLessThanOrEqual(1);
      }
      expect(
        run(
          values.map((value) => value ** 3),
          group,
        ),
      ).toEqual(got);
      expect(run(values.toReversed(), group.toReversed())).toEqual(got);
      const named = run(
        values,
        group.map((id) => 100 - 7 * id),
      );
      // Sums over groups are added in another order.
      if (got.h !== null) expectNear(named.h!, got.h);
      else expect(named).toEqual(got);
    }),
  );
});

test('what cannot be is refused', async () => {
  const values = Float64Array.of(1, 2);
  await expectError(() => kruskalWallis(values, Uint32Array.of(0)), 'length_mismatch', 'group');
  await expectError(() => kruskalWallisSync(new Float64Array(), new Uint32Array()), 'empty_input', 'values');
  await expectError(
    () => kruskalWallis(Float64Array.of(1, Number.NaN), Uint32Array.of(0, 1)),
    'not_finite',
    'NaN',
  );
  await expectError(() => kruskalWallis([1, 2] as never, Uint32Array.of(0, 1)), 'bad_argument', 'values');
  await expectError(() => kruskalWallis(values, [0, 1] as never), 'bad_argument', 'group');
});

test('an approximate test of few ranks is the one of many programs', () => {
  const [x, y] = [Float64Array.of(1, 2, 3, 4, 5), Float64Array.of(2, 1, 4, 3, 5)];
  // scipy's stats.spearmanr gives r 0.8 and, by Student's t, p 0.10408803866182788.
  const exact = correlationSync(x, y, { method: 'spearman' });
  const approximate = correlationSync(x, y, { method: 'spearman', approximate: true });
  expect([exact.test, approximate.test]).toEqual(['permutation', 'student']);
  expectNear(approximate.pValue!, 0.10408803866182788, 1e-12);
  expect(approximate.r).toBe(exact.r);
});
