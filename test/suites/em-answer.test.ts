/** Where a final answer stands, and in how many spellings it may come. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finalAnswer, goldAnswer, lastBoxed } from '../../src/suites/em/answer.ts';
import { normaliseAnswer } from '../../src/suites/shared/answer/normalise.ts';
import { numberOf, numbersIn } from '../../src/suites/shared/answer/number.ts';

const number = (text: string) => {
  const found = finalAnswer(text, { expectsNumber: true });
  return found && [found.rule, found.answer];
};
const words = (text: string) => {
  const found = finalAnswer(text, { expectsNumber: false });
  return found && [found.rule, found.answer];
};

describe('one spelling', () => {
  it.each([
    [
      '17',
      [
        '17.0',
        '17.',
        '$17',
        '$17.00',
        '\\$17',
        '17%',
        '17 %',
        '17\\%',
        '+17',
        '017',
        '(17)',
        '**17**',
        '$17$',
        '\\(17\\)',
        '\\text{17}',
        '34/2',
        '\\frac{34}{2}',
        '１７',
        '{17}',
      ],
    ],
    ['1234.5', ['1,234.5', '1{,}234.5', '1,234.50', '$1,234.5.', '2469/2', '1\\,234.5', '1\\!234.5']],
    [
      '0.5',
      [
        '.5',
        '1/2',
        '\\frac{1}{2}',
        '\\dfrac{1}{2}',
        '\\frac12',
        '\\frac 1 2',
        '½',
        '$\\frac{1}{2}$',
        '0.50',
        '2/4',
      ],
    ],
    ['-0.5', ['-.5', '−1/2', '–0.5', '-\\frac{1}{2}', '$-0.5$', '-$0.50', '$-\\frac{1}{2}$']],
    ['1/3', ['\\frac{1}{3}', '2/6', '\\tfrac{10}{30}']],
    ['1.5', ['1½', '1 1/2', '1\\frac{1}{2}', '3/2', '1\\frac12']],
    ['0', ['-0', '0.000', '0/5', '-0.0']],
    ['45', ['45^\\circ', '45^{\\circ}', '45°']],
    ['new york', ['New  York', '"New York."', '  new york!', '\\text{New York}', '“New York”']],
    ['b', ['(B)', 'B.', '**B**', ' b ', '`B`']],
    ['x^2+1', ['x^2 + 1', '$x^{2}+1$', 'x² + 1']],
    ['(1,2]', ['(1, 2]', '$(1,2]$', '\\left( 1, 2 \\right]']],
    ['17 cm', ['17 cm', '17\\text{cm}', '17\\,\\text{ cm}.']],
    ['(x+1)/2', ['\\frac{x+1}{2}', '\\dfrac{x + 1}{2}']],
  ])('of %s', (canonical, spellings) => {
    for (const spelling of [canonical, ...spellings])
      expect(normaliseAnswer(spelling), spelling).toBe(canonical);
  });

  it.each([
    ['10²', '102'],
    ['1,23', '123'],
    ['1/3', '0.333'],
    ['50%', '0.5'],
    ['17 cm', '17'],
    ['x', 'y'],
    ['-5', '5'],
    ['1.5', '15'],
    ['1/0', '0'],
    ['(1,2)', '(1,2]'],
  ])('keeps %s and %s apart', (a, b) => {
    expect(normaliseAnswer(a)).not.toBe(normaliseAnswer(b));
  });

  const whole = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });

  it('is the same for a whole number however it is grouped, padded and wrapped', () => {
    fc.assert(
      fc.property(
        whole,
        fc.nat(4),
        fc.constantFrom('', '$', '\\$', '€'),
        fc.constantFrom('', '.', ' ', '%', '!'),
        fc.constantFrom(['', ''], ['$', '$'], ['**', '**'], ['\\boxed{', '}'], ['(', ')'], ['"', '"']),
        fc.boolean(),
        (value, zeros, currency, end, [open, close], grouped) => {
          const size = (value < 0n ? -value : value).toString();
          // Within parentheses a comma may be that of a pair.
          const digits = grouped && open !== '(' ? size.replace(/\B(?=(\d{3})+$)/g, ',') : size;
          const padded = zeros === 0 ? digits : `${digits}.${'0'.repeat(zeros)}`;
          const written = `${open}${value < 0n ? '-' : ''}${currency}${padded}${end}${close}`;
          expect(normaliseAnswer(goldAnswer(written))).toBe(value.toString());
        },
      ),
    );
  });

  it('of a fraction is that of its lowest terms, and of a decimal where there is one', () => {
    const positive = fc.bigInt({ min: 1n, max: 10n ** 9n });
    fc.assert(
      fc.property(whole, positive, positive, (top, bottom, factor) => {
        const plain = normaliseAnswer(`${top}/${bottom}`);
        expect(normaliseAnswer(`\\frac{${top * factor}}{${bottom * factor}}`)).toBe(plain);
      }),
    );
    fc.assert(
      fc.property(whole, fc.nat(12), (digits, places) => {
        const size = (digits < 0n ? -digits : digits).toString().padStart(places + 1, '0');
        const at = size.length - places;
        const decimal = `${digits < 0n ? '-' : ''}${size.slice(0, at)}${places ? '.' : ''}${size.slice(at)}`;
        expect(numberOf(decimal)).toBe(numberOf(`${digits}/${10n ** BigInt(places)}`));
      }),
    );
  });

  it('different numbers have different spellings', () => {
    const fraction = fc.tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: 1, max: 200 }));
    fc.assert(
      fc.property(fraction, fraction, ([a, b], [c, d]) => {
        expect(numberOf(`${a}/${b}`) === numberOf(`${c}/${d}`)).toBe(a * d === b * c);
      }),
      { numRuns: 2000 },
    );
  });

  it('has itself as its spelling', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        fc.pre(!text.includes('\\'));
        const once = normaliseAnswer(text);
        expect(normaliseAnswer(once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('numbers in a text', () => {
  it.each([
    ['He has 3 apples and 1,234.50 dollars', ['3', '1,234.50']],
    ['pages 3-5, room A4, H2O, x_1', ['3', '5']],
    ['(1,2,3)', ['1', '2', '3']],
    ['-5 and +7, then $-9 or -$10', ['-5', '+7', '$-9', '-$10']],
    ['17cm, 50%.', ['17', '50%']],
    ['so 3/4 of them', ['3/4']],
    ['.5 and 0.25.', ['.5', '0.25']],
    ['none', []],
  ])('%s', (text, expected) => {
    expect(numbersIn(text)).toEqual(expected);
  });
});

describe('the last box', () => {
  it.each([
    ['a \\boxed{1} b \\boxed{\\frac{1}{2}} c', '\\frac{1}{2}'],
    ['\\boxed{1} and \\boxed{2', '1'],
    ['\\boxed{\\boxed{5}}', '5'],
    ['\\boxed {7}', '7'],
    ['\\fbox{8}', '8'],
    ['\\boxed{\\{1, 2\\}}', '\\{1, 2\\}'],
    ['{ \\boxed{3} ', '3'],
    ['boxed{3}', null],
    ['\\boxed 3', null],
  ])('%s', (text, expected) => {
    expect(lastBoxed(text)).toBe(expected);
  });
});

describe('the last box in any text', () => {
  /** Plainly: every box's own closing brace, counted from its opening one; the box that begins last. */
  function plainly(text: string): string | null {
    const braces = text.replace(/\\[{}]/g, '__');
    for (let at = text.length; at >= 0; at -= 1) {
      if (!braces.startsWith('\\boxed{', at)) continue;
      let depth = 0;
      for (let end = at + 6; end < braces.length; end += 1) {
        if (braces[end] === '{') depth += 1;
        if (braces[end] === '}') depth -= 1;
        if (depth === 0) return text.slice(at + 7, end);
      }
    }
    return null;
  }

  it('is what counting braces finds', () => {
    const part = fc.constantFrom('\\boxed{', '{', '}', '}', '\\{', '\\}', 'a', ' ', '1');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 24 }), (parts) => {
        const text = parts.join('');
        expect(lastBoxed(text)).toBe(plainly(text));
      }),
      { numRuns: 5000 },
    );
  });
});

