/** Log-probabilities of texts, by the oracle's tokenizer and its forward pass. Natural logarithms. */
import { OracleLlama } from './forward.ts';
import { type OracleGguf, readGgufFile } from './gguf.ts';
import { logSumExp } from './metrics.ts';
import { OracleSpm } from './spm.ts';

/** A model file as the oracle reads it. */
export class OracleModel {
  readonly gguf: OracleGguf;
  readonly spm: OracleSpm;
  readonly #llama: OracleLlama;

  constructor(file: string) {
    this.gguf = readGgufFile(file);
    this.spm = new OracleSpm(this.gguf);
    this.#llama = new OracleLlama(this.gguf);
  }

  /** Token ids, BOS first. */
  tokens(text: string): number[] {
    return this.spm.tokenize(text);
  }

  /** The V logits after each token. */
  logits(tokens: readonly number[]): number[][] {
    return this.#llama.forwardAll(tokens).map((row) => [...row]);
  }

  /** The log-probability of each token; null of the first, which follows nothing. */
  logProbs(tokens: readonly number[]): (number | null)[] {
    const rows = this.logits(tokens);
    return tokens.map((token, at) => {
      const row = rows[at - 1];
      return row === undefined ? null : row[token]! - logSumExp(row);
    });
  }
}
