/** Small tokenizers that behave as the kinds that models have: greedy, longest piece first. */
import type { TokenSource } from '../../src/lexicon/index.ts';

function greedy(pieces: readonly string[], text: string): number[] {
  const ids: number[] = [];
  for (let at = 0; at < text.length; ) {
    let best = -1;
    for (const [id, piece] of pieces.entries()) {
      if (text.startsWith(piece, at) && piece.length > (pieces[best]?.length ?? 0)) best = id;
    }
    if (best === -1) throw new Error(`no piece for ${JSON.stringify(text.slice(at))}`);
    ids.push(best);
    at += pieces[best]!.length;
  }
  return ids;
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.'];

/** GPT-2's way: the space is a part of the word behind it. */
export function bpe(...words: string[]): TokenSource & { id(piece: string): number } {
  const pieces = [...LETTERS, ' ', ...words];
  return {
    vocabSize: pieces.length,
    tokenize: (text) => Int32Array.from(greedy(pieces, text)),
    piece: (id) => pieces[id]!,
    id: (piece) => pieces.indexOf(piece),
  };
}

/** SentencePiece's way: a space is put in front of every text, so a text with a space of its own has two. */
export function spm(...words: string[]): TokenSource & { id(piece: string): number } {
  const inner = bpe(...words);
  return { ...inner, tokenize: (text) => inner.tokenize(` ${text}`) };
}

/** One token a byte; a byte that is no character by itself shows as the replacement character. */
export const bytes: TokenSource = {
  vocabSize: 256,
  tokenize: (text) => Int32Array.from(new TextEncoder().encode(text)),
  piece: (id) => new TextDecoder().decode(Uint8Array.of(id)),
};