describe('a planted answer', () => {
  const talk = fc.string({ unit: fc.constantFrom(...'abc xyz.,\n!?'), maxLength: 60 });
  const value = fc.integer({ min: -99_999, max: 99_999 });

  it.each([
    ['boxed', (answer: string) => `\\boxed{${answer}}`],
    ['hash', (answer: string) => `\n#### ${answer}\n`],
    ['phrase', (answer: string) => ` The answer is ${answer}.\n`],
    // A number alone on the first line is an answer of its own.
    ['lastNumber', (answer: string) => ` x ${answer} `],
  ] as const)('is found by the rule %s in any talk, and the last of two counts', (rule, write) => {
    fc.assert(
      fc.property(talk, talk, talk, value, value, (before, between, after, first, last) => {
        const text = [before, write(`${first}`), between, write(last.toLocaleString('en')), after].join('');
        expect(number(text)).toEqual([rule, `${last}`]);
      }),
    );
  });
});

describe('the final answer where a number is expected', () => {
  it.each([
    ['First \\boxed{3}, no: \\boxed{17}.', ['boxed', '17']],
    ['\\boxed{17 \\text{ cm}}', ['boxed', '17']],
    ['\\boxed{x = 17}', ['boxed', '17']],
    ['2+2=4\n#### 4', ['hash', '4']],
    ['#### $1,234', ['hash', '1234']],
    ['The answer is 3. Wait, the answer is 17.0 apples. They are 5.', ['phrase', '17']],
    ['**Answer:** 17', ['phrase', '17']],
    ['Final answer is:\n\n  17\nbecause 3', ['phrase', '17']],
    ['The answer is 5 + 12 = 17.', ['phrase', '17']],
    ['It costs 3 dollars, so 3 * 4 = 12 dollars in all.', ['lastNumber', '12']],
    ['So it is $\\frac{3}{4}$', ['lastNumber', '0.75']],
    ['The answer is clear. It must be 17 in all.', ['lastNumber', '17']],
    ['The answer is clear.', null],
    ['\\boxed{x}, which is 17', ['boxed', 'x']],
    ['answered: maybe 9', ['lastNumber', '9']],
    ["The answer isn't 5 but 6", ['lastNumber', '6']],
    ['<think>the answer is 3</think> So 4', ['lastNumber', '4']],
    ['<think>the answer is 3', null],
    ['\\boxed{ }', null],
    ['I do not know.', null],
    ['', null],
  ])('%s', (text, expected) => {
    expect(number(text)).toEqual(expected);
  });

  it('does not pick one of several numbers', () => {
    expect(number('The answer is 3 or 4')).toEqual(['phrase', '3 or 4']);
  });
});

