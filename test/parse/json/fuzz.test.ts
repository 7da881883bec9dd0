/** Texts that nobody wrote: whatever comes in, a fault or a value of the text comes out. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  extractJson,
  extractOriginal,
  type JsonValue,
  type Note,
  parseObject,
  readSchema,
} from '../../../src/parse/index.ts';
import { walk } from '../../../src/parse/json/walk.ts';
import { sharedFile } from '../../oracle/shared.ts';
import { CASES } from './cases.ts';
import { madeUp } from './grounded.ts';
import { OBJECT, PLAIN, STYLE, written } from './written.ts';

const RUNS = { numRuns: 400 };
const SCHEMA = readSchema({
  fields: {
    a: { type: 'integer', min: 0, max: 30 },
    b: { type: 'enum', values: ['x'], required: false, soft: true },
  },
});

const corpus = [
  ...Object.values(CASES)
    .flat()
    .map(({ text }) => text)
    .filter((text) => text.length < 1000),
  ...hardTexts(),
];

function hardTexts(): string[] {
  const file = sharedFile('vectors/hard_outputs.jsonl');
  if (file === null) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => (JSON.parse(line) as { text: string }).text);
}

/** What is worth putting in, taking out, doubling or swapping. */
const PIECE = /<\/?think>|<\|\w+\|>|`{3}(?:json)?|\\.|[{}[\]":,'“”]|-?\d+(?:\.\d+)?|\w+|\s+|[\s\S]/gu;
const SIGNS = [
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '“',
    '”',
    ',',
    ':',
    '\\',
    '```',
    '```json\n',
    '\n```\n',
    '<think>',
    '</think>',
  ],
  ...[
    '<|im_end|>',
    '{"a":1}',
    '{"a":',
    '"a"',
    '1',
    '-',
    'NaN',
    'True',
    'null',
    '\n',
    ' ',
    'Ġ',
    '\u0000',
    '\ud800',
    '...',
  ],
];

interface Change {
  readonly kind: 'cut' | 'drop' | 'double' | 'insert' | 'swap' | 'splice';
  /** Where, and where to: shares of the text. */
  readonly at: number;
  readonly to: number;
  readonly sign: string;
  readonly other: string;
}

/** NaN and the like are read as null; that is told. */
const isNoNan =
  ({ notes }: { readonly notes: readonly Note[] }) =>
  (part: JsonValue) =>
    !(part === null && notes.some(({ code }) => code === 'nan_as_null' || code === 'non_finite_number'));

const SHARE = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const CHANGE: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('cut', 'drop', 'double', 'insert', 'swap', 'splice'),
  at: SHARE,
  to: SHARE,
  sign: fc.constantFrom(...SIGNS),
  other: fc.constantFrom(...corpus),
});

function changed(text: string, { kind, at, to, sign, other }: Change): string {
  const pieces: string[] = text.match(PIECE) ?? [];
  const index = Math.floor(at * pieces.length);
  const second = Math.floor(to * pieces.length);
  const [from, end] = [Math.min(index, second), Math.max(index, second) + 1];
  switch (kind) {
    case 'cut':
      return pieces.slice(0, index).join('');
    case 'drop':
      return pieces.toSpliced(index, 1).join('');
    case 'double':
      return pieces.toSpliced(from, 0, ...pieces.slice(from, end)).join('');
    case 'insert':
      return pieces.toSpliced(index, 0, sign).join('');
    case 'swap':
      return pieces
        .with(index, pieces[second] ?? '')
        .with(second, pieces[index] ?? '')
        .join('');
    case 'splice':
      return pieces.toSpliced(index, 0, other).join('');
  }
}

const MUTATED = fc
  .tuple(fc.constantFrom(...corpus), fc.array(CHANGE, { minLength: 1, maxLength: 6 }))
  .map(([text, changes]) =>
    changes.reduce((all, change) => (all === '' ? change.sign : changed(all, change)), text),
  );
