/**
 * Every reader of model text, on texts made to cost time. Four times the text may take eight times as long, in the best
 * of five tries, so that a busy machine decides nothing; long texts must end at all, where quadratic time took minutes.
 */
import { describe, expect, it } from 'vitest';
import { extractJson, extractOriginal, parseLetter } from '../../src/parse/index.ts';
import { normaliseAnswer } from '../../src/suite/answer/normalise.ts';
import { numbersIn } from '../../src/suite/answer/number.ts';
import { finalAnswer } from '../../src/suite/em/answer.ts';

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
  ...['选', '答案是A，', 'B입니다', 'です', 'ก', 'ﷺ', 'İ', '😀', '{"a":', '[', 'the man ', 'option A, '],
];

const SMALL = 4_000;
const ALLOWED_MS = 15_000;

describe.each(Object.entries(READERS))('%s', (_, read) => {
  const time = (piece: string, size: number) => {
    const text = piece.repeat(Math.ceil(size / piece.length));
    const start = performance.now();
    read(text);
    return performance.now() - start;
  };

  it.each(PIECES.map((piece) => [JSON.stringify(piece), piece] as const))(
    '%s',
    { retry: 4 },
    (_name, piece) => {
      const small = time(piece, SMALL);
      const large = time(piece, 4 * SMALL);
      expect(large).toBeLessThan(Math.max(8 * small, 500));
    },
  );

  it('ends on long texts', () => {
    for (const piece of ['!', '\n', '`', '"', '<think>', '\\boxed{', 'A) x B) y ', 'the answer is A. ']) {
      expect(time(piece, 200_000), piece).toBeLessThan(ALLOWED_MS);
    }
  }, 500_000);
});
