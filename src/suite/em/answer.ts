/**
 * The final answer of a free text: where it stands and what it says. The rules are tried in order, each takes its last
 * occurrence, and the one that found the answer is recorded:
 *
 *   boxed       \boxed{...} with balanced braces
 *   hash        #### at the start of an answer, as GSM8K writes it
 *   phrase      "answer is ..." or "answer: ..."; where a number is expected, only if there is one
 *   lastNumber  where a number is expected, the last one
 *   lastLine    else the last line that is not empty
 */
import { normaliseAnswer, plainMath, withoutOuter } from '../answer/normalise.ts';
import { numberOf, numbersIn } from '../answer/number.ts';

export type AnswerRule = 'boxed' | 'hash' | 'phrase' | 'lastNumber' | 'lastLine';

export interface FinalAnswer {
  /** As it stands in the text. */
  readonly extracted: string;
  /** In the spelling of {@link normaliseAnswer}. */
  readonly answer: string;
  readonly rule: AnswerRule;
}

const THINK = { open: '<think>', close: '</think>' } as const;

/** What stands behind the last thought; null where a thought was never ended. */
function spoken(text: string): string | null {
  const close = text.lastIndexOf(THINK.close);
  if (text.lastIndexOf(THINK.open) > close) return null;
  return close === -1 ? text : text.slice(close + THINK.close.length);
}

/** The content of the last \boxed{...} that is closed. One pass: nesting and braces that stay open cost nothing more. */
export function lastBoxed(text: string): string | null {
  let last: readonly [start: number, end: number] | null = null;
  const open: { readonly start: number; readonly boxed: boolean }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '{') open.push({ start: at + 1, boxed: isBoxed(text, at) });
    else if (character === '}') {
      const closed = open.pop();
      if (closed?.boxed && closed.start > (last?.[0] ?? -1)) last = [closed.start, at];
    }
  }
  return last ? text.slice(...last) : null;
}

/** Whether the brace at `at` is that of a \boxed or \fbox, a space between them allowed. */
function isBoxed(text: string, at: number): boolean {
  return /\\(?:boxed|fbox) ?$/.test(text.slice(Math.max(0, at - 8), at));
}

function restOfLine(text: string, from: number): string {
  const end = text.indexOf('\n', from);
  return text.slice(from, end === -1 ? text.length : end);
}

function lastHash(text: string): string | null {
  const at = text.lastIndexOf('####');
  return at === -1 ? null : restOfLine(text, at + 4);
}

const PHRASE = /(?<![\p{L}\p{N}_])answer[\s*_]{0,4}(?:is(?![\p{L}\p{N}'’])|[:=])/giu;
const SENTENCE_END = /[.!?](?=\s|$)/;

/** To the end of the sentence; where the line ends with the phrase, the next line that says something. */
function lastPhrase(text: string): string | null {
  let from = -1;
  for (const { 0: match, index } of text.matchAll(PHRASE)) from = index + match.length;
  if (from === -1) return null;
  for (const line of lines(text, from)) {
    if (withoutOuter(line) === '') continue;
    const end = line.search(SENTENCE_END);
    return end === -1 ? line : line.slice(0, end);
  }
  return null;
}

function* lines(text: string, from = 0): IterableIterator<string> {
  for (let at = from; at <= text.length; ) {
    const line = restOfLine(text, at);
    yield line;
    at += line.length + 1;
  }
}

function lastLine(text: string): string | null {
  let last: string | null = null;
  for (const line of lines(text)) if (withoutOuter(line) !== '') last = line;
  return last;
}

/**
 * An answer in its one spelling. Where a number is expected, the only number in it, behind an equals sign if there is
 * one: "x = 17 apples" is 17.
 */
function read(extracted: string, expectsNumber: boolean): string {
  const answer = normaliseAnswer(extracted);
  if (!expectsNumber || numberOf(answer) !== null) return answer;
  const side = answer.slice(answer.lastIndexOf('=') + 1);
  const numbers = numbersIn(side);
  return numbers.length === 1 ? normaliseAnswer(numbers[0]!) : answer;
}

/** The final answer of what a model wrote, or null where it has none. */
export function finalAnswer(text: string, { expectsNumber }: { expectsNumber: boolean }): FinalAnswer | null {
  const said = spoken(text);
  if (said === null) return null;
  const rules: readonly (readonly [AnswerRule, () => string | null])[] = [
    ['boxed', () => lastBoxed(said)],
    ['hash', () => lastHash(said)],
    ['phrase', () => lastPhrase(said)],
    expectsNumber
      ? ['lastNumber', () => numbersIn(plainMath(said)).at(-1) ?? null]
      : ['lastLine', () => lastLine(said)],
  ];
  for (const [rule, find] of rules) {
    const extracted = find()?.trim();
    if (!extracted) continue;
    const answer = read(extracted, expectsNumber);
    // "The answer is clear: ..." is talk; a box or #### is meant.
    if (answer === '' || (rule === 'phrase' && expectsNumber && numbersIn(answer).length === 0)) continue;
    return { extracted, answer, rule };
  }
  return null;
}

/** The gold answer of a data set's column: the last \boxed{...}, what follows ####, or the whole text. */
export function goldAnswer(text: string): string {
  return (lastBoxed(text) ?? lastHash(text) ?? text).trim();
}
