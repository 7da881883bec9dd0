/**
 * The oracle's byte-level BPE tokenizer: a text is cut into words, a word into the letters that stand for its bytes, and
 * the pair of neighbours that comes first in the list of merges is joined (the leftmost of equals) until none is left.
 */

import type { OracleGguf } from './gguf.ts';

/** How each kind of vocabulary cuts a text into words, as its makers published it. */
const WORDS: Readonly<Record<string, RegExp>> = {
  'gpt-2': /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu,
  'llama-bpe':
    /'s|'t|'re|'ve|'m|'ll|'d|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+/giu,
};

export class OracleBpe {
  readonly #ids: ReadonlyMap<string, number>;
  readonly #ranks: ReadonlyMap<string, number>;
  readonly #words: RegExp;
  readonly #letters: readonly string[];

  constructor({ metadata }: OracleGguf) {
    const strings = (key: string): string[] => {
      const value = metadata.get(`tokenizer.ggml.${key}`);
      if (!Array.isArray(value)) throw new Error(`tokenizer.ggml.${key} is missing`);
      return value.map(String);
    };
    const pre = String(metadata.get('tokenizer.ggml.pre'));
    if (metadata.get('tokenizer.ggml.model') !== 'gpt2') throw new Error('not a "gpt2" vocabulary');
    if (!WORDS[pre]) throw new Error(`words of "${pre}" are not known here`);
    this.#words = WORDS[pre];
    this.#ids = new Map(strings('tokens').map((text, id) => [text, id]));
    this.#ranks = new Map(strings('merges').map((merge, rank) => [merge, rank]));
    this.#letters = lettersOfBytes();
  }

  /** Token ids of a text, nothing in front. */
  plain(text: string): number[] {
    return (text.match(this.#words) ?? []).flatMap((word) => this.#word(word));
  }

  #word(word: string): number[] {
    const parts = [...new TextEncoder().encode(word)].map((byte) => this.#letters[byte]!);
    for (;;) {
      let best = -1;
      let bestRank = Number.POSITIVE_INFINITY;
      for (let i = 0; i + 1 < parts.length; i++) {
        const rank = this.#ranks.get(`${parts[i]} ${parts[i + 1]}`);
        if (rank !== undefined && rank < bestRank) {
          best = i;
          bestRank = rank;
        }
      }
      if (best < 0) break;
      parts.splice(best, 2, parts[best]! + parts[best + 1]!);
    }
    return parts.map((part) => {
      const id = this.#ids.get(part);
      if (id === undefined) throw new Error(`the vocabulary has no ${part}`);
      return id;
    });
  }
}

/** GPT-2's table: bytes that print stand for themselves, the others for the characters from U+0100 on. */
function lettersOfBytes(): string[] {
  const letters: string[] = [];
  let others = 0;
  for (let byte = 0; byte < 256; byte++) {
    const prints = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    letters.push(String.fromCharCode(prints ? byte : 256 + others++));
  }
  return letters;
}
