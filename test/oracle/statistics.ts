/**
 * The oracle's statistics: gates, gated means, intervals and tests by their textbook definitions, one after the other, in
 * float64 and without an eye on speed. Distributions come from numerical integration, the random generator from big
 * integers. Nothing here is shared with the product.
 */

export interface Step {
  readonly value: number;
  readonly gate: 0 | 1;
  readonly cluster: number;
}

export interface Ends {
  readonly low: number;
  readonly high: number;
}

export function gatedMean(steps: readonly Step[]): number {
  const values = gated(steps).map((step) => step.value);
  return values.length === 0 ? 0 : sum(values) / values.length;
}

/** mean +- 1.96 population standard deviations / sqrt(n). */
export function normalInterval(steps: readonly Step[]): Ends {
  const values = gated(steps).map((step) => step.value);
  const mean = gatedMean(steps);
  const variance = sum(values.map((value) => (value - mean) ** 2)) / values.length;
  return around(mean, 1.96 * Math.sqrt(variance / values.length));
}

/** The standard error of the ratio estimator with clusters, and the number of clusters with a gated step. */
export function clusterError(steps: readonly Step[]): { error: number; clusters: number } {
  const mean = gatedMean(steps);
  const parts = [...byCluster(steps).values()];
  const squares = parts.map((part) => sum(part.map((value) => value - mean)) ** 2);
  const c = parts.length;
  return { error: Math.sqrt((c / (c - 1)) * sum(squares)) / gated(steps).length, clusters: c };
}

export function clusterInterval(steps: readonly Step[], level = 0.95): Ends {
  const { error, clusters } = clusterError(steps);
  return around(gatedMean(steps), studentQuantile(level, clusters - 1) * error);
}

/** The same on the logit scale of a quantity between `from` and `to`, by the delta method. */
export function logitInterval(
  steps: readonly Step[],
  [from, to]: readonly [number, number],
  level = 0.95,
): Ends {
  const { error, clusters } = clusterError(steps);
  const part = (gatedMean(steps) - from) / (to - from);
  const logit = Math.log(part / (1 - part));
  const half = (studentQuantile(level, clusters - 1) * error) / (to - from) / (part * (1 - part));
  const back = (x: number) => from + (to - from) / (1 + Math.exp(-x));
  return { low: back(logit - half), high: back(logit + half) };
}

/** The same on the log scale of a quantity that is 0 or more. */
export function logInterval(steps: readonly Step[], level = 0.95): Ends {
  const { error, clusters } = clusterError(steps);
  const mean = gatedMean(steps);
  const factor = Math.exp((studentQuantile(level, clusters - 1) * error) / mean);
  return { low: mean / factor, high: mean * factor };
}

/** The two-sided p-value of a mean of 0 of a quantity between -1 and 1, by Student's t on its logit scale. */
export function signedPValue(steps: readonly Step[]): number {
  const { error, clusters } = clusterError(steps);
  const mean = gatedMean(steps);
  const t = (Math.atanh(mean) * (1 - mean ** 2)) / error;
  return 1 - studentInside(Math.abs(t), clusters - 1);
}

/** The two-sided p-value of a mean of 0 by Student's t over clusters. */
export function clusterPValue(steps: readonly Step[]): number {
  const { error, clusters } = clusterError(steps);
  return 1 - studentInside(Math.abs(gatedMean(steps) / error), clusters - 1);
}

export function wilsonInterval(successes: number, n: number): Ends {
  const z = 1.959963984540054;
  const p = successes / n;
  const centre = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  return around(centre, half);
}

/** The bootstrap's resampled means, ascending. */
export function resampledMeans(steps: readonly Step[], resamples: number, seed: number): number[] {
  const parts = [...byCluster(steps)].sort(([a], [b]) => a - b).map(([, values]) => values);
  const means = Array.from({ length: resamples }, (_, resample) => {
    const values = drawnClusters(parts.length, seed, resample).flatMap((index) => parts[index]!);
    return sum(values) / values.length;
  });
  return means.sort((a, b) => a - b);
}

/** One row of a bootstrap of ratios: a numerator and a denominator a column. */
export interface RatioRow {
  readonly cluster: number;
  readonly above: readonly number[];
  readonly below: readonly number[];
}

/** The ratio of sums of each column. */
export function ratiosOf(rows: readonly RatioRow[], columns: number): number[] {
  return Array.from({ length: columns }, (_, column) => {
    const below = sum(rows.map((row) => row.below[column]!));
    return below === 0 ? Number.NaN : sum(rows.map((row) => row.above[column]!)) / below;
  });
}

