/**
 * The oracle's correlations by their textbook definitions: standardised values, ranks by counting, Fisher's transformation by
 * logarithms, and the test of ranks by writing down every order. Nothing here is shared with the product.
 */
import { type Ends, normalQuantile, studentInside } from './statistics.ts';

/** The mean product of standardised values. */
export function pearson(x: readonly number[], y: readonly number[]): number {
  const [u, v] = [standardised(x), standardised(y)];
  return mean(u.map((value, i) => value * v[i]!));
}

export function spearman(x: readonly number[], y: readonly number[]): number {
  return pearson(ranks(x), ranks(y));
}

/** One more than the values below, and half of the others that are equal. */
export function ranks(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return 1 + below + (equal - 1) / 2;
  });
}

/** Fisher's interval; `widened` is what the variance has more than 1 / (n - 3). */
export function fisherInterval(r: number, n: number, level = 0.95, widened = 1): Ends {
  const z = Math.log((1 + r) / (1 - r)) / 2;
  const half = normalQuantile((1 + level) / 2) * Math.sqrt(widened / (n - 3));
  const back = (end: number): number => (Math.exp(2 * end) - 1) / (Math.exp(2 * end) + 1);
  return { low: back(z - half), high: back(z + half) };
}

/** Both tails of Student's t at the correlation's t. */
export function studentPValue(r: number, n: number): number {
  return 1 - studentInside(Math.abs(r) * Math.sqrt((n - 2) / (1 - r * r)), n - 2);
}

/** The share of all orders of y whose rank correlation with x is as far from 0. */
export function permutationPValue(x: readonly number[], y: readonly number[]): number {
  const observed = Math.abs(spearman(x, y)) - 1e-9;
  const all = orders(y);
  return all.filter((order) => Math.abs(spearman(x, order)) >= observed).length / all.length;
}

function orders(values: readonly number[]): number[][] {
  if (values.length <= 1) return [[...values]];
  return values.flatMap((value, i) =>
    orders([...values.slice(0, i), ...values.slice(i + 1)]).map((rest) => [value, ...rest]),
  );
}

function standardised(values: readonly number[]): number[] {
  const centre = mean(values);
  const spread = Math.sqrt(mean(values.map((value) => (value - centre) ** 2)));
  return values.map((value) => (value - centre) / spread);
}

function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}
