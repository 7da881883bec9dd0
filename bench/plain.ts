/** The metrics as plain loops over typed arrays: what a program without an addon would do. And rows to measure. */

export const TOP_K = 20;

/** Logits like a model's: bell-shaped, some 25 wide. A small generator, the same numbers in every run. */
export function fillRows(rows: Float32Array, seed: number): void {
  let state = seed | 1;
  for (let i = 0; i < rows.length; i++) {
    let sum = 0;
    for (let part = 0; part < 4; part++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      sum += state;
    }
    rows[i] = sum * 1.5e-9;
  }
}

/** `to` becomes `from` with noise: the rows of a text of which one word was swapped. */
export function fillSwapped(to: Float32Array, from: Float32Array): void {
  fillRows(to, 7);
  for (let i = 0; i < to.length; i++) to[i] = from[i]! + 0.15 * to[i]!;
}

function maxAndSum(z: Float32Array): [number, number] {
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < z.length; i++) if (z[i]! > max) max = z[i]!;
  let sum = 0;
  for (let i = 0; i < z.length; i++) sum += Math.exp(z[i]! - max);
  return [max, sum];
}

function entropyOf(z: Float32Array, max: number, sum: number): number {
  const logsumexp = max + Math.log(sum);
  let entropy = 0;
  for (let i = 0; i < z.length; i++) {
    const x = z[i]!;
    entropy -= (Math.exp(x - max) / sum) * (x - logsumexp);
  }
  return entropy;
}

function massOf(z: Float32Array, ids: Int32Array, max: number, sum: number): number {
  let mass = 0;
  for (let i = 0; i < ids.length; i++) mass += Math.exp(z[ids[i]!]! - max) / sum;
  return mass;
}

/** The likeliest ids, likeliest first. */
function topOf(z: Float32Array): Int32Array {
  const logits = new Float32Array(TOP_K).fill(Number.NEGATIVE_INFINITY);
  const top = new Int32Array(TOP_K);
  for (let i = 0; i < z.length; i++) {
    const x = z[i]!;
    if (x <= logits[TOP_K - 1]!) continue;
    let place = TOP_K - 1;
    while (place > 0 && x > logits[place - 1]!) {
      logits[place] = logits[place - 1]!;
      top[place] = top[place - 1]!;
      place--;
    }
    logits[place] = x;
    top[place] = i;
  }
  return top;
}

/** logsumexp, entropy, group masses, log-probability and rank of a target, top 20 of a row. */
export function plainRow(z: Float32Array, ids: Int32Array, target: number): number {
  const [max, sum] = maxAndSum(z);
  const at = z[target]!;
  let rank = 1;
  for (let i = 0; i < z.length; i++) if (z[i]! > at) rank++;
  const logprob = at - max - Math.log(sum);
  return entropyOf(z, max, sum) + massOf(z, ids, max, sum) + rank + logprob + topOf(z)[0]!;
}

/** What an audit keeps of a step. */
export interface PlainStep {
  readonly logsumexp: number;
  readonly entropy: number;
  readonly masses: readonly number[];
  readonly topIds: Int32Array;
  readonly topProbs: Float64Array;
}

/** The metrics of a step without a target: what the engine gives for a probe. */
export function plainStep(z: Float32Array, groups: readonly Int32Array[]): PlainStep {
  const [max, sum] = maxAndSum(z);
  const topIds = topOf(z);
  return {
    logsumexp: max + Math.log(sum),
    entropy: entropyOf(z, max, sum),
    masses: groups.map((ids) => massOf(z, ids, max, sum)),
    topIds,
    topProbs: Float64Array.from(topIds, (id) => Math.exp(z[id]! - max) / sum),
  };
}

/** JSD, KL both ways and total variation of a pair of rows: no top K, which favours the loop. */
export function plainPair(a: Float32Array, b: Float32Array): number {
  const [maxA, sumA] = maxAndSum(a);
  const [maxB, sumB] = maxAndSum(b);
  let jsd = 0;
  let klPQ = 0;
  let klQP = 0;
  let distance = 0;
  for (let i = 0; i < a.length; i++) {
    const p = Math.exp(a[i]! - maxA) / sumA;
    const q = Math.exp(b[i]! - maxB) / sumB;
    const m = 0.5 * (p + q);
    jsd += 0.5 * (p * Math.log(p / m) + q * Math.log(q / m));
    klPQ += p * Math.log(p / q);
    klQP += q * Math.log(q / p);
    distance += Math.abs(p - q);
  }
  return jsd + klPQ + klQP + 0.5 * distance;
}

/** The mean of values and the squares that its cluster interval needs. */
export function plainAggregate(values: Float64Array, cluster: Uint32Array, clusters: number): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  const mean = sum / values.length;
  const scores = new Float64Array(clusters);
  for (let i = 0; i < values.length; i++) scores[cluster[i]!]! += values[i]! - mean;
  let squares = 0;
  for (let c = 0; c < clusters; c++) squares += scores[c]! ** 2;
  return mean + Math.sqrt(squares) / values.length;
}

/** The inner products of all pairs of vectors, query after query, summed in float64. */
export function plainProducts(
  queries: Float32Array,
  candidates: Float32Array,
  dimension: number,
): Float32Array {
  const rows = queries.length / dimension;
  const columns = candidates.length / dimension;
  const products = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      let sum = 0;
      for (let i = 0; i < dimension; i++) {
        sum += queries[row * dimension + i]! * candidates[column * dimension + i]!;
      }
      products[row * columns + column] = sum;
    }
  }
  return products;
}
