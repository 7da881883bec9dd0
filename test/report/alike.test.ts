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
