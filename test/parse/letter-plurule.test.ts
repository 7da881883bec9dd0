/** The parser of PluRule's evaluation: its forms one by one, and the shared answers that its own program has read. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseLetter, pluruleLetter } from '../../src/parse/index.ts';
import { sharedFile } from '../oracle/shared.ts';

interface Answer {
  id: string;
  text: string;
  options: { label: string; rule: string }[];
  original: string;
  better: string | null;
  sure: boolean;
}

const SHARED = sharedFile('vectors/rules/answers.jsonl');
const answers: Answer[] =
  SHARED === null
    ? []
    : readFileSync(SHARED, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));

describe('plurule', () => {
  it.each([
    ['I think (D) fits', 'd'],
    ['not (b) but (c)', 'b'],
    ['Answer - e, or option: a', 'e'],
    ['the answer is option c', 'c'],
    ['an answer is a letter', 'a'],
    ['option b', 'b'],
    ['well:\n c) that', 'c'],
    ['well:\nD. that', 'd'],
    [' e\n', 'e'],
    ['e\nmore', null],
    ['Answer: because', null],
    ['the options: ab', null],
    ['**b**', null],
    ['<think>(a)</think> (b) <THINK>x</THINK>', 'b'],
    ['(a) <think>and so', null],
    ['', null],
  ])('reads %j as %j', (text, letter) => {
    expect(pluruleLetter(text)).toBe(letter);
  });

  it('counts a letter that is not on offer as none, and says so', () => {
    expect(parseLetter('(D)', { labels: ['a', 'b'], parser: 'plurule' })).toMatchObject({
      status: 'unparsed',
      value: null,
      reason: 'not_offered',
    });
    expect(parseLetter('(B)', { labels: ['a', 'b'], parser: 'plurule' })).toMatchObject({
      status: 'ok',
      value: 'b',
      index: 1,
      rule: 'first_form',
    });
  });

  it.skipIf(SHARED === null)('reads what the original reads', () => {
    expect(answers.length).toBe(60);
    const read = answers.map(({ id, text }) => [id, pluruleLetter(text)]);
    expect(read).toEqual(answers.map(({ id, original }) => [id, original === '' ? null : original[1]]));
  });

  it.skipIf(SHARED === null)('is worse than anchored, which reads what a careful reader does', () => {
    const sure = answers.filter((answer) => answer.sure);
    expect(sure.length).toBeGreaterThan(50);
    const read = sure.map(({ id, text, options }) => {
      const labels = options.map(({ label }) => label[1]!);
      const { value } = parseLetter(text, {
        labels,
        parser: 'anchored',
        options: options.map(({ rule }) => rule),
      });
      return [id, value === null ? null : `(${value})`];
    });
    expect(read).toEqual(sure.map(({ id, better }) => [id, better]));
  });
});
