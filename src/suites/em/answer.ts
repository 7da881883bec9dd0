/**
 * The final answer of a free text: where it stands and what it says. Only the model's own turn is read, and of it what
 * it asserts (asserted.ts). The rules are tried in order, each takes its last occurrence, and the one that found the
 * answer is recorded:
 *
 *   boxed       \boxed{...} with balanced braces
 *   hash        #### at the start of an answer, as GSM8K writes it
 *   phrase      "answer is ..." or "answer: ...", in any language of languages/; where a number is expected, only if
 *               there is one
 *   firstLine   where a number is expected, a first line that is nothing else, with a blank line and words behind it
 *   lastNumber  where a number is expected, the last one
 *   lastLine    else the last line that is not empty
 */
import { withoutThoughts } from '../../parse/letter/visible.ts';
import { plainCharacters } from '../shared/answer/characters.ts';
import { normaliseAnswer, streamSafe, withoutOuter } from '../shared/answer/normalise.ts';
import type { Separators } from '../shared/answer/number.ts';
import { asserted, DENIED, ownTurn, REFUSED, withoutNote } from './asserted.ts';
import { lastNumber } from './last-number.ts';
import { type Phrase, phraseIn } from './patterns.ts';
import { behindCorrection, lines, phrases, restOfLine } from './phrase.ts';
import { numberSaid, separatorsIn, separatorsShown } from './statement.ts';

export type AnswerRule = 'boxed' | 'hash' | 'phrase' | 'firstLine' | 'lastNumber' | 'lastLine';

export interface FinalAnswer {
  /** As it stands in the text, characters that stand for others apart. */
  readonly extracted: string;
  /** In the spelling of {@link normaliseAnswer}. */
  readonly answer: string;
  readonly rule: AnswerRule;
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

function lastHash(text: string): string | null {
  const at = text.lastIndexOf('####');
  return at === -1 ? null : restOfLine(text, at + 4);
}

/** Behind the signs of a heading: "Step 1", "2. Then", "Solution:". */
const HEADING =
  /^[\s*_]*(?:\d{1,3}[.):]\s+\p{L}|[\p{L}][\p{L}\s]{0,40}(?:\d{1,3}[\s*_]*(?:$|[.:)-])|[:*_\s]*$))/u;

/** The last #### of a model's text that begins an answer; some write headings with as many. */
function hashSaid(turn: string, expectsNumber: boolean): string | null {
  for (let at = turn.lastIndexOf('####'), tries = 0; at !== -1 && tries < 32; tries += 1) {
    const rest = restOfLine(turn, at + 4);
    const below = turn.slice(at + 4 + rest.length).trim() !== '';
    const isHeading = expectsNumber ? !/\d/.test(rest) || (below && HEADING.test(rest)) : below;
    if (!isHeading) return rest;
    at = at === 0 ? -1 : turn.lastIndexOf('####', at - 1);
  }
  return null;
}

const NOT_SAID = new RegExp(`[${DENIED}${REFUSED}]`, 'g');

interface Asked {
  /** The gold answer is a number. */
  readonly expectsNumber: boolean;
  /** Tag of the language of the data, if they say so: how numbers are written. */
  readonly lang?: string | null;
}

/** A place where an answer may stand, with how its language says things. */
interface Place {
  readonly rule: AnswerRule;
  readonly extracted: string | null;
  readonly language: Phrase | null;
}

