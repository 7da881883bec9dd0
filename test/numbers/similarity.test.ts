/** Vectors and their products across the addon: against float64, the same from promise and twin, and what is refused. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromHalves } from '../../src/files/half.ts';
import {
  innerProducts,
  innerProductsHalf,
  innerProductsHalfSync,
  innerProductsSync,
  normalizeRows,
  normalizeRowsSync,
} from '../../src/numbers/index.ts';
import { fault, faultOf } from '../fault.ts';

/** Of unit vectors, by sums of float32. */
const PRODUCT = 2e-7;
/** Half a step of a half from 0.5 to 1. */
const HALF_STEP = 2 ** -12;

const blocks = fc
  .record({ dimension: fc.integer({ min: 1, max: 70 }), seed: fc.integer({ min: 1, max: 1e6 }) })
  .chain(({ dimension, seed }) =>
    fc.record({
      dimension: fc.constant(dimension),
      a: vectors(dimension, seed),
      b: vectors(dimension, seed + 1),
    }),
  );

function vectors(dimension: number, seed: number) {
  return fc
    .integer({ min: 1, max: 9 })
    .map((count) =>
      Float32Array.from(
        { length: count * dimension },
        (_, i) => Math.sin(seed * 12.9898 + i * 78.233) + 0.01,
      ),
    );
}

describe('products', () => {
  it('of unit vectors are their cosines, by promise and at once, on one thread and on many', async () => {
    await fc.assert(
      fc.asyncProperty(blocks, async ({ dimension, a, b }) => {
        const [x, y] = [normalizeRowsSync(a, { dimension }), normalizeRowsSync(b, { dimension })];
        expect(await normalizeRows(a, { dimension })).toEqual(x);
        const products = innerProductsSync(x, y, { dimension, threads: 5 });
        expect(await innerProducts(x, y, { dimension })).toEqual(products);
        const halves = innerProductsHalfSync(x, y, { dimension });
        expect(await innerProductsHalf(x, y, { dimension, threads: 3 })).toEqual(halves);
        const columns = y.length / dimension;
        fromHalves(halves).forEach((half, i) => {
          const from = Math.floor(i / columns) * dimension;
          const u = x.subarray(from, from + dimension);
          const product = u.reduce((sum, v, k) => sum + v * y[(i % columns) * dimension + k]!, 0);
          expect(Math.abs(products[i]! - product)).toBeLessThan(PRODUCT);
          expect(Math.abs(half - products[i]!)).toBeLessThanOrEqual(HALF_STEP);
        });
        // A vector with itself.
        expect(innerProductsHalfSync(x, x, { dimension })[0]).toBe(0x3c00);
      }),
      { numRuns: 30 },
    );
  });

  it('leave their inputs as they are', () => {
    const a = Float32Array.of(3, 4);
    expect(normalizeRowsSync(a, { dimension: 2 })).toEqual(Float32Array.of(0.6, 0.8));
    expect(a).toEqual(Float32Array.of(3, 4));
  });
});

describe('what cannot be is refused', () => {
  const one = Float32Array.of(1);

  it.each([
    ['a plain array', () => normalizeRowsSync([1] as never, { dimension: 1 }), 'bad_argument'],
    ['no dimension', () => normalizeRowsSync(one, {} as never), 'bad_argument'],
    ['a dimension of 0', () => normalizeRowsSync(one, { dimension: 0 }), 'bad_argument'],
    ['half a dimension', () => normalizeRowsSync(one, { dimension: 0.5 }), 'bad_argument'],
    ['a vector of zeros', () => normalizeRowsSync(Float32Array.of(1, 0), { dimension: 1 }), 'bad_argument'],
    ['no vector', () => normalizeRowsSync(new Float32Array(), { dimension: 1 }), 'empty_input'],
    ['half a vector', () => normalizeRowsSync(one, { dimension: 2 }), 'length_mismatch'],
    ['an infinity', () => normalizeRowsSync(Float32Array.of(1 / 0), { dimension: 1 }), 'not_finite'],
    [
      'halves of doubles',
      () => innerProductsSync(one, new Float64Array(1) as never, { dimension: 1 }),
      'bad_argument',
    ],
    ['no candidates', () => innerProductsSync(one, new Float32Array(), { dimension: 1 }), 'empty_input'],
    ['0 threads', () => innerProductsHalfSync(one, one, { dimension: 1, threads: 0 }), 'bad_argument'],
    [
      'a product beyond halves',
      () => innerProductsHalfSync(Float32Array.of(7e4), one, { dimension: 1 }),
      'not_finite',
    ],
  ])('%s', (_, call, code) => {
    expect(fault(call).code).toBe(code);
  });

  it('with its place, and the promise likewise', async () => {
    const rows = Float32Array.of(1, 2, 3, Number.NaN);
    expect(fault(() => normalizeRowsSync(rows, { dimension: 2 })).data).toMatchObject({ row: 1, column: 1 });
    const products = await faultOf(innerProducts(Float32Array.of(1, 1), rows, { dimension: 1 }));
    expect([products.code, products.data]).toEqual(['not_finite', { row: 0, column: 3 }]);
    expect((await faultOf(innerProductsHalf([] as never, rows, { dimension: 1 }))).code).toBe('bad_argument');
  });
});
