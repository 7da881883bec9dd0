/** A list of the likeliest tokens, as an endpoint gives it, brought to what it proves. */
import type { ListedStep, ListedToken } from '../../observation.ts';

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