const SOUP = fc.array(fc.constantFrom(...SIGNS), { maxLength: 60 }).map((signs) => signs.join(''));
const ANY = fc.string({ unit: 'binary', maxLength: 200 });

describe('any text', () => {
  it.each([
    ['changed', MUTATED],
    ['of signs', SOUP],
    ['of anything', ANY],
  ] as const)('%s is read or refused, and nothing is made up', (_kind, texts) => {
    fc.assert(
      fc.property(
        texts,
        fc.boolean(),
        fc.constantFrom('refuse', 'first_fence', 'last'),
        (text, repair, several) => {
          const options = { repair, several } as const;
          const answers = [
            extractJson(text, options),
            extractOriginal(text),
            parseObject(text, SCHEMA, options),
          ];
          for (const answer of answers) {
            if (answer.status !== 'ok') expect(answer.message).not.toBe('');
            // A coerced field is another spelling of what is there, and a soft one may be null.
            else if (answer !== answers[2])
              expect(madeUp(answer.value, text).filter(isNoNan(answer))).toEqual([]);
            if (answer.status === 'ok' && !repair) expect(answer.repaired).toBe(false);
          }
          expect(walk(text, { repair }).steps).toBeLessThanOrEqual(8 * text.length + 8);
        },
      ),
      RUNS,
    );
  });

  it('gives a value that reads as itself', () => {
    fc.assert(
      fc.property(fc.oneof(MUTATED, SOUP), (text) => {
        const answer = extractJson(text);
        if (answer.status !== 'ok') return;
        expect(extractJson(JSON.stringify(answer.value))).toMatchObject({
          value: answer.value,
          repaired: false,
        });
      }),
      RUNS,
    );
  });
});

const AROUND = fc.constantFrom(
  ...[
    ['', ''],
    ['Sure: ', ' Bye.'],
    ['<think>so {"a":2}, {x}</think>\n', ''],
    ['hm </think>', ''],
    ['{x} [y] ', ' {z}'],
  ],
  ...[
    ['```json\n', '\n```'],
    ['```\n', '\n```\nDone.'],
    ['```sh\nls {a,b}\n```\n```json\n', '\n```'],
    ['{', '}'],
  ],
);

describe('an object as models write it', () => {
  it('is read as what it is', () => {
    fc.assert(
      fc.property(OBJECT, STYLE, AROUND, (object, style, [before, behind]) => {
        const answer = extractJson(`${before}${written(object, style)}${behind}`);
        expect(answer).toMatchObject({ status: 'ok' });
        if (answer.status === 'ok') expect(answer.value).toEqual(object);
      }),
      RUNS,
    );
  });

  it('without repair is read as what it is, if it is JSON', () => {
    fc.assert(
      fc.property(OBJECT, AROUND, (object, [before, behind]) => {
        const text = `${before}${written(object, PLAIN)}${behind}`;
        expect(extractJson(text, { repair: false })).toMatchObject({
          status: 'ok',
          value: object,
          repaired: false,
        });
      }),
      RUNS,
    );
  });

  it('is cut off wherever it is cut', () => {
    fc.assert(
      fc.property(OBJECT, SHARE, (object, share) => {
        const text = JSON.stringify(object);
        const cut = text.slice(0, 1 + Math.floor(share * (text.length - 1)));
        if (cut !== text) expect(extractJson(cut).status).toBe('truncated');
      }),
      RUNS,
    );
  });

  it('is one of several, if another is there', () => {
    fc.assert(
      fc.property(OBJECT, OBJECT, STYLE, (one, other, style) => {
        const [first, second] = [written(one, style), written(other, PLAIN)];
        const { status } = extractJson(`${first} and ${second}`);
        expect(status).toBe(sorted(one) === sorted(other) ? 'ok' : 'multiple_objects');
      }),
      RUNS,
    );
  });
});

function sorted(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`;
  const members = Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}:${sorted(part)}`);
  return `{${members.toSorted().join()}}`;
}
