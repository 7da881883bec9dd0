/** Lists of the likeliest tokens, as an endpoint gives them, made ready for the bounds that can be proved from them. */
import type { ListedToken } from './reply.ts';

/**
 * What a listed log-probability may be off by, in nats: servers take softmax of float32 logits and write what they have
 * with some seven digits.
 */
export const LIST_ERROR = 1e-5;

/** What an endpoint tells of one next-token distribution. */
export interface ListedStep {
  /** Each one known by a key that no other one has; likeliest first. */
  readonly tokens: readonly ListedToken[];
  /** A log-probability that no token beside them exceeds; Infinity where none is known. */
  readonly mostUnlisted: number;
}

/**
 * `asked` is how many were asked for. Some servers put the chosen token behind them, and some lose one of two tokens
 * that have the same text; where two of one name are left, neither is known.
 */
export function listedStep(top: readonly ListedToken[], asked: number): ListedStep {
  const counts = new Map<string, number>();
  for (const { key } of top) counts.set(key, (counts.get(key) ?? 0) + 1);
  const tokens = top.filter(({ key }) => counts.get(key) === 1);
  const nameless = top.filter(({ key }) => counts.get(key)! > 1).map(({ logProb }) => logProb);
  // The K-th likeliest of K or more. With fewer, one that is lost may be likelier than those that are there.
  const least = top.length >= asked ? top[asked - 1]!.logProb : Number.POSITIVE_INFINITY;
  return { tokens, mostUnlisted: Math.max(least, ...nameless) };
}

/** Numbers for the keys of tokens, the same in all lists that are compared. */
export class TokenNumbers {
  readonly #numbers = new Map<string, number>();

  of(key: string): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(key, number);
    return number;
  }
}

/** Lists of several rows in columns, as `listedRowMetrics` and `listedPairMetrics` of logit-audit/metrics take them. */
export function listedRows(steps: readonly ListedStep[], numbers: TokenNumbers, error = LIST_ERROR) {
  const offsets = new Uint32Array(steps.length + 1);
  steps.forEach(({ tokens }, row) => {
    offsets[row + 1] = offsets[row]! + tokens.length;
  });
  const tokens = steps.flatMap((step) => step.tokens);
  return {
    offsets,
    keys: Int32Array.from(tokens, ({ key }) => numbers.of(key)),
    logProbs: Float64Array.from(tokens, ({ logProb }) => logProb),
    mostUnlisted: Float64Array.from(steps, ({ mostUnlisted }) => mostUnlisted),
    error,
  };
}

/**
 * The listed tokens that are one of these texts, as a group. What of it is not listed cannot be counted: which texts are
 * tokens of their own, an endpoint does not tell.
 */
export function listedGroup(
  steps: readonly ListedStep[],
  texts: ReadonlySet<string>,
  numbers: TokenNumbers,
): Int32Array {
  const keys = steps.flatMap(({ tokens }) => tokens.filter(({ text }) => texts.has(text)));
  return Int32Array.from(new Set(keys.map(({ key }) => numbers.of(key))));
}
