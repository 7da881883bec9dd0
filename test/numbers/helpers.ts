/** What the tests of the public metrics share: closeness by name, errors, seeded numbers. */
import { expect } from 'vitest';
import { AuditError, type ErrorCode } from '../../src/errors.ts';

/** Two float64 programs round exp, log and sums differently. */
export const FLOAT64 = 1e-11;

/** What remains of two numbers near 0 that are differences of larger ones. */
export const NOISE = 2e-14;

/** What the crate promises of rows and pairs on every machine: vector kernels take exponentials in float32. */
export const LOGITS = 1e-6;

/** The same of entropies and divergences near 0, absolutely. */
export const LOGITS_NOISE = 1e-9;

/** Quantiles and tails of two programs, at most some of whose last digits differ. */
export const QUANTILES = 1e-9;

/** Within `tolerance`, relative to `want`, or within `floor` absolutely; the same infinity. */
export function expectNear(got: number, want: number, tolerance = FLOAT64, floor = NOISE, what = ''): void {
  if (Object.is(got, want)) return;
  expect(Math.abs(got - want), `${what}: got ${got}, want ${want}`).toBeLessThanOrEqual(
    Math.max(tolerance * Math.abs(want), floor),
  );
}

export function expectColumn(
  got: ArrayLike<number>,
  want: readonly number[],
  what = '',
  tolerance = FLOAT64,
  floor = NOISE,
): void {
  expect(got.length, what).toBe(want.length);
  want.forEach((number, i) => {
    expectNear(got[i]!, number, tolerance, floor, `${what}[${i}]`);
  });
}

/** {@link expectColumn} for numbers that come from the kernels over logits. */
export function expectLogits(got: ArrayLike<number>, want: readonly number[], what = ''): void {
  expectColumn(got, want, what, LOGITS, LOGITS_NOISE);
}

/** The error that `call` throws or rejects with: of that code, with a message that names `named`. */
export async function expectError(
  call: () => unknown,
  code: ErrorCode,
  named: string | RegExp,
): Promise<AuditError> {
  let thrown: unknown;
  try {
    await call();
  } catch (error) {
    thrown = error;
  }
  expect(thrown, `${call} threw nothing`).toBeInstanceOf(AuditError);
  const error = thrown as AuditError;
  expect({ code: error.code, message: error.message }).toEqual({
    code,
    message: typeof named === 'string' ? expect.stringContaining(named) : expect.stringMatching(named),
  });
  return error;
}

/** Numbers in [0, 1) that every machine draws alike. */
export function uniforms(seed: number, count: number): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) / 2 ** 24;
  });
}
