/**
 * The oracle's unigram tokenizer: of all ways to cut a text into pieces the one with the highest sum of scores. A
 * character that no piece begins with costs 10 more than the worst piece and is unknown; unknown neighbours are one.
 */

import type { OracleGguf } from './gguf.ts';

const UNKNOWN_COST = 10;
const NORMAL = 1;
const SPACE = '\u2581';

export class OracleUnigram {
  readonly #pieces = new Map<string, { id: number; score: number }>();
  readonly #unknown: number;
  readonly #unknownScore: number;
  readonly #spacePrefix: boolean;
  readonly #trim: boolean;
  readonly #longest: number;

  constructor({ metadata }: OracleGguf) {
    const list = (key: string): readonly unknown[] => {
      const value = metadata.get(`tokenizer.ggml.${key}`);
      if (!Array.isArray(value)) throw new Error(`tokenizer.ggml.${key} is missing`);
      return value;
    };
    if (metadata.get('tokenizer.ggml.model') !== 't5') throw new Error('not a "t5" vocabulary');
    if (metadata.has('tokenizer.ggml.precompiled_charsmap'))
      throw new Error('no normalisation is known here');
    const scores = list('scores').map(Number);
    const types = list('token_type').map(Number);
    list('tokens').forEach((text, id) => {
      // Control tokens and the unknown one are never found in a text.
      if (types[id] === NORMAL) this.#pieces.set(String(text), { id, score: scores[id]! });
    });
    this.#unknown = Number(metadata.get('tokenizer.ggml.unknown_token_id') ?? 2);
    this.#unknownScore = Math.min(...[...this.#pieces.values()].map(({ score }) => score)) - UNKNOWN_COST;
    this.#spacePrefix = metadata.get('tokenizer.ggml.add_space_prefix') === true;
    this.#trim = metadata.get('tokenizer.ggml.remove_extra_whitespaces') === true;
    this.#longest = Math.max(...[...this.#pieces.keys()].map((piece) => [...piece].length));
  }

  /** Token ids of a text, nothing in front. */
  plain(text: string): number[] {
    const spaced = this.#trim ? text.replace(/ +/g, ' ').replace(/^ | $/g, '') : text;
    if (spaced === '') return [];
    const characters = [...((this.#spacePrefix ? ' ' : '') + spaced).replaceAll(' ', SPACE)];
    // The best way to the place after each character: its score, and the piece that it ends with.
    const best: { score: number; from: number; id: number }[] = [{ score: 0, from: -1, id: -1 }];
    for (let end = 1; end <= characters.length; end++) {
      let way = { score: Number.NEGATIVE_INFINITY, from: -1, id: -1 };
      for (let from = Math.max(0, end - this.#longest); from < end; from++) {
        const piece = this.#pieces.get(characters.slice(from, end).join(''));
        const unknown = end - from === 1 && !piece;
        if (!piece && !unknown) continue;
        const score = best[from]!.score + (piece ? piece.score : this.#unknownScore);
        if (score > way.score) way = { score, from, id: piece ? piece.id : this.#unknown };
      }
      best.push(way);
    }
    const ids: number[] = [];
    for (let at = characters.length; at > 0; at = best[at]!.from) {
      const { id } = best[at]!;
      if (!(id === this.#unknown && ids[0] === this.#unknown)) ids.unshift(id);
    }
    return ids;
  }
}
