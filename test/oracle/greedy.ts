/** What the oracle's models write when they always take the likeliest token. */
import type { OracleModel } from './score.ts';

/** Up to `count` tokens, the likeliest after each, ties by lower id; the end of text is the last where it comes. */
export function greedy(model: OracleModel, prompt: readonly number[], count: number): number[] {
  const end = endOf(model);
  const chosen: number[] = [];
  while (chosen.length < count && chosen.at(-1) !== end) {
    const row = model.logits([...prompt, ...chosen]).at(-1)!;
    chosen.push(row.indexOf(Math.max(...row)));
  }
  return chosen;
}

/** The same behind a text and as text, without the end. */
export function greedyText(model: OracleModel, prompt: string, count: number): string {
  const end = endOf(model);
  return greedy(model, model.tokens(prompt), count)
    .filter((id) => id !== end)
    .map((id) => model.spm.pieces[id]!.replaceAll('\u2581', ' '))
    .join('');
}

function endOf({ gguf }: OracleModel): number {
  return Number(gguf.metadata.get('tokenizer.ggml.eos_token_id'));
}
