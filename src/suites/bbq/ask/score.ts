/** What was observed of a row as its answers: the likeliest letter, and the text as it is read. */

import type { Fields } from '../../../contract/metric.ts';
import type { ObservedRequest } from '../../../observation/observed.ts';
import { type LetterReading, parseLetter } from '../../../parse/index.ts';
import { isTruncated } from '../../shared/answer/ask.ts';
import { LETTERS } from './prompt.ts';

export interface Meaning {
  readonly options: readonly string[];
  readonly unknown: number;
}

export function readText(text: string, { options, unknown }: Meaning): LetterReading {
  return parseLetter(text, { labels: LETTERS, parser: 'anchored', unknownIndex: unknown, options });
}

/** The attempts at a text, in order. */
export function attemptsOf(observed: readonly ObservedRequest[]): ObservedRequest[] {
  return observed.filter(({ generation }) => generation !== null);
}

export function isRead(attempt: ObservedRequest, meaning: Meaning): boolean {
  return readText(attempt.generation!.text, meaning).status !== 'unparsed';
}

/** Columns of the letters: their log-probabilities, their shares among themselves, and the likeliest (the first of equals). */
function letterFields(observed: readonly ObservedRequest[]): Fields {
  const scores = observed.find(({ scores: own }) => own.length > 0)?.scores;
  if (!scores) return { letter: null, letterIndex: null };
  const logProbs = LETTERS.map((_, side) => scores.find((score) => score.side === side)!.logProb);
  const most = Math.max(...logProbs);
  const letterIndex = logProbs.indexOf(most);
  const weights = logProbs.map((logProb) => Math.exp(logProb - most));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const by = (values: readonly number[]) =>
    Object.fromEntries(LETTERS.map((letter, at) => [letter, values[at]!]));
  return {
    letter: LETTERS[letterIndex]!,
    letterIndex,
    letterLogProb: by(logProbs),
    letterShare: by(weights.map((weight) => weight / total)),
  };
}

/** Columns of the text: the first attempt that has an answer, else the last one. */
function textFields(observed: readonly ObservedRequest[], meaning: Meaning): Fields {
  const attempts = attemptsOf(observed);
  const taken = attempts.find((attempt) => isRead(attempt, meaning)) ?? attempts.at(-1);
  if (!taken) return { response: null, textIndex: null, attempts: 0 };
  const generation = taken.generation!;
  const reading = readText(generation.text, meaning);
  return {
    response: generation.text,
    finish: generation.finish,
    truncated: isTruncated(generation),
    tokens: generation.tokens,
    textStatus: reading.status,
    textRule: reading.rule,
    textReason: reading.reason,
    textIndex: reading.index,
    attempts: attempts.length,
    // What came before the text that counts.
    rejected: attempts.slice(0, attempts.indexOf(taken)).map(({ generation: other }) => other!.text),
  };
}

/** `pred` is what a result file holds: the text where one was generated, else the letter; `index` is how it is read. */
export function answerFields(observed: readonly ObservedRequest[], meaning: Meaning): Fields {
  const letter = letterFields(observed);
  const text = textFields(observed, meaning);
  const generated = text.response !== null;
  return {
    pred: generated ? text.response! : letter.letter!,
    index: generated ? text.textIndex! : letter.letterIndex!,
    ...letter,
    ...text,
  };
}
