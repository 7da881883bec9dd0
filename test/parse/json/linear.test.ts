/** Texts made to cost time: what is looked at grows with the length of the text and no faster. */
import { describe, expect, it } from 'vitest';
import { extractJson, extractOriginal, parseObject, readSchema } from '../../../src/parse/index.ts';
import { walk } from '../../../src/parse/json/walk.ts';

/** Each character is looked at once, and as many again as may be read again, or looked for an end in. */
const LOOKS = 8;
const SIZE = 8_000;

const UNITS = [
  ...[
    '{',
    '[',
    '}',
    '"',
    "'",
    '“',
    '\\',
    '`',
    '```',
    '<think>',
    '</think>',
    '<',
    '<|im_end|>',
    ' ',
    '\n',
    '\u00a0',
    'Ġ',
  ],
  ...[
    '{"',
    '["',
    "{'",
    '{“',
    '{‘',
    '{"a":',
    '[{"a":',
    '{a:',
    '{"a" ',
    '[1,',
    '[[1],',
    '{"a":[',
    '{"a":1,',
    '{"a":"',
    '-',
  ],
  ...[
    '{"a":1}',
    '{"a":1}{"a":2}',
    '{"a":1}\n',
    '[1]\n',
    '{}',
    '[]',
    '[1,}',
    '{"a":"}',
    '{"a":"}","b":1,',
    '{"a":"\n```\n',
  ],
  ...[
    '{"a":"</think>',
    '{"a":"</think>{',
    '["</think>[",',
    '[",',
    '{"k":"[",',
    "{\"':'}{':\"",
    '\\"',
    '{"\\',
    '["\\u0',
  ],
  ...[
    '<|channel|>final<|message|>',
    '   ```',
    '```json\n{',
    '```json\n{"a":1}\n```\n',
    '"{',
    "'[",
    '{"a":NaN}',
    '{"a":...}',
  ],
];
const AROUND = [
  ['', ''],
  ['', ' {"z":1}'],
  ['{"a":"', '"}'],
  ['[{"a":', 'X {"z":1}'],
  ['<think>', ''],
  ['<think>', '</think>{"z":1}'],
  ['```json\n{"a":["', '\n```'],
] as const;

const steps = (text: string) => walk(text, { repair: true }).steps;
const filled = (unit: string, size: number) => unit.repeat(Math.ceil(size / unit.length));

describe('a text of one sign over and over', () => {
  it.each(UNITS)('%j', (unit) => {
    for (const [before, behind] of AROUND) {
      const texts = [SIZE, 2 * SIZE].map((size) => before + filled(unit, size) + behind);
      const [once, twice] = texts.map(steps);
      expect(once).toBeLessThanOrEqual(LOOKS * texts[0]!.length);
      expect(twice! / once!).toBeLessThan(2.2);
    }
  });
});

/** What is done beside the walk costs about as much as it; a look through the text for each value, thousands of times. */
const BESIDE = 40;
it.each(['{"a":1}{"a":2}', '{"a":"Ġ"}{"a":"ĠĠ"}', '[{"a":1}]{"a":1}', '{"a":1}</think>', '<think>{"a":1}  '])(
  '1 MB of %j is walked through, and chosen from in a like time',
  (unit) => {
    const text = filled(unit, 1_000_000);
    const start = performance.now();
    steps(text);
    const walked = performance.now();
    extractJson(text);
    expect((performance.now() - walked) / (walked - start)).toBeLessThan(BESIDE);
  },
);

it('2 MB of all of them', () => {
  const text = filled(UNITS.join(''), 2_000_000);
  expect(steps(text)).toBeLessThanOrEqual(LOOKS * text.length);
});

it('the answer is found behind 10 MB of openers, quotes, backslashes, fences and tags', () => {
  const hostile = ['{', '"', '\\', '```', '<think>'].map((unit) => filled(unit, 2_000_000)).join('\n');
  expect(extractJson(`${hostile}</think>{"a":1}`)).toMatchObject({ status: 'ok', value: { a: 1 } });
  expect(extractJson(hostile).status).toBe('truncated');
  expect(extractOriginal(`${hostile}</think>{"a":1}`)).toMatchObject({ status: 'ok', value: { a: 1 } });
});

it('brackets beyond any stack are a fault, by either reading', () => {
  const deep = `{"a":${filled('{"a":', 1_000_000)}1${filled('}', 200_000)}}`;
  expect(extractJson(deep).status).toBe('invalid_json');
  expect(extractOriginal(deep).status).toBe('invalid_json');
  const schema = readSchema({ fields: { a: { type: 'integer' } } });
  expect(parseObject(filled('[', 1_000_000), schema).status).toBe('truncated');
});
