/** What the oracle's models write when they always take the likeliest token. */
import type { OracleLlama } from './forward.ts';

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
