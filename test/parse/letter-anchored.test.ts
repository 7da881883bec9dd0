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
/** What is asserted and what is not, by kind and language. */
const ASSERTED = load(new URL('refusals.jsonl', import.meta.url).pathname);
/** What models write in other styles: thinking aloud, speech of others, JSON, ticks, corrections, forced choices. */
const STYLES = load(new URL('answer-styles.jsonl', import.meta.url).pathname);
/** Answers among them that are not read yet; unparsed, never wrong. */
const NOT_READ = [
  'markdown-10',
  'correct-12',
  'contrast-10',
  'contrast-22',
  'contrast-29',
  'long-17',
  'long-45',
  'second-plain-66',
  'second-plain-73',
];
const HARD = sharedFile('vectors/hard_letters.jsonl');
const FIELD = sharedFile('cases/letters.jsonl');
/** "综上所述，答案选D。" says D in so many words; the file expects C. */
const DISAGREED: Readonly<Record<string, string>> = { 'zh-17': 'D' };

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
      'refusal',
      'unfinished',
    ]);
    const rules = new Set(CASES.map((one) => read(one, 'anchored').rule));
    expect([...rules].sort()).toEqual(['declared', 'label', null, 'option_text', 'unknown_phrase']);
    for (const parser of ['v1.0', 'v1.1'] as const) {
      const wrong = CASES.filter((one) => read(one, parser).value !== one.expect);
      expect(wrong.length, parser).toBeGreaterThan(30);
    }
  });

  it('reads what is asserted and nothing else, in every language', () => {
    const wrong = ASSERTED.filter((one) => read(one, 'anchored').value !== one.expect);
    expect(wrong.map(({ id, text }) => [id, text])).toEqual([]);
    expect(ASSERTED.filter((one) => one.expect === null).length).toBeGreaterThan(400);
  });

  it('reads what models write in other styles', () => {
    const values = STYLES.map((one) => [one.id, read(one, 'anchored').value, one] as const);
    const wrong = values.filter(([, value, one]) => value !== null && value !== one.expect);
    expect(wrong.map(([id, value, { text }]) => [id, value, text])).toEqual([]);
    const missed = values.filter(([, value, one]) => value === null && one.expect !== null);
    expect(missed.map(([id]) => id)).toEqual(NOT_READ);
    expect(STYLES.length).toBeGreaterThan(900);
  });

  it('says that a text declines', () => {
    const refused = read({ id: '', text: 'I refuse to pick (A).', options: 'ABC', expect: null }, 'anchored');
    expect(refused).toMatchObject({ status: 'unparsed', reason: 'refusal' });
  });

  it.skipIf(FIELD === null)('meets the shared cases from the field', () => {
    const cases = load(FIELD!);
    const wrong = cases.flatMap((one) => {
      const { value } = read(one, 'anchored');
      return value === (DISAGREED[one.id] ?? one.expect) ? [] : [[one.id, one.text, value]];
    });
    expect(wrong).toEqual([]);
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
