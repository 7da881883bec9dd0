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

/** A source of one text and one token at a time, as the batched one that is asked for. */
function source(
  vocabSize: number,
  tokenize: (text: string) => ArrayLike<number>,
  piece: (id: number) => string,
): TokenSource {
  return {
    vocabSize,
    tokenizeAll: async (texts) => texts.map((text) => Int32Array.from(tokenize(text))),
    pieces: async (tokens) => Array.from(tokens, piece),
  };
}

type Named = TokenSource & { id(piece: string): number };

function spaced(words: readonly string[], spell: (text: string) => string): Named {
  const pieces = [...LETTERS, ' ', ...words];
  return {
    ...source(
      pieces.length,
      (text) => greedy(pieces, spell(text)),
      (id) => pieces[id]!,
    ),
    id: (piece) => pieces.indexOf(piece),
  };
}

/** GPT-2's way: the space is a part of the word behind it. */
export function bpe(...words: string[]): Named {
  return spaced(words, (text) => text);
}

/** SentencePiece's way: a space is put in front of every text, so a text with a space of its own has two. */
export function spm(...words: string[]): Named {
  return spaced(words, (text) => ` ${text}`);
}

/** One token a byte; a byte that is no character by itself shows as the replacement character. */
export const bytes = source(
  256,
  (text) => new TextEncoder().encode(text),
  (id) => new TextDecoder().decode(Uint8Array.of(id)),
);