/** The same of each resample: the rows of all clusters drawn, put together. */
export function resampledRatios(
  rows: readonly RatioRow[],
  columns: number,
  resamples: number,
  seed: number,
): number[][] {
  const ids = [...new Set(rows.map((row) => row.cluster))].sort((a, b) => a - b);
  const parts = ids.map((id) => rows.filter((row) => row.cluster === id));
  return Array.from({ length: resamples }, (_, resample) =>
    ratiosOf(
      drawnClusters(parts.length, seed, resample).flatMap((index) => parts[index]!),
      columns,
    ),
  );
}

/** Which of so many clusters a resample draws. */
export function drawnClusters(clusters: number, seed: number, resample: number): number[] {
  const drawn: number[] = [];
  const words = randomWords(BigInt(seed), BigInt(resample));
  const uneven = 2 ** 32 % clusters;
  while (drawn.length < clusters) {
    const scaled = BigInt(words.next().value) * BigInt(clusters);
    if (Number(scaled & 0xffffffffn) >= uneven) drawn.push(Number(scaled >> 32n));
  }
  return drawn;
}

export function percentileInterval(means: readonly number[], level = 0.95): Ends {
  return { low: quantile(means, (1 - level) / 2), high: quantile(means, (1 + level) / 2) };
}

/** Efron's BCa with the acceleration from leaving out one cluster at a time. */
export function bcaInterval(steps: readonly Step[], means: readonly number[], level = 0.95): Ends {
  const mean = gatedMean(steps);
  const tie = 1e-12 * Math.max(...steps.map((step) => Math.abs(step.value)));
  const below = means.filter((m) => m < mean - tie).length;
  const equal = means.filter((m) => Math.abs(m - mean) <= tie).length;
  const bias = normalQuantile((below + equal / 2) / means.length);
  const ids = [...byCluster(steps).keys()];
  const without = ids.map((id) => gatedMean(steps.filter((step) => step.cluster !== id)));
  const centre = sum(without) / without.length;
  const apart = without.map((m) => centre - m);
  const acceleration = sum(apart.map((d) => d ** 3)) / (6 * sum(apart.map((d) => d * d)) ** 1.5);
  const end = (share: number): number => {
    const z = bias + normalQuantile(share);
    return quantile(means, normalCdf(bias + z / (1 - acceleration * z)));
  };
  return { low: end((1 - level) / 2), high: end((1 + level) / 2) };
}

/** McNemar's exact test in whole numbers: twice the smaller tail of the binomial distribution. */
export function mcnemarExact(b: number, c: number): number {
  const n = BigInt(b + c);
  let [choose, tail] = [1n, 0n];
  for (let k = 0n; k <= BigInt(Math.min(b, c)); k += 1n) {
    tail += choose;
    choose = (choose * (n - k)) / (k + 1n);
  }
  // In units of 2^-1000: the largest whole number is still a double, and the smallest has all its digits.
  return Math.min(1, Number((2n * tail * 2n ** 1000n) >> n) / 2 ** 500 / 2 ** 500);
}

/** Holm: the largest of (m - j + 1) p_(j) over the j-th smallest up to one's own, at most 1. */
export function holmAdjusted(pValues: readonly number[]): number[] {
  const m = pValues.length;
  const ascending = [...pValues].sort((a, b) => a - b);
  return pValues.map((p) => Math.min(1, Math.max(...ascending.map((q, j) => (q <= p ? (m - j) * q : 0)))));
}

/** Benjamini and Hochberg: the smallest of m / j p_(j) over the j-th smallest from one's own on, at most 1. */
export function benjaminiHochbergAdjusted(pValues: readonly number[]): number[] {
  const m = pValues.length;
  const ascending = [...pValues].sort((a, b) => a - b);
  return pValues.map((p) =>
    Math.min(1, ...ascending.map((q, j) => (q >= p ? (m / (j + 1)) * q : Number.POSITIVE_INFINITY))),
  );
}

/** The gate by its definition: is any trigger near enough before the step? */
export function gateOf(
  hits: readonly number[],
  occupation: readonly number[],
  pronoun: readonly number[],
  window: number,
  after: number,
): number[] {
  const lately = (flags: readonly number[], t: number): boolean =>
    flags.slice(Math.max(0, t - window + 1), t + 1).includes(1);
  return hits.map((_, t) => {
    for (let s = Math.max(0, t - after); s <= t; s += 1) {
      if (hits[s] === 1) return 1;
      if (s < t && lately(occupation, s) && lately(pronoun, s)) return 1;
    }
    return 0;
  });
}

