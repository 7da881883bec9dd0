/**
 * How two spellings are told to be the same word: by their letters without regard to case. Used wherever words are
 * compared, so that a lexicon, a duplicate check and a match in a text all agree.
 */

/**
 * A key that is equal for spellings that differ in case only. Going down, up and down again brings together letters
 * that share an upper form only (long s and s) or a lower form only (the Kelvin sign and k).
 */
export function foldCase(word: string): string {
  return word.toLowerCase().toUpperCase().toLowerCase();
}

/** `word` with its first character in upper case; unchanged where there is nothing to change. */
export function capitalise(word: string): string {
  const first = String.fromCodePoint(word.codePointAt(0) ?? 0x20);
  return word === '' ? word : first.toUpperCase() + word.slice(first.length);
}
