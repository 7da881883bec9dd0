/**
 * The parser of PluRule's evaluation, kept so that its numbers can be made again: forms of an answer in a fixed order, of
 * which the first that occurs anywhere counts, whatever stands around it. It takes articles and pronouns for letters, and
 * does not ask whether a letter is on offer.
 */
import type { Finding } from './types.ts';

const CLOSED_THOUGHT = /<think>[\s\S]*?<\/think>/gi;
const OPEN_THOUGHT = /<think>/i;

/** In lower case; the first to match wins. */
const FORMS: readonly RegExp[] = [
  /\((?<letter>[a-z])\)/,
  /(?:answer|choice|option)\s*[:-]\s*(?<letter>[a-z])\b/,
  /(?:answer|choice)\s+(?:is\s+)?(?:option\s+)?(?<letter>[a-z])\b/,
  /option\s+(?<letter>[a-z])\b/,
  /^\s*(?<letter>[a-z])\)/m,
  /^\s*(?<letter>[a-z])\./m,
  /^\s*(?<letter>[a-z])\s*$(?![\s\S])/,
];

/** The letter that it reads, in lower case and on offer or not; null where it reads none. */
export function pluruleLetter(text: string): string | null {
  const spoken = text.replace(CLOSED_THOUGHT, '');
  if (OPEN_THOUGHT.test(spoken)) return null;
  const lower = spoken.toLowerCase();
  for (const form of FORMS) {
    const letter = form.exec(lower)?.groups?.letter;
    if (letter !== undefined) return letter;
  }
  return null;
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