describe('the final answer where words are expected', () => {
  it.each([
    ['It rains.\nParis\n\n', ['lastLine', 'paris']],
    ['The answer is Paris. It lies in France.', ['phrase', 'paris']],
    ['The answer is (B).', ['phrase', 'b']],
    ['\\boxed{\\text{Paris}}', ['boxed', 'paris']],
    ['...\n***\n', null],
  ])('%s', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });
});

describe('long hostile text', () => {
  // Were time the square of the length, each would take many minutes, and the test would not end in its time.
  const SIZE = 400_000;
  const texts: Record<string, string> = {
    'open boxes': '\\boxed{'.repeat(SIZE / 7),
    'nested boxes': '\\boxed{'.repeat(SIZE / 16) + '}'.repeat(SIZE / 16),
    phrases: 'answer is '.repeat(SIZE / 10),
    'phrases without an end': `answer${' '.repeat(SIZE)}`,
    'marks in no order': `#### a${'\u0301\u0323'.repeat(SIZE / 2)}`,
    digits: '1'.repeat(SIZE),
    'a boxed number of many digits': `\\boxed{${'1'.repeat(SIZE)}}`,
    'a boxed fraction of many digits': `\\boxed{${'1'.repeat(SIZE / 2)}/${'3'.repeat(SIZE / 2)}}`,
    zeros: `\\boxed{1.${'0'.repeat(SIZE)}1}`,
    groups: `\\boxed{1${',111'.repeat(SIZE / 4)}x}`,
    commas: '1,'.repeat(SIZE / 2),
    signs: '-'.repeat(SIZE),
    points: `#### x${'.'.repeat(SIZE)}x`,
    spaces: `#### x${' '.repeat(SIZE)}x`,
    'fractions that never end': '\\frac{1'.repeat(SIZE / 7),
    'wrappers that never end': '\\text{'.repeat(SIZE / 6),
    lines: '\n'.repeat(SIZE),
    thoughts: `${'<think>'.repeat(SIZE / 7)}</think>`,
    superscripts: `#### ${'\u00b2'.repeat(SIZE)}`,
    parentheses: `#### ${'('.repeat(SIZE / 2)}${')'.repeat(SIZE / 2)}`,
  };
  it.each(Object.entries(texts))('of %s is read in a moment', (_, text) => {
    for (const expectsNumber of [true, false]) finalAnswer(text, { expectsNumber });
    expect(() => normaliseAnswer(text)).not.toThrow();
  });
});
