/** The reading of declared answers: cases by hand, the shared hard cases, and any text at all. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LetterOptions, type LetterStatus, parseLetter } from '../../src/parse/index.ts';
import { sharedFile } from '../oracle/shared.ts';

interface Case {
  id: string;
  text: string | null;
  /** The labels. */
  options: string;
  expect: string | null;
  status?: LetterStatus;
  optionTexts?: string[];
  unknownIndex?: number | null;
}

const load = (path: string): Case[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

function read({ text, options, optionTexts, unknownIndex = null }: Case, parser: LetterOptions['parser']) {
  const texts = optionTexts === undefined ? {} : { options: optionTexts };
  return parseLetter(text, { labels: [...options], parser, unknownIndex, ...texts });
}

const CASES = load(new URL('letters.jsonl', import.meta.url).pathname);
const HARD = sharedFile('vectors/hard_letters.jsonl');

describe('anchored', () => {
  it.each(CASES.map((one) => [one.id, one] as const))('%s', (_, one) => {
    const { value, status, index } = read(one, 'anchored');
    expect({ text: one.text, value, status }).toEqual({
      text: one.text,
      value: one.expect,
      status: one.status,
    });
    expect(index === null ? null : one.options[index]).toBe(value);
  });

  it('has a case for each thing that can go wrong, and cases that the other parsers get wrong', () => {
    expect(new Set(CASES.map(({ id }) => id)).size).toBe(CASES.length);
    const reasons = new Set(CASES.map((one) => read(one, 'anchored').reason));
    expect([...reasons].sort()).toEqual([
      'ambiguous',
      'no_answer',
      'no_text',
      'not_offered',
      null,
      'unfinished',
    ]);
    const rules = new Set(CASES.map((one) => read(one, 'anchored').rule));
    expect([...rules].sort()).toEqual(['declared', 'label', 'option_text', 'unknown_phrase', null]);
    for (const parser of ['v1.0', 'v1.1'] as const) {
      const wrong = CASES.filter((one) => read(one, parser).value !== one.expect);
      expect(wrong.length, parser).toBeGreaterThan(30);
    }
  });

  it.skipIf(HARD === null)('meets the shared hard cases', () => {
    const cases = load(HARD!);
    expect(cases.length).toBeGreaterThan(0);
    for (const one of cases) expect([one.id, read(one, 'anchored').value]).toEqual([one.id, one.expect]);
  });
});

const PIECES = [
  ...[
    'A',
    'B',
    'C',
    'D',
    'a',
    'b',
    '(B)',
    '**C**',
    '\\boxed{',
    '}',
    '"',
    "'",
    '’',
    ':',
    '.',
    ',',
    '?',
    '\n',
    ' ',
  ],
  ...[
    'The answer is ',
    'Answer:',
    'final answer',
    'option ',
    ' is correct',
    ' is wrong',
    'not ',
    'unknown',
    'unk',
  ],
  ...[
    '<think>',
    '</think>',
    '<|im_end|>',
    'Question:',
    ' or ',
    ' and ',
    'so ',
    'wait',
    'the man',
    'İ',
    'ﬃ',
    '😀',
  ],
  ...['\ud800', '\u0000', '答案是', 'not enough ', 'information', '*', '`', '(', ')'],
];
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((parts) => parts.join('')),
);
const offers = fc.record({
  labels: fc.constantFrom(['A'], ['A', 'B', 'C'], ['a', 'b', 'c', 'd'], [...'ABCDEFGHIJKLMNOP'], ['C', 'A']),
  parser: fc.constantFrom('anchored', 'v1.1', 'v1.0'),
  unknownIndex: fc.constantFrom(null, 0),
});

describe('any text', () => {
  it('gives a reading of which every part fits the others, and the same again', () => {
    fc.assert(
      fc.property(texts, offers, fc.boolean(), (text, offer, spelt) => {
        const options = offer.labels.map((_, at) => ['the man', 'İstanbul', 'unknown', ''][at % 4]!);
        const given = spelt ? { ...offer, options } : offer;
        const reading = parseLetter(text, given);
        expect(parseLetter(text, given)).toEqual(reading);
        const { status, index, value, rule, reason } = reading;
        expect(value).toBe(index === null ? null : offer.labels[index]);
        if (status === 'ok') expect(index).not.toBeNull();
        if (status === 'unknown') expect(index).toBe(offer.unknownIndex);
        if (status === 'unparsed') expect([index, rule]).toEqual([null, null]);
        expect(reason === null).toBe(status !== 'unparsed');
        expect(rule === null).toBe(status === 'unparsed');
      }),
      { numRuns: 3000 },
    );
  });

  it('reads the answer whatever thoughts stand in front of it', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom('A', 'B', 'C'), (thought, letter) => {
        const options: LetterOptions = { labels: ['A', 'B', 'C'], parser: 'anchored' };
        fc.pre(!thought.includes('<|'));
        const { value } = parseLetter(`<think>${thought}</think>\nThe answer is ${letter}.`, options);
        expect(value).toBe(letter);
      }),
    );
  });
});

/** Each of them repeated without end. */
const HOSTILE = [
  ...[
    ' ',
    '\n',
    '\t',
    '*',
    '`',
    '(',
    '[{"',
    '"',
    "'",
    'A',
    'A ',
    'A, ',
    'A or ',
    '(A)',
    'A.',
    'A\n',
    'A. x\n',
  ],
  ...[
    'answer',
    'answer ',
    'answer:',
    'answer is ',
    'the answer is A. ',
    'the answer is not ',
    'final answer: A ',
    '####',
  ],
  ...[
    'I choose ',
    'I think that ',
    'it is ',
    'option ',
    'option A ',
    'not ',
    'not unknown ',
    'unknown ',
    'not enough ',
  ],
  ...[
    '\\boxed{',
    '\\boxed{A} ',
    '\\text{',
    '<think>',
    '</think>',
    '<think></think>',
    '<|im_end|>',
    '\nQuestion:',
  ],
  ...[
    'so ',
    'so: ',
    ': ',
    'wait ',
    'the answer is A. the answer is B. ',
    'answer (',
    'answer to ',
    'A is the most ',
    'A ',
  ],
  ...[
    '-> ',
    'it is the ',
    '\n1. ',
    '1. ',
    '- ',
    'the man ',
    'İ',
    'ﷺ',
    'Ⓑ',
    '(A), ',
    'option A, ',
    'choose A, ',
    '℡',
    'A is clearly also ',
  ],
];

describe('long hostile text', () => {
  // Quadratic time over so many characters would not end before the test's time is up.
  it.each(HOSTILE.map((piece) => [JSON.stringify(piece), piece] as const))('%s ends', (_, piece) => {
    const text = piece.repeat(Math.ceil(300_000 / piece.length));
    for (const parser of ['anchored', 'v1.1', 'v1.0'] as const) {
      const { status } = parseLetter(text, {
        labels: ['A', 'B', 'C'],
        parser,
        ...(parser === 'anchored' ? { options: ['the man', 'the man on', 'x x'] } : {}),
      });
      expect(['ok', 'unknown', 'unparsed']).toContain(status);
    }
  });
});
