/** Which tokens can follow a word without making it longer: what turns "her" into a word and not the beginning of "herself". */
import type { TokenSource } from './map.ts';

/** A character that continues a word. A mark that joins (ZWJ, ZWNJ) is one too. */
const GOES_ON = /^[\p{L}\p{M}\p{N}\u200c\u200d]/u;
/** Scripts that put nothing between words: there every token may follow a word. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]$/u;

/**
 * Ids of the tokens that end a word: their text begins with a space, a sign or an end of text. A token that begins within a character
 * is taken for a part of the word.
 */
export async function wordEndIds(tokenizer: TokenSource): Promise<Int32Array> {
  const ids = Int32Array.from({ length: tokenizer.vocabSize }, (_, id) => id);
  const pieces = await tokenizer.pieces(ids);
  return ids.filter((id) => {
    const piece = pieces[id]!;
    return !GOES_ON.test(piece) && !piece.startsWith('\uFFFD');
  });
}

/** Whether a word needs such a token behind it to be whole. */
export function needsWordEnd(word: string): boolean {
  return !UNSPACED.test(word);
}
