/**
 * The oracle's SentencePiece-style tokenizer: characters, then again and again the best-scoring pair of neighbours
 * that is a piece (the leftmost of equals), and bytes for what is left. Quadratic and plain on purpose.
 */

import type { OracleGguf } from './gguf.ts';

export class OracleSpm {
  readonly pieces: readonly string[];
  readonly #scores: readonly number[];
  readonly #ids: ReadonlyMap<string, number>;
  readonly #bos: number;
  readonly #spacePrefix: boolean;

  constructor({ metadata }: OracleGguf) {
    const list = (key: string): readonly unknown[] => {
      const value = metadata.get(`tokenizer.ggml.${key}`);
      if (!Array.isArray(value)) throw new Error(`tokenizer.ggml.${key} is missing`);
      return value;
    };
    if (metadata.get('tokenizer.ggml.model') !== 'llama') throw new Error('not a "llama" vocabulary');
    this.pieces = list('tokens').map(String);
    this.#scores = list('scores').map(Number);
    this.#ids = new Map(this.pieces.map((piece, id) => [piece, id]));
    this.#bos = Number(metadata.get('tokenizer.ggml.bos_token_id') ?? 1);
    this.#spacePrefix = metadata.get('tokenizer.ggml.add_space_prefix') !== false;
  }

  /** Token ids of a text, BOS first. */
  tokenize(text: string): number[] {
    const parts = [...((this.#spacePrefix ? ' ' : '') + text).replaceAll(' ', '\u2581')];
    for (;;) {
      let best = -1;
      let bestScore = Number.NEGATIVE_INFINITY;
      for (let i = 0; i + 1 < parts.length; i++) {
        const id = this.#ids.get(parts[i]! + parts[i + 1]!);
        if (id !== undefined && this.#scores[id]! > bestScore) {
          best = i;
          bestScore = this.#scores[id]!;
        }
      }
      if (best < 0) break;
      parts.splice(best, 2, parts[best]! + parts[best + 1]!);
    }
    return [this.#bos, ...parts.flatMap((part) => this.#idsOf(part))];
  }

  #idsOf(part: string): number[] {
    const id = this.#ids.get(part);
    if (id !== undefined) return [id];
    return [...new TextEncoder().encode(part)].map((byte) => {
      const piece = `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
      const byteId = this.#ids.get(piece);
      if (byteId === undefined) throw new Error(`the vocabulary has no ${piece}`);
      return byteId;
    });
  }
}
