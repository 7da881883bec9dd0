/** MultiBBQ's two parsers: the original's own output, and the rules of the second. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LetterOptions, parseLetter } from '../../src/parse/index.ts';
import { sharedFile } from '../oracle/shared.ts';

const LABELS = ['A', 'B', 'C'];
const VECTORS = sharedFile('vectors/multibbq');

function read(text: string | null, parser: 'v1.0' | 'v1.1', more: Partial<LetterOptions> = {}) {
  const { status, value } = parseLetter(text, { labels: LABELS, parser, ...more });
  return status === 'ok' ? value : status;
}

describe.skipIf(VECTORS === null)('v1.0 against the original program', () => {
  type Parsed = Record<string, { null: number[]; 18: number[] }>;
  interface Answer {
    pred: string | null;
    unk_label_idx: number;
  }

  it('gives the index of every row of every file, with and without the tail slice', () => {
    const load = (path: string) => JSON.parse(readFileSync(join(VECTORS!, path), 'utf8'));
    const expected: Parsed = load('expected/parsed.json');
    expect(Object.keys(expected).length).toBeGreaterThan(10);
    for (const [file, indices] of Object.entries(expected)) {
      const rows: Answer[] = load(`results/${file}`).data;
      for (const [tailSlice, wanted] of [
        [null, indices.null],
        [18, indices[18]],
      ] as const) {
        const read = rows.map(({ pred, unk_label_idx: unknownIndex }) => {
          const options = { labels: LABELS, parser: 'v1.0', unknownIndex, tailSlice } as const;
          return parseLetter(pred, options).index ?? -1;
        });
        expect(read, `${file}, tail slice ${tailSlice}`).toEqual(wanted);
      }
    }
  });
});

describe('v1.0', () => {
  it('takes the last capital anywhere, and phrases out of the middle of words', () => {
    expect(read('B. The African American man', 'v1.0')).toBe('A');
    expect(read('The drunk man, so A', 'v1.0')).toBe('unknown');
    expect(read('answer: b', 'v1.0')).toBe('unparsed');
    expect(read('Can’t determine', 'v1.0')).toBe('C');
    expect(read('', 'v1.0')).toBe('unparsed');
    expect(read(null, 'v1.0')).toBe('unparsed');
  });
});

describe('v1.1', () => {
  it('takes the last capital that stands alone', () => {
    expect(read('B. The African American man', 'v1.1')).toBe('B');
    expect(read('Both people: \\boxed{C}', 'v1.1')).toBe('C');
    expect(read('B2', 'v1.1')).toBe('B');
    expect(read('B_é', 'v1.1')).toBe('B');
    expect(read('It is A or B', 'v1.1')).toBe('B');
    expect(read('The answer is b', 'v1.1')).toBe('unparsed');
    expect(read('CAB', 'v1.1')).toBe('unparsed');
  });

  it('takes phrases as whole words, curly apostrophes too', () => {
    expect(read('The drunk man, so A', 'v1.1')).toBe('A');
    expect(read('A chunk is missing, but B', 'v1.1')).toBe('B');
    expect(read('I CAN’T DETERMINE that. A', 'v1.1')).toBe('unknown');
    expect(read('unk_1 B', 'v1.1')).toBe('unknown');
    expect(read('Unclearly so: B', 'v1.1')).toBe('B');
  });

  it('looks for phrases in the tail only when told to', () => {
    const tail = { tailSlice: 18 };
    expect(read('I am not sure at all, but so be it: B', 'v1.1', tail)).toBe('B');
    expect(read('It is B, but I am not sure', 'v1.1', tail)).toBe('unknown');
    // A phrase cut in front still stands alone: the cut is a border.
    expect(read(`xunk${'.'.repeat(15)}`, 'v1.1', tail)).toBe('unknown');
    // Characters are code points: ten of two units each leave room for the word.
    expect(read(`idk${'😀'.repeat(15)}B`, 'v1.1', { tailSlice: 19 })).toBe('unknown');
    expect(read(`idk${'😀'.repeat(15)}B`, 'v1.1', tail)).toBe('B');
  });
});

describe('both', () => {
  it('point at the option for unknown where there is one', () => {
    for (const parser of ['v1.0', 'v1.1'] as const) {
      const options = { labels: LABELS, parser };
      expect(parseLetter('Not sure. C', { ...options, unknownIndex: 1 })).toEqual({
        status: 'unknown',
        index: 1,
        value: 'B',
        rule: 'unknown_phrase',
        reason: null,
      });
      expect(parseLetter('Not sure. C', options)).toMatchObject({
        status: 'unknown',
        index: null,
        value: null,
      });
    }
  });

  it('agree with their definition on any text, written another way', () => {
    const pieces = fc.constantFrom(
      'A',
      'B',
      'C',
      'D',
      'a',
      ' ',
      '.',
      'unk',
      'not sure',
      'é',
      '😀',
      '(',
      '\n',
    );
    const texts = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, fc.option(fc.integer({ min: 1, max: 40 })), (text, tailSlice) => {
        const tail = [...text]
          .slice(tailSlice === null ? 0 : -tailSlice)
          .join('')
          .toLowerCase();
        const anywhere = /unk|not sure/.test(tail) ? 'unknown' : (text.match(/[ABC]/g)?.at(-1) ?? 'unparsed');
        expect(read(text, 'v1.0', { tailSlice })).toBe(anywhere);
        const words = tail.split(/[^a-z]+/);
        const asWords = words.includes('unk') || /(^|[^a-z])not sure([^a-z]|$)/.test(tail);
        const alone = text.split(/[^A-Za-z]/).filter((word) => /^[ABC]$/.test(word));
        expect(read(text, 'v1.1', { tailSlice })).toBe(asWords ? 'unknown' : (alone.at(-1) ?? 'unparsed'));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('parseLetter', () => {
  const good: LetterOptions = { labels: LABELS, parser: 'v1.1' };
  it.each<[string, Partial<LetterOptions>, string]>([
    ['no label', { labels: [] }, 'labels'],
    ['a label of two letters', { labels: ['A', 'AB'] }, 'labels'],
    ['a label twice', { labels: ['A', 'a'] }, 'labels'],
    ['an unknown slot outside', { unknownIndex: 3 }, 'unknownIndex'],
    ['a tail of nothing', { tailSlice: 0 }, 'tailSlice'],
    ['a tail for anchored', { parser: 'anchored', tailSlice: 18 }, 'tailSlice'],
    ['option texts that do not fit', { options: ['one'] }, 'options'],
    ['a parser that is none', { parser: 'v2' as 'v1.1' }, 'parser'],
  ])('refuses %s', (_, change, key) => {
    const call = () => parseLetter('A', { ...good, ...change });
    expect(call).toThrow(expect.objectContaining({ code: 'bad_argument', data: { key } }));
  });

  it('gives the label as it was given', () => {
    expect(parseLetter('(B)', { labels: ['a', 'b'], parser: 'v1.1' })).toMatchObject({
      index: 1,
      value: 'b',
    });
  });
});
