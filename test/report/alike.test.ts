import { expect, test } from 'vitest';
import { Alike } from '../../src/report/index.ts';

function notes(answers: readonly (string | number | null)[]): string[] {
  const alike = new Alike();
  for (const answer of answers) alike.add({ 'the letter': answer });
  return alike.notes();
}

test('answers that are all the same are named, with how many there are', () => {
  expect(notes(['A', 'A', null, 'A', 'A', 'A'])).toEqual([
    'the letter is the same in all 5 rows that have one: "A"; the model may not have answered what was asked',
  ]);
  expect(notes(['', '', '', '', ''])[0]).toContain('an empty text');
  expect(notes([6, 6, 6, 6, 6])[0]).toContain('"6"');
});

test('few answers, and answers that differ once, are not', () => {
  expect(notes(['A', 'A', 'A', 'A'])).toEqual([]);
  expect(notes(['A', 'A', 'A', 'A', 'B'])).toEqual([]);
  expect(notes([])).toEqual([]);
});

test('answers that are mostly empty are named, and what helps stands behind them once', () => {
  const alike = new Alike();
  const texts = ['', ' \n', '', 'Paris', '', 'Rome'];
  for (const [row, text] of texts.entries())
    alike.add({ 'the text': text, 'the letter': row === 9 ? 'B' : 'A' });
  expect(alike.notes('use --chat')).toEqual([
    'the text is empty in 4 of 6 rows; the model may not have answered what was asked',
    'the letter is the same in all 6 rows that have one: "A"; the model may not have answered what was asked',
    'use --chat',
  ]);
  expect(new Alike().notes('use --chat')).toEqual([]);
  expect(notes(['', '', '', 'a', 'b', 'c'])).toEqual([]);
});