/** The probability of Student's t distribution within t of 0, by integration over the angle atan(t / sqrt(freedom)). */
export function studentInside(t: number, freedom: number): number {
  const part = integral((x) => Math.cos(x) ** (freedom - 1), Math.atan(t / Math.sqrt(freedom)));
  return part / integral((x) => Math.cos(x) ** (freedom - 1), Math.PI / 2);
}

export function studentQuantile(level: number, freedom: number): number {
  // The angle stays finite where t does not.
  const angle = bisect((x) => studentInside(Math.tan(x) * Math.sqrt(freedom), freedom) - level, 0, 1.570796);
  return Math.tan(angle) * Math.sqrt(freedom);
}

export function normalCdf(z: number): number {
  return 0.5 + integral((x) => Math.exp((-x * x) / 2), z) / Math.sqrt(2 * Math.PI);
}

export function normalQuantile(p: number): number {
  return bisect((z) => normalCdf(z) - p, -10, 10);
}

/** Philox4x32-10 as the paper has it, in batches of 16 counters: word 0 of all 16, then word 1 of all, and so on. */
function* randomWords(seed: bigint, stream: bigint): Generator<number, never> {
  for (let first = 0n; ; first += 16n) {
    const batch = Array.from({ length: 16 }, (_, lane) =>
      philox([first + BigInt(lane), 0n, stream, 0n], seed),
    );
    for (let word = 0; word < 4; word += 1) for (const words of batch) yield Number(words[word]);
  }
}

function philox(counter: bigint[], seed: bigint): bigint[] {
  const low = (x: bigint): bigint => x & 0xffffffffn;
  let [c0, c1, c2, c3] = counter as [bigint, bigint, bigint, bigint];
  let [k0, k1] = [low(seed), seed >> 32n];
  for (let round = 0; round < 10; round += 1) {
    const [a, b] = [0xd2511f53n * c0, 0xcd9e8d57n * c2];
    [c0, c1, c2, c3] = [(b >> 32n) ^ c1 ^ k0, low(b), (a >> 32n) ^ c3 ^ k1, low(a)];
    [k0, k1] = [low(k0 + 0x9e3779b9n), low(k1 + 0xbb67ae85n)];
  }
  return [c0, c1, c2, c3];
}

/** The (B + 1) share-th smallest of B, interpolated. */
function quantile(ascending: readonly number[], share: number): number {
  const at = Math.min(Math.max((ascending.length + 1) * share - 1, 0), ascending.length - 1);
  const [low, high] = [ascending[Math.floor(at)]!, ascending[Math.ceil(at)]!];
  return low + (at - Math.floor(at)) * (high - low);
}

function gated(steps: readonly Step[]): Step[] {
  return steps.filter((step) => step.gate === 1);
}

function byCluster(steps: readonly Step[]): Map<number, number[]> {
  const parts = new Map<number, number[]>();
  for (const { cluster, value } of gated(steps)) {
    parts.set(cluster, [...(parts.get(cluster) ?? []), value]);
  }
  return parts;
}

/**
 * Tango's interval of a difference of two shares: the differences that a score test does not refuse, with the likeliest table of
 * each difference found by looking for where its likelihood is flat.
 */
export function tangoInterval(b: number, c: number, n: number): Ends {
  const z = 1.959963984540054;
  const score = (difference: number): number => {
    // The share of rows that only the second has; that of the first alone is larger by the difference.
    const least = Math.max(0, -difference);
    const slope = (q: number) =>
      (b === 0 ? 0 : b / (q + difference)) +
      (c === 0 ? 0 : c / q) -
      (2 * (n - b - c)) / (1 - 2 * q - difference);
    const q = bisect((x) => -slope(x), least, (1 - difference) / 2);
    const variance = n * (2 * q + difference - difference ** 2);
    return (b - c - n * difference) / Math.sqrt(variance);
  };
  const mean = (b - c) / n;
  return {
    low: bisect((x) => z - score(x), -1, mean),
    high: bisect((x) => -z - score(x), mean, 1),
  };
}

function around(centre: number, half: number): Ends {
  return { low: centre - half, high: centre + half };
}

/** From 0 to `to`, by Simpson's rule. */
function integral(f: (x: number) => number, to: number): number {
  const pieces = 2000;
  const width = to / pieces;
  const inner = Array.from({ length: pieces - 1 }, (_, i) => (i % 2 === 0 ? 4 : 2) * f((i + 1) * width));
  return (width / 3) * (f(0) + sum(inner) + f(to));
}

/** Where the ascending `f` is 0. */
function bisect(f: (x: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  for (let i = 0; i < 60; i += 1) {
    const middle = (low + high) / 2;
    if (f(middle) < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function sum(terms: readonly number[]): number {
  return terms.reduce((total, term) => total + term, 0);
}
