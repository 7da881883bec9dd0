/** Where a number is expected and no phrase says which: the last one that the text comes to. */
import { numbersAt, type Separators } from '../shared/answer/number.ts';
import { type Phrase, phraseIn } from './patterns.ts';
import { areAlternatives, plainNumbers, separatorsIn, withoutReason } from './statement.ts';

/** A bracket at the end, of a sentence that has a number or by itself: the same said otherwise, or how it came about. */
const LAST_ASIDE = /(\d[^\d\n.!?]{0,60}[.!?]?) \([^()\n]{0,200}\)[\s.!*]{0,8}$/u;
/** What is said of the last number by another: "42, 3 more than yesterday". */
const COMPARED_BEHIND =
  /, [-+]?\p{Sc}?\d[\d.,]{0,20} (?:\p{L}{1,20} ){0,2}(?:more|less|fewer|higher|lower|larger|smaller|greater) than [^.!?\n]{0,80}[\s.!*]{0,8}$/u;
/** "12 = 3 * 4": a number by how it is reckoned. */
const RECKONED_BEHIND =
  /(?<=(?:^|\n|[.:] )[^\d\n=]{0,60}\d[\d.,]{0,20})\s?=\s?\d[\d.,]{0,20}(?: ?[-+*/×÷] ?\d[\d.,]{0,20}){1,8}[\s.!*]{0,8}$/u;

/** What a sum has in it or leaves out: ", including 3% tax". */
const INCLUDED_BEHIND =
  /, (?:including|excluding|not (?:including|counting)|plus) [^.!?\n]{0,80}[\s.!*]{0,8}$/iu;
/** Numbers of a list's items and of steps. */
const ENUMERATED =
  /(?<=^|\n)([ >*_#-]{0,8})(?:\d{1,3}[.)](?=[ *_]{1,4}\p{L})|(?:step|schritt|étape|paso|passo|passaggio|krok|stap|шаг|步骤|ステップ) ?\d{1,3}(?=[.:)]))/giu;

/** The last number, with the one in front of it where they are alternatives. */
export function lastNumber(turn: string, language: Phrase | null, shown: Separators | null): string | null {
  const bare = turn.replace(ENUMERATED, '$1');
  const plain = plainNumbers(/\d/.test(bare) ? bare : turn)
    .replace(LAST_ASIDE, '$1')
    .replace(COMPARED_BEHIND, '')
    .replace(INCLUDED_BEHIND, '')
    .replace(RECKONED_BEHIND, '');
  const separators = shown ?? separatorsIn(language);
  const all = numbersAt(plain, separators);
  if (all.length === 0) return null;
  const last = all.at(-1)!;
  const start = Math.max(...['. ', '! ', '? ', '\n', '。'].map((end) => plain.lastIndexOf(end, last.start)));
  // In the last sentence that has one, not in the reason that it gives.
  const answer = withoutReason(plain.slice(start + 1), language ?? phraseIn('en'));
  const until = start + 1 + answer.length;
  const at = all.findLastIndex((number) => number.end <= until);
  const number = all[at] ?? last;
  const before = all[at - 1];
  const from = before && areAlternatives(plain, before, number) ? before.start : number.start;
  return plain.slice(from, number.end);
}
