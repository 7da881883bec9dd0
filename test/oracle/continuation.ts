/**
 * The log-probability of a continuation behind its prompt, token by token: both tokenized as one text, and the tokens
 * behind those that the prompt alone begins with are scored, each by a forward pass over all before it.
 */
import type { OracleLlama } from './forward.ts';
import type { OracleSpm } from './spm.ts';

export interface OracleContinuation {
  readonly tokens: readonly number[];
  /** Nats, one per token. */
  readonly logProbs: readonly number[];
  readonly logProb: number;
}

export function scoreContinuation(
  llama: OracleLlama,
  spm: OracleSpm,
  prompt: string,
  continuation: string,
): OracleContinuation {
  const all = spm.tokenize(prompt + continuation);
  const alone = spm.tokenize(prompt);
  let boundary = 0;
  while (boundary < alone.length && alone[boundary] === all[boundary]) boundary++;
  const tokens = all.slice(boundary);
  const logProbs = tokens.map((token, at) => {
    const { logits } = llama.forward(all.slice(0, boundary + at));
    const highest = Math.max(...logits);
    const total = logits.reduce((sum, logit) => sum + Math.exp(logit - highest), 0);
    return logits[token]! - highest - Math.log(total);
  });
  return { tokens, logProbs, logProb: logProbs.reduce((sum, value) => sum + value, 0) };
}