/** The final answer of what a model wrote, or null where it has none. */
export function finalAnswer(text: string, { expectsNumber, lang = null }: Asked): FinalAnswer | null {
  const { text: said, unfinished } = withoutThoughts(text);
  if (unfinished) return null;
  const turn = asserted(ownTurn(plainCharacters(streamSafe(said).normalize('NFC'))), expectsNumber);
  const language = phraseIn(lang);
  const shown = expectsNumber ? separatorsShown(turn) : null;
  const places = expectsNumber ? numberPlaces(turn, language, shown) : textPlaces(turn, language);
  for (const place of places) {
    const extracted = place.extracted?.replaceAll(NOT_SAID, ' ').trim();
    if (!extracted) continue;
    const answer = expectsNumber
      ? (numberSaid(extracted, shown ?? separatorsIn(place.language), place.language) ??
        normaliseAnswer(extracted))
      : normaliseAnswer(textSaid(extracted, place));
    if (answer === '') continue;
    // "The answer is clear: ..." is talk; a box or #### is meant.
    if (place.rule === 'phrase' && expectsNumber && !/\d/.test(answer)) continue;
    return { extracted, answer, rule: place.rule };
  }
  return null;
}

function* numberPlaces(
  turn: string,
  language: Phrase | null,
  shown: Separators | null,
): Generator<Place, void, undefined> {
  const corrected = behindCorrection(turn);
  if (corrected !== null) yield* numberPlaces(corrected, language, shown);
  yield { rule: 'boxed', extracted: lastBoxed(turn), language };
  yield { rule: 'hash', extracted: hashSaid(turn, true), language };
  let spokenIn = language;
  for (const { statement, language: own } of phrases(turn)) {
    spokenIn ??= own;
    yield { rule: 'phrase', extracted: statement, language: own };
  }
  if (!turn.includes(REFUSED)) yield { rule: 'firstLine', extracted: firstLine(turn), language: spokenIn };
  yield {
    rule: 'lastNumber',
    extracted: lastNumber(withoutNote(behindRefusal(turn)), spokenIn, shown),
    language: spokenIn,
  };
}

/** What may hold a number that answers: behind a refusal only where it turns ("but x = 12") or reckons after all. */
function behindRefusal(turn: string): string {
  const at = turn.lastIndexOf(REFUSED);
  if (at === -1) return turn;
  const behind = turn.slice(at + REFUSED.length + DENIED.length);
  return /^[,;]? ?\p{L}/u.test(behind) || behind.includes('=') ? behind : '';
}

function* textPlaces(turn: string, language: Phrase | null): Generator<Place, void, undefined> {
  yield { rule: 'boxed', extracted: lastBoxed(turn), language };
  yield { rule: 'hash', extracted: hashSaid(turn, false), language };
  for (const { statement, language: own } of phrases(turn)) {
    yield { rule: 'phrase', extracted: statement, language: own };
    break;
  }
  yield { rule: 'lastLine', extracted: lastLine(withoutNote(turn)), language };
}

/** Verbs that end a sentence and are no part of what it says. */
const LAST_VERB = /(?:です|でした|である|입니다|이다|(?<=\s)है)$/u;

/** What a sentence says behind the phrase, without the reason for it. */
function textSaid(extracted: string, { rule, language }: Place): string {
  if (rule !== 'phrase') return extracted;
  const at = language?.because ? extracted.search(language.because) : -1;
  return (at > 0 ? extracted.slice(0, at) : extracted).replace(LAST_VERB, '');
}

/** A first line that is a number and perhaps what it counts, with an empty line and then words behind it. */
function firstLine(turn: string): string | null {
  const text = turn.trim();
  const end = text.search(/\n\s*\n/);
  if (end === -1 || text.lastIndexOf('\n', end - 1) !== -1) return null;
  const [first, rest] = [text.slice(0, end), text.slice(end).trim()];
  if (!/^[^\p{L}\d]{0,8}\d[^\n=]{0,60}$/u.test(first) || /=|^\W*\d[\d.,]*\W*$/m.test(rest)) return null;
  return first.split(' ').length <= 4 ? first : null;
}

function lastLine(text: string): string | null {
  let last: string | null = null;
  for (const line of lines(text)) if (withoutOuter(line.replaceAll(DENIED, '')) !== '') last = line;
  return last;
}

/** The gold answer of a data set's column: the last \boxed{...}, what follows ####, or the whole text. */
export function goldAnswer(text: string): string {
  return (lastBoxed(text) ?? lastHash(text) ?? text).trim();
}
