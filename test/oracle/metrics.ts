/**
 * The oracle's row and pair metrics: the formulas of the project's definitions, one after the other, in float64 and
 * natural logarithms. -Infinity is a masked token. Nothing here is shared with the product.
 */

export function logSumExp(logits: readonly number[]): number {
  const largest = Math.max(...logits);
  return largest + Math.log(sum(logits.map((z) => Math.exp(z - largest))));
}

export function softmax(logits: readonly number[]): number[] {
  const largest = Math.max(...logits);
  const raised = logits.map((z) => Math.exp(z - largest));
  const total = sum(raised);
  return raised.map((e) => e / total);
}

/** Offsets are taken away first: a large one would cost the difference its digits. */
function logSoftmax(logits: readonly number[]): number[] {
  const largest = Math.max(...logits);
  const total = Math.log(sum(logits.map((z) => Math.exp(z - largest))));
  return logits.map((z) => z - largest - total);
}

/** In [0, ln V]. */
export function entropy(p: readonly number[]): number {
  // Adding 0 keeps a certain row from giving -0.
  return -sum(p.map(xLogX)) + 0;
}

export function mass(p: readonly number[], ids: readonly number[]): number {
  return sum(ids.map((id) => p[id]!));
}

/** 1 for the largest logit; equal logits share a rank. */
export function rank(logits: readonly number[], target: number): number {
  return 1 + logits.filter((z) => z > logits[target]!).length;
}

/** Ids of the K largest logits, largest first, the lower id first among equals. */
export function topK(logits: readonly number[], k: number): number[] {
  return logits
    .map((_, id) => id)
    .sort((a, b) => (logits[a]! === logits[b]! ? a - b : logits[a]! > logits[b]! ? -1 : 1))
    .slice(0, k);
}

/**
 * KL(p || q) of two rows of logits; Infinity when q masks a token that p does not. In logarithms, because a
 * probability that underflows is not a masked one.
 */
export function kl(a: readonly number[], b: readonly number[]): number {
  const p = softmax(a);
  const [logP, logQ] = [logSoftmax(a), logSoftmax(b)];
  return sum(
    a.map((z, id) => {
      if (z === Number.NEGATIVE_INFINITY) return 0;
      if (b[id] === Number.NEGATIVE_INFINITY) return Number.POSITIVE_INFINITY;
      return p[id]! * (logP[id]! - logQ[id]!);
    }),
  );
}

/** In [0, ln 2]. */
export function jsd(p: readonly number[], q: readonly number[]): number {
  return sum(p.map((a, i) => jsdTerm(a, q[i]!)));
}

/** In [0, 1]. */
export function totalVariation(p: readonly number[], q: readonly number[]): number {
  return sum(p.map((a, i) => Math.abs(a - q[i]!))) / 2;
}

export interface TopKForm {
  readonly unionSize: number;
  readonly partial: number;
  readonly lower: number;
  readonly upper: number;
}

/** The top-K form of the Jensen-Shannon divergence of two rows of logits, with its bounds. */
export function jsdTopK(a: readonly number[], b: readonly number[], k: number): TopKForm {
  const [p, q] = [softmax(a), softmax(b)];
  const union = new Set([...topK(a, k), ...topK(b, k)]);
  const partial = sum([...union].map((id) => jsdTerm(p[id]!, q[id]!)));
  const restP = sum(p.filter((_, id) => !union.has(id)));
  const restQ = sum(q.filter((_, id) => !union.has(id)));
  return {
    unionSize: union.size,
    partial,
    lower: partial + jsdTerm(restP, restQ),
    upper: partial + ((restP + restQ) / 2) * Math.LN2,
  };
}

/** One token's part of the divergence: (a ln(a/m) + b ln(b/m)) / 2, m = (a + b) / 2. */
function jsdTerm(a: number, b: number): number {
  const middle = (a + b) / 2;
  const half = (x: number): number => (x === 0 ? 0 : x * Math.log(x / middle));
  return (half(a) + half(b)) / 2;
}

function xLogX(x: number): number {
  return x === 0 ? 0 : x * Math.log(x);
}

/** Neumaier's sum: the error does not grow with the number of terms. */
function sum(terms: readonly number[]): number {
  let total = 0;
  let lost = 0;
  for (const term of terms) {
    const next = total + term;
    // An infinite term leaves nothing to compensate.
    if (Number.isFinite(next))
      lost += Math.abs(total) >= Math.abs(term) ? total - next + term : term - next + total;
    total = next;
  }
  return total + lost;
}
