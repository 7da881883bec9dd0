/**
 * Answers brought to one spelling, so that two that mean the same compare as equal: Unicode forms, case, outer
 * punctuation, the LaTeX that wraps an answer, and numbers. Text is only ever rewritten, never run. Time is linear in
 * the length of the text, whatever it holds.
 */
import { plainCharacters } from './characters.ts';
import { plainMyriads } from './myriads.ts';
import { numberOf } from './number.ts';

/** As many marks behind a letter as Unicode's stream-safe text has; sorting longer runs takes time of their square. */
const MARKS = /(\p{M}{30})\p{M}+/gu;

/** The text without such runs: normal forms of it take time that is linear. */
export function streamSafe(text: string): string {
  return text.replace(MARKS, '$1');
}

const SUPERSCRIPTS = /[\u00b2\u00b3\u00b9\u2070\u2071\u2074-\u207f]+/g;
const VULGAR_BEHIND_DIGIT = /(?<=\d)[\u00bc-\u00be\u2150-\u215e]/g;

const OUTER = new Set(' "\'`*_~#:;,!?$');
/** Pairs around a whole answer; anything bracketed or listed within them gives them a meaning. */
const PAIRS: Readonly<Record<string, string>> = { '(': ')', '{': '}' };
const INNER_STRUCTURE = /[()[\]{},]/;

/** NFKC, but with exponents and mixed numbers kept apart from the digits in front of them. */
function compatible(text: string): string {
  const exact = streamSafe(plainCharacters(text))
    .replace(SUPERSCRIPTS, '^$&')
    .replace(VULGAR_BEHIND_DIGIT, ' $&')
    .normalize('NFKC');
  return plainCharacters(exact)
    .replace(/\u2044/g, '/')
    .replace(/[\u201c\u201d]/g, '"');
}

const SIMPLE = /^[-+]?[\p{L}\p{N}.]*$/u;
const grouped = (part: string) => (SIMPLE.test(part.trim()) ? part.trim() : `(${part.trim()})`);

/** The text with its LaTeX written plainly: fractions, wrappers, delimiters, thin spaces, degrees. */
export function plainMath(text: string): string {
  return plainMyriads(compatible(text))
    .replace(/\\(?:left|right|displaystyle)(?![A-Za-z])/g, '')
    .replace(/(\d)\{,\}(?=\d)(?!\d{3}(?!\d))/g, '$1.')
    .replace(/\\[,!;:]|\{,\}/g, (found) => (found === '{,}' ? ',' : ''))
    .replace(/~|\\(?: |quad(?![A-Za-z]))/g, ' ')
    .replace(/\\(?:times|cdot)(?![A-Za-z])/g, '×')
    .replace(/\\(?:text|textbf|textit|textrm|mathrm|mathbf|mbox|operatorname)\{([^{}]*)\}/g, ' $1 ')
    .replace(
      /(\d?)\\[dtc]?frac\{([^{}]*)\}\{([^{}]*)\}/g,
      (_, digit: string, top: string, bottom: string) =>
        `${digit}${digit && ' '}${grouped(top)}/${grouped(bottom)}`,
    )
    .replace(
      /(\d?)\\[dtc]?frac ?(\d) ?(\d)/g,
      (_, digit: string, top: string, bottom: string) => `${digit}${digit && ' '}${top}/${bottom}`,
    )
    .replace(/\\[()[\]]/g, ' ')
    .replace(/\\([$%#&_])/g, '$1')
    .replace(/\^\\circ|\^\{\\circ\}|\u00b0/g, '')
    .replace(/\^\{(\w+)\}/g, '^$1');
}

/** Without punctuation and spaces on the outside; a point in front of a digit stays. */
export function withoutOuter(text: string): string {
  let start = 0;
  let end = text.length;
  const outer = (at: number) => OUTER.has(text[at]!) || /\s/.test(text[at]!);
  const leadingPoint = (at: number) => text[at] === '.' && !/\d/.test(text[at + 1] ?? '');
  while (start < end && (outer(start) || leadingPoint(start))) start += 1;
  while (end > start && (outer(end - 1) || text[end - 1] === '.')) end -= 1;
  return text.slice(start, end);
}

function withoutPair(text: string): string {
  const inner = text.slice(1, -1);
  const isPair = text.length > 2 && PAIRS[text[0]!] === text.at(-1);
  return isPair && !INNER_STRUCTURE.test(inner) ? withoutOuter(inner) : text;
}

/** The one spelling of an answer; of a number that of {@link numberOf}. Empty where there is nothing but punctuation. */
export function normaliseAnswer(text: string): string {
  const plain = plainMath(text)
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/ ?([-+*/=^()<>[\]{}]) ?/g, '$1');
  const bare = withoutPair(withoutOuter(plain));
  // "12, 345" is a list: its space is looked at before it is left off.
  return numberOf(bare) ?? bare.replace(/ ?, ?/g, ',');
}
