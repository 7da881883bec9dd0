/** Texts as models write them, each with an answer that it gives or does not give: those of this folder, and shared ones. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { finalAnswer } from '../../src/suites/em/answer.ts';
import { normaliseAnswer } from '../../src/suites/shared/answer/normalise.ts';
import { numberOf } from '../../src/suites/shared/answer/number.ts';

interface Case {
  readonly id: string;
  readonly text: string;
  readonly against: string;
  readonly correct: boolean;
}

const SHARED = new URL('../../../shared/cases/em.jsonl', import.meta.url);
const casesIn = (file: URL): Case[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Case);

function check({ text, against, correct }: Case): void {
  const gold = normaliseAnswer(against);
  const found = finalAnswer(text, { expectsNumber: numberOf(gold) !== null });
  expect({ text, against, correct: found?.answer === gold }, JSON.stringify(found)).toEqual({
    text,
    against,
    correct,
  });
}

describe('does the text give the answer?', () => {
  it.each(casesIn(new URL('em-cases.jsonl', import.meta.url)))('$id: $text / $against', check);
  it.each(casesIn(new URL('em-kinds.jsonl', import.meta.url)))('$id: $text / $against', check);
});

if (!existsSync(SHARED)) console.warn('SKIPPED: shared cases of final answers are not on this machine');
describe.skipIf(!existsSync(SHARED))('shared cases', () => {
  it.each(existsSync(SHARED) ? casesIn(SHARED) : [])('$id: $text / $against', check);
});

describe('numbers as the language of the data writes them', () => {
  it.each([
    ['Das sind 1.234 Euro.', 'de', '1234'],
    ['Das sind 1.234 Euro.', null, '1.234'],
    ['Das sind 1.234 Euro.', 'en-GB', '1.234'],
    ['Razem 1,234', 'pl', '1.234'],
    ['Total 1,234', 'pt-BR', '1.234'],
    ['Total 1,234.50', 'pt-BR', '1234.5'],
    ['Dus 1.234', 'nl_NL', '1234'],
  ])('%s (%s) is %s', (text, lang, expected) => {
    expect(finalAnswer(text, { expectsNumber: true, lang })?.answer).toBe(expected);
  });
});
