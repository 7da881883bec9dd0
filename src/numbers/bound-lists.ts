/** Lists of the likeliest tokens, as an endpoint gives them, in the columns from which bounds are made. */

import type { ListedStep } from '../observation/observation.ts';
import type { ListedRows } from './bounds.ts';

/**
 * What a listed log-probability may be off by, in nats: servers take softmax of float32 logits and write what they have
 * with some seven digits.
 */
export const LIST_ERROR = 1e-5;

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

/** Lists of several rows in columns, as `listedRowMetrics` and `listedPairMetrics` take them. */
export function listedRows(
  steps: readonly ListedStep[],
  numbers: TokenNumbers,
  error = LIST_ERROR,
): ListedRows {
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
