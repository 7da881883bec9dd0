/**
 * The oracle's SentencePiece-style tokenizer: characters, then again and again the best-scoring pair of neighbours
 * that is a piece (the leftmost of equals), and bytes for what is left. Control tokens and bytes are no pieces: no text
 * becomes one. Quadratic and plain on purpose.
 */

import type { OracleGguf } from './gguf.ts';

/** Token types of the file format that are pieces of texts: normal and user-defined. */
const PIECES = [1, 4];

export class OracleSpm {
  readonly pieces: readonly string[];
  readonly #scores: readonly number[];
  readonly #ids: ReadonlyMap<string, number>;
  readonly #pieceIds: ReadonlyMap<string, number>;
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
    const types = list('token_type').map(Number);
    this.#ids = new Map(this.pieces.map((piece, id) => [piece, id]));
    this.#pieceIds = new Map([...this.#ids].filter(([, id]) => PIECES.includes(types[id]!)));
    this.#bos = Number(metadata.get('tokenizer.ggml.bos_token_id') ?? 1);
    this.#spacePrefix = metadata.get('tokenizer.ggml.add_space_prefix') !== false;
  }

  /** Token ids of a text, BOS first. */
  tokenize(text: string): number[] {
    return [this.#bos, ...this.plain(text)];
  }

  /** Token ids of a text, nothing in front. */
  plain(text: string): number[] {
    if (text === '') return [];
    const parts = [...((this.#spacePrefix ? ' ' : '') + text).replaceAll(' ', '\u2581')];
    for (;;) {
      let best = -1;
      let bestScore = Number.NEGATIVE_INFINITY;
      for (let i = 0; i + 1 < parts.length; i++) {
        const id = this.#pieceIds.get(parts[i]! + parts[i + 1]!);
        if (id !== undefined && this.#scores[id]! > bestScore) {
          best = i;
          bestScore = this.#scores[id]!;
        }
      }
      if (best < 0) break;
      parts.splice(best, 2, parts[best]! + parts[best + 1]!);
    }
    return parts.flatMap((part) => this.#idsOf(part));
  }

  #idsOf(part: string): number[] {
    const id = this.#pieceIds.get(part);
    if (id !== undefined) return [id];
    return [...new TextEncoder().encode(part)].map((byte) => {
      const piece = `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
      const byteId = this.#ids.get(piece);
      if (byteId === undefined) throw new Error(`the vocabulary has no ${piece}`);
      return byteId;
    });
  }
}
