/** What the oracle's models say of texts: the log-probability of every token, and what they would write next. */
import type { OracleLlama } from './forward.ts';
import { logSumExp } from './metrics.ts';

/** Natural log-probability of each token but the first, after those before it: one forward pass a token. */
export function tokenLogProbs(llama: OracleLlama, tokens: readonly number[]): number[] {
  return tokens.slice(1).map((token, at) => {
    const logits = [...llama.forward(tokens.slice(0, at + 1)).logits];
    return logits[token]! - logSumExp(logits);
  });
}

/** The likeliest token after each, ties by lower id, until `end` or `steps` tokens. */
export function greedy(llama: OracleLlama, tokens: readonly number[], steps: number, end: number): number[] {
  const chosen: number[] = [];
  while (chosen.length < steps) {
    const { logits } = llama.forward([...tokens, ...chosen]);
    const best = logits.indexOf(Math.max(...logits));
    chosen.push(best);
    if (best === end) break;
  }
  return chosen;
}
