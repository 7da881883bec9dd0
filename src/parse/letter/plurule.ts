/**
 * The parser of PluRule's evaluation, kept so that its numbers can be made again: forms of an answer in a fixed order, of
 * which the first that occurs anywhere counts, whatever stands around it. It takes articles and pronouns for letters, and
 * does not ask whether a letter is on offer.
 */
import type { Finding } from './types.ts';

const THINK = { open: '<think>', close: '</think>' } as const;
/** White space that ends no line: of what stands in front of a letter, the line's own part decides. */
const INDENT = String.raw`[^\S\n\r\u2028\u2029]*`;

/** In lower case; the first to match wins. */
const FORMS: readonly RegExp[] = [
  /\((?<letter>[a-z])\)/,
  /(?:answer|choice|option)\s*[:-]\s*(?<letter>[a-z])\b/,
  /(?:answer|choice)\s+(?:is\s+)?(?:option\s+)?(?<letter>[a-z])\b/,
  /option\s+(?<letter>[a-z])\b/,
  new RegExp(String.raw`^${INDENT}(?<letter>[a-z])\)`, 'm'),
  new RegExp(String.raw`^${INDENT}(?<letter>[a-z])\.`, 'm'),
  /^\s*(?<letter>[a-z])\s*$(?![\s\S])/,
];

/** The letter that it reads, in lower case and on offer or not; null where it reads none. */
export function pluruleLetter(text: string): string | null {
  const lower = withoutThoughts(text)?.toLowerCase() ?? null;
  if (lower === null) return null;
  for (const form of FORMS) {
    const letter = form.exec(lower)?.groups?.letter;
    if (letter !== undefined) return letter;
  }
  return null;
}

/** Without the thoughts that are closed; null where one is left open. */
function withoutThoughts(text: string): string | null {
  // ASCII alone: other characters may change their length with their case.
  const lower = text.replace(/[A-Z]+/gu, (capitals) => capitals.toLowerCase());
  const kept: string[] = [];
  let from = 0;
  for (let open = lower.indexOf(THINK.open); open !== -1; open = lower.indexOf(THINK.open, from)) {
    const close = lower.indexOf(THINK.close, open);
    if (close === -1) return null;
    kept.push(text.slice(from, open));
    from = close + THINK.close.length;
  }
  const spoken = kept.join('') + text.slice(from);
  // What is left of two tags may make a third.
  return spoken.toLowerCase().includes(THINK.open) ? null : spoken;
}

/** `letters` are in capitals. A letter that is not among them is no answer. */
export function readPlurule(text: string, letters: readonly string[]): Finding {
  const letter = pluruleLetter(text);
  if (letter === null) return { kind: 'none', reason: 'no_answer' };
  const index = letters.indexOf(letter.toUpperCase());
  return index === -1
    ? { kind: 'none', reason: 'not_offered' }
    : { kind: 'letter', index, rule: 'first_form' };
}
