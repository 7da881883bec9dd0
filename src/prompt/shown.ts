/** Text out of a model's file or its template, as a message may carry it: of bounded length, with nothing in it unseen. */

/** A sentence of a template's own fits. */
const MOST = 300;

/** Controls, marks that turn the direction of text, separators of lines, halves of characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The beginning of `text`, what cannot be seen in it as an escape, and how much was cut. */
export function shown(text: string, most = MOST): string {
  const seen = text.slice(0, most).replace(UNSEEN, escapeOf);
  return text.length <= most ? seen : `${seen}… (${text.length - most} more characters)`;
}

function escapeOf(character: string): string {
  return SHORT[character] ?? `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
