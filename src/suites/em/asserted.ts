/**
 * What of a model's text it asserts: its own turn, without a question that it went on to make up, and without what it
 * denies, doubts, asks or only supposes. What is taken out leaves {@link DENIED}. Takes text of
 * {@link plainCharacters}; every pattern is bounded, so that time is linear in the length of the text.
 */
import { ANSWER, bareWordsOf, FILLER, NOT_BUT, wordsOf } from './patterns.ts';

/** Stands where something was that is not asserted. */
export const DENIED = '\ufffc';
/** Stands in front of it where the text says that it gives no answer. */
export const REFUSED = '\ufdd0';

/** To the end of a clause; a point or comma within a number ends none. */
const CLAUSE = '(?:[^.,;:!?\\n\u3002\uff1b\uff01\uff1f\u3001]|[.,:](?=\\d))*';
const NUMBER_AHEAD =
  '(?=[\\s*_"\'`(]{0,4}(?:\\$?\\\\?[-+]?(?:\\\\?\\p{Sc})? ?\\d|\\$?\\\\(?:boxed|fbox|frac|dfrac|text)|\\\\\\(|\\*\\*))';
const BOX_AHEAD = '(?=[\\s*_"\'`(]{0,4}(?:\\$?\\\\(?:boxed|fbox)))';

const not = (ahead: string) =>
  new RegExp(
    `(?:\u2260|\\\\neq?(?![a-z])|${wordsOf('not')})(?:\\s{1,3}${FILLER}(?![\\p{L}\\p{N}])){0,3}${ahead}${CLAUSE}`,
    'giu',
  );
const NOT_NUMBER = not(NUMBER_AHEAD);
const NOT_BOX = not(BOX_AHEAD);
/** ", not London": a clause that does nothing but deny. */
const NOT_LATER = new RegExp(`(?<=[^\\n.!?][,;(-] {0,2}|\\()${wordsOf('not')}${CLAUSE}`, 'giu');
const RATHER = new RegExp(`(?<= )(?:rather than|instead of|as opposed to)(?![\\p{L}])${CLAUSE}`, 'giu');
const THAT = '(?:,? (?:dass|daß|que|che|dat|że|что|що|hogy|att|että)(?![\\p{L}]))?';
const DOUBT = new RegExp(`${wordsOf('doubt')}(?:,(?! ?${wordsOf('but')}))?${THAT}${CLAUSE}`, 'giu');
const IF = new RegExp(
  `${wordsOf('if')}(?:\\s(?:it|this|that)\\s(?:is|were|was)(?![\\p{L}])|[^.,;:\\n\u3002\uff0c\u3001]{0,30}?${ANSWER})${CLAUSE}`,
  'giu',
);
const DENIED_BEHIND = new RegExp(wordsOf('notBehind'), 'giu');
/** A number or a box near the end of what stands in front of a denial. */
const LAST_NUMBER = /(?:\\boxed\{[^{}]*\}|[-+]?\d[\d.,']*)[^\d.;:!?\n]{0,16}$/u;
const LOOK_BACK = 48;
const BUT = new RegExp(`(?<!anything )${wordsOf('but')}`, 'iu');
/** At the start of a clause: in one that refuses, "only" and the like say no more. */
const BUT_CLAUSE = new RegExp(`(?<=[,;] ?)${wordsOf('but')}`, 'iu');
/** To the end of the sentence: what it counts is no answer. */
const REFUSAL = new RegExp(`${wordsOf('refusal')}(?:[^.!?\\n\u3002\uff1f]|[.](?=\\d))*`, 'giu');
const STRUCK_OUT = /~~[^~\n]{1,300}~~/g;
/** A sentence with the mark that ends it. */
const SENTENCE = /(?:[^.!?\n\u3002\uff1f\u061f]|\.(?=\d))+[?\uff1f\u061f]?/gu;
/** It asks whether a number is right: that stands right in front of the mark, or the answer is named. */
const NUMBER_ASKED = /\d[\d.,%)"'*]{0,8}.$/u;
const ANSWER_NAMED = new RegExp(ANSWER, 'iu');

function asks(sentence: string): boolean {
  if (!/[?\uff1f\u061f]/.test(sentence.slice(-1)) || !/\d/.test(sentence)) return false;
  return NUMBER_ASKED.test(sentence.slice(-12)) || ANSWER_NAMED.test(sentence);
}

/** What a pattern takes out, but for what turns to that which holds: "not 7 but 8". */
function denyAll(text: string, pattern: RegExp, sign = DENIED, turn = BUT): string {
  return text.replace(pattern, (match: string) => {
    const but = match.search(turn);
    return but <= 0 ? sign : sign + match.slice(but);
  });
}

function denyBehind(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (const { 0: match, index } of text.matchAll(DENIED_BEHIND)) {
    if (index < from) continue;
    const start = Math.max(from, index - LOOK_BACK);
    const at = text.slice(start, index).search(LAST_NUMBER);
    if (at === -1) continue;
    kept.push(text.slice(from, start + at), DENIED);
    from = index + match.length;
  }
  kept.push(text.slice(from));
  return kept.join('');
}

export function asserted(text: string, expectsNumber: boolean): string {
  const kept = text.replace(STRUCK_OUT, DENIED);
  const answered = expectsNumber ? denyAll(kept, REFUSAL, REFUSED + DENIED, BUT_CLAUSE) : kept;
  const settled = denyAll(denyAll(answered, DOUBT), IF);
  if (!expectsNumber) {
    const words = [NOT_BOX, NOT_LATER, RATHER].reduce((said, pattern) => denyAll(said, pattern), settled);
    return words.replace(NOT_BUT, DENIED);
  }
  const stated = settled.replace(SENTENCE, (said) => (asks(said) ? DENIED : said));
  return denyBehind(denyAll(stated, NOT_NUMBER));
}

const TURN_MARK = '<\\|/?[a-z_]{1,24}\\|>|</?(?:s|bos|eos)>|<(?:end|start)_of_turn>|\\[/?INST\\]';
/** A head of a further question: on a line of its own, or at the start of a sentence where it cannot be of this one. */
const HEAD = `(?:\\n[ >*_]{0,4}#{0,6} ?[*_]{0,3}(?:\\d{1,3}[.)] )?(?:${bareWordsOf('question')})(?: ?#?\\d{1,4})?[ *_]{0,4}[:\uff1a.)](?![\\d])|\\n ?#{2,6} ?(?:instruction|input|question|problem|task|exercise|example)|(?<=[.!?\u3002] )(?:question|q|user|human|instruction)(?: ?\\d{1,4})?:)`;
const NEXT_TURN = new RegExp(`${TURN_MARK}|${HEAD}`, 'giu');
const NOTE = new RegExp(
  `\\n[ >*_(\\[]{0,4}#{0,6} ?[*_]{0,3}(?:${bareWordsOf('note')})[ *_]{0,4}[:\uff1a.)]|(?<=[.!?\u3002\\d)*] {1,2})[*_(]{0,3}(?:note|p\\.?s\\.?|n\\.?b\\.?)[ *_]{0,3}:`,
  'iu',
);

/** The texts in front of each sign that another turn begins, and how often: only the first in front of which anything stands. */
export function ownTurn(text: string): string {
  for (const { index } of text.matchAll(NEXT_TURN)) {
    const own = text.slice(0, index);
    if (own.trim() !== '') return own;
  }
  return text;
}

/** The text in front of a remark on the answer. */
export function withoutNote(text: string): string {
  const at = text.search(NOTE);
  return at === -1 || text.slice(0, at).trim() === '' ? text : text.slice(0, at);
}
