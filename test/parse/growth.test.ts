/**
 * Every reader of model text, on texts made to cost time, up to 100 KB: where one takes long, a quarter of it must take much
 * less than half of that. Three tries, so that a busy machine decides nothing.
 */
import { describe, expect, it } from 'vitest';
import { extractJson, extractOriginal, parseLetter } from '../../src/parse/index.ts';
import { withoutThoughts } from '../../src/parse/letter/visible.ts';
import { finalAnswer, goldAnswer } from '../../src/suites/em/answer.ts';
import { readAnswer } from '../../src/suites/rules/score/answer.ts';
import { answerReader, originalReader } from '../../src/suites/scale/score/read-answer.ts';
import type { Side } from '../../src/suites/scale/score/sides.ts';
import { normaliseAnswer } from '../../src/suites/shared/answer/normalise.ts';
import { numbersIn } from '../../src/suites/shared/answer/number.ts';

/** A questionnaire of one scale. */
const SIDES = [{ subscale: { key: 'a', min: 1, max: 5, bandKey: null } }] as unknown as readonly Side[];
const THREAD = {
  options: [
    { label: '(a)', rule: 'No spam' },
    { label: '(b)', rule: 'Be kind' },
  ],
  correct: '(a)',
} as unknown as Parameters<typeof readAnswer>[1];

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  anchored: (text) =>
    parseLetter(text, {
      labels: ['A', 'B', 'C'],
      parser: 'anchored',
      options: ['the man', 'the man on', 'x x'],
    }),
  plurule: (text) => parseLetter(text, { labels: ['A', 'B', 'C'], parser: 'plurule' }),
  'v1.0': (text) => parseLetter(text, { labels: ['A', 'B', 'C'], parser: 'v1.0' }),
  'v1.1': (text) => parseLetter(text, { labels: ['A', 'B', 'C'], parser: 'v1.1' }),
  json: (text) => extractJson(text),
  psych755: (text) => extractOriginal(text),
  number: (text) => finalAnswer(text, { expectsNumber: true }),
  line: (text) => finalAnswer(text, { expectsNumber: false }),
  normalise: (text) => normaliseAnswer(text),
  numbers: (text) => numbersIn(text),
  gold: (text) => goldAnswer(text),
  thoughts: (text) => withoutThoughts(text),
  persona: answerReader(SIDES),
  'persona, original': originalReader(SIDES),
  rules: (text) => readAnswer(text, THREAD, 'plurule'),
};

const PIECES = [
  ...[...'.,:;!?…。、-–*_`"\'()[]{}<>|/\\#&%@+=~^$'],
  ...[' ', '\n', '\r\n', '\t', '\u00a0', '\u3000', '\u2028', '\u0301', '\u200b', ' \n', '  \n\n'],
  ...[
    'A',
    'A ',
    'A, ',
    'A or ',
    'A\n',
    '(A)',
    '"A" ',
    '**A** ',
    'A. x\n',
    'A) x B) y ',
    'A? No. ',
    'A: No\n',
  ],
  ...['answer', 'answer ', 'Answer: ', 'answer - ', 'answer (', 'the answer is A. ', 'the answer is not '],
  ...[
    '\\boxed{',
    '\\boxed{A} ',
    '\\text{',
    '\\frac{',
    '<think>',
    '</think>',
    '<think></think>',
    '<|im_end|>',
  ],
  ...['\nQuestion:', '#### ', '- ', '1. ', '\n1. ', '1,', '<answer>', 'I choose ', 'it is ', 'not unknown '],
  ...['he said "it is A" ', "'it is A' ", '"', '✓ A\n', '[ ] A\n', 'A ✗\n', '- [x] A. x\n', '<b>A</b>', '🅰'],
  ...[
    'B, not A. ',
    'wait, A. ',
    'no, sorry, ',
    'A, said he, ',
    'although A, ',
    '"answer": "A"}',
    'A it is, ',
    'neither ',
  ],
  ...[
    '5万',
    '1,',
    '1_000',
    '12:',
    '= 3 * 4 ',
    ', 3 more than x',
    '~~',
    'sorry, ',
    'maybe x ',
    'I cannot answer ',
    ' (5 x)',
    '1 million ',
  ],
  ...['选', '答案是A，', 'B입니다', 'です', 'ก', 'ﷺ', 'İ', '😀', '{"a":', '[', 'the man ', 'option A, '],
];

/** Four sizes apart by a factor of four: a text that costs too much at one is not tried at the next. */
const SIZES = [1_600, 6_250, 25_000, 100_000] as const;
/** Less than this tells nothing of growth on a busy machine: 30 s for 200 KB by the square are 7.5 s for 100 KB. */
const TELLS_MS = 1_500;
/** Linear time grows four times from one size to the next, quadratic sixteen. */
const GROWTH = 9;
const ALLOWED_MS = 15_000;

/** What a text of so many characters costs, in milliseconds. */
type Cost = (size: number) => number;

/** What is wrong with the growth of a cost; null where nothing is. */
function faultOf(cost: Cost): string | null {
  let before = 0;
  for (const size of SIZES) {
    const took = cost(size);
    if (took > ALLOWED_MS) return `${size} characters take ${took} ms`;
    if (took > TELLS_MS) {
      const smaller = Math.max(before, cost(size / 4));
      if (took > GROWTH * smaller)
        return `${size} characters take ${took} ms, a quarter of them ${smaller} ms`;
    }
    before = took;
  }
  return null;
}

/** Time of this process, not of the clock: others may be at work. */
function timeOf(read: (text: string) => unknown, piece: string): Cost {
  return (size) => {
    const text = piece.repeat(Math.ceil(size / piece.length));
    const start = process.cpuUsage();
    read(text);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
}

describe('growth', () => {
  const at200 = (ms: number, power: number): Cost => {
    return (size) => ms * (size / 200_000) ** power;
  };

  it('is a fault by the square or cube, and from a size on', () => {
    expect(faultOf(at200(30_000, 2))).toMatch(/a quarter/);
    expect(faultOf(at200(65_000, 2))).toMatch(/100000 characters/);
    expect(faultOf(at200(60_000, 3))).not.toBeNull();
    expect(faultOf((size) => 10 + at200(30_000, 2)(size))).not.toBeNull();
  });

  it('is none where it is linear, slow or not', () => {
    expect(faultOf(at200(25_000, 1))).toBeNull();
    expect(faultOf(at200(10, 1))).toBeNull();
  });
});

describe.each(Object.entries(READERS))('%s', (_, read) => {
  it.each(PIECES.map((piece) => [JSON.stringify(piece), piece] as const))(
    '%s',
    { retry: 2, timeout: 120_000 },
    (_name, piece) => {
      expect(faultOf(timeOf(read, piece))).toBeNull();
    },
  );
});
