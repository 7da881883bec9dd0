/** The test of Kruskal and Wallis by its textbook formula, and tails of chi-squared by adding up the density. */
import { ranks } from './correlation.ts';

/** 12/(N(N+1)) sum(R^2/n) - 3(N+1), over what ties leave: 1 - sum(t^3 - t)/(N^3 - N). */
export function kruskalH(values: readonly number[], group: readonly number[]): number {
  const n = values.length;
  const own = ranks(values);
  const sums = [...new Set(group)].map((id) => {
    const inGroup = own.filter((_, row) => group[row] === id);
    return inGroup.reduce((sum, rank) => sum + rank, 0) ** 2 / inGroup.length;
  });
  const ties = [...new Set(values)].map((value) => values.filter((other) => other === value).length);
  const correction = 1 - ties.reduce((sum, t) => sum + t ** 3 - t, 0) / (n ** 3 - n);
  const plain = (12 / (n * (n + 1))) * sums.reduce((sum, part) => sum + part, 0) - 3 * (n + 1);
  return plain / correction;
}

/** The probability of chi-squared beyond x: the recurrence over degrees of freedom, from the normal or exponential tail. */
export function chiSquaredTail(x: number, freedom: number): number {
  let tail = freedom % 2 === 0 ? Math.exp(-x / 2) : normalTails(Math.sqrt(x));
  let term = freedom % 2 === 0 ? Math.exp(-x / 2) : Math.sqrt((2 * x) / Math.PI) * Math.exp(-x / 2);
  if (freedom % 2 === 0) {
    for (let k = 2; k < freedom; k += 2) {
      term *= x / k;
      tail += term;
    }
    return tail;
  }
  for (let k = 1; k < freedom; k += 2) {
    tail += term;
    term *= x / (k + 2);
  }
  return tail;
}

/** Both tails of the normal distribution, by Simpson's rule over what lies between. */
function normalTails(z: number): number {
  const steps = 20_000;
  const width = z / steps;
  const density = (t: number) => Math.exp((-t * t) / 2);
  let sum = density(0) + density(z);
  for (let i = 1; i < steps; i++) sum += (i % 2 === 0 ? 2 : 4) * density(i * width);
  return 1 - (2 / Math.sqrt(2 * Math.PI)) * ((sum * width) / 3);
}
