/** Answer consistency without a model: row shapes, what is asked, and when two answers count as the same. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OptionValues } from '../../src/contract/index.ts';
import { checkRow } from '../../src/dataset/index.ts';
import { loadLexicon, parseLexicon } from '../../src/lexicon/index.ts';
import { sameOnceSwapped, swapAnswer } from '../../src/suites/consistency/compare.ts';
import { consistency } from '../../src/suites/consistency/consistency.ts';
import { fault } from '../fault.ts';
import { contextOf } from './observations.ts';

const gender = await loadLexicon('gender-en');
const DEFAULTS: OptionValues<typeof consistency.options> = {
  maxTokens: 64,
  stop: null,
  template: '{prompt}',
  chat: false,
  normalise: 'sum',
  between: null,
};
const PLACE = { file: 'rows.jsonl', index: 2 };
const PAIR = { id: 'a', x: 'Is she?', x_swap: 'Is he?' };
const context = (options: Partial<typeof DEFAULTS> = {}, lexicon = gender) =>
  contextOf({ ...DEFAULTS, ...options }, { lexicon });
const checked = (value: unknown) =>
  checkRow(consistency.schema, { file: 'rows.jsonl', line: 3, index: 2, value });
function rowOf(value: unknown) {
  const row = checked(value);
  if (!row.ok) throw row.error;
  return row.value;
}

/** A lexicon of three groups: one word without a partner, two words with one partner. */
const PARENTS = parseLexicon(
  Buffer.from(`name: parents
language: en
description: made for a test
groups:
  female: [mom, mum, madam]
  male: [dad]
  neutral: [parent]
pairs:
  - { female: mom, male: dad }
  - { female: mum, male: dad }
`),
  'parents.yaml',
);
const BETWEEN = ['female', 'male'] as const;

describe('a row', () => {
  const bare = {
    options: null,
    options_swap: null,
    key: null,
    keySwap: null,
    occupation: null,
    template: null,
    category: null,
  };

  it.each<[string, object, object]>([
    ['x and x_swap', PAIR, {}],
    ['prompt and prompt_swap', { id: 'a', prompt: 'Is she?', prompt_swap: 'Is he?' }, {}],
    ['cells that are empty', { ...PAIR, prompt: '', options: '', answer_key: '', category: '' }, {}],
    ['x beside an empty cell', { id: 'a', x: '', prompt: 'Is she?', x_swap: 'Is he?' }, {}],
    ['a list without options', { ...PAIR, options: [], options_swap: null }, {}],
    ['slices', { ...PAIR, occupation: 'nurse', category: 'c' }, { occupation: 'nurse', category: 'c' }],
    [
      'options, on both sides the same',
      { ...PAIR, options: ['yes', ' no'] },
      { options: ['yes', ' no'], options_swap: ['yes', ' no'] },
    ],
    [
      'options in a cell',
      { ...PAIR, options: 'yes| no |not sure', options_swap: 'ja|nein|kaum' },
      { options: ['yes', 'no', 'not sure'], options_swap: ['ja', 'nein', 'kaum'] },
    ],
    ['a key', { ...PAIR, answer_key: 'Paris' }, { key: 'Paris', keySwap: 'Paris' }],
    ['a key that is a number', { ...PAIR, answer_key: 42 }, { key: '42', keySwap: '42' }],
    [
      'a key for either side',
      { ...PAIR, answer_key: 'she', answer_key_swap: 'he' },
      { key: 'she', keySwap: 'he' },
    ],
    ['a key for the other side', { ...PAIR, answer_key_swap: 'he' }, { key: null, keySwap: 'he' }],
  ])('with %s', (_, value, expected) => {
    expect(rowOf(value)).toEqual({ id: 'a', x: 'Is she?', x_swap: 'Is he?', ...bare, ...expected });
  });

  it.each<[object, readonly [string | null, string | null]]>([
    [{ answer_key: 'she' }, ['she', 'he']],
    [{ answer_key: 1 }, ['they', 'it']],
    [{ answer_key: '1' }, ['they', 'it']],
    [{ answer_key: ' they ' }, ['they', 'it']],
    [{ answer_key: 'she', answer_key_swap: 'it' }, ['she', 'it']],
    [{ answer_key: 'she', answer_key_swap: 0 }, ['she', 'he']],
    [{ answer_key_swap: 1 }, [null, 'it']],
    [{}, [null, null]],
  ])('has the right option of either side by %j', (keys, expected) => {
    const { key, keySwap } = rowOf({ ...PAIR, options: 'she|they', options_swap: ['he', 'it'], ...keys });
    expect([key, keySwap]).toEqual(expected);
  });

  it('takes a number for the text of an option before it takes it for a place', () => {
    expect(rowOf({ ...PAIR, options: '2|1|0', answer_key: '1' }).key).toBe('1');
    expect(rowOf({ ...PAIR, options: '2|1|0', answer_key: '0' }).key).toBe('0');
    expect(rowOf({ ...PAIR, options: '3|2|1', answer_key: '0' }).key).toBe('3');
  });

  it.each<[object, string]>([
    [{ id: 'a', x_swap: 'b' }, 'x: is missing; give the prompt as x (or prompt)'],
    [{ id: 'a', x: 'b' }, 'x_swap: is missing; give the swapped prompt as x_swap'],
    [{ ...PAIR, x: 3 }, 'x is a number; give a string'],
    [{ id: 'a', x: 'same', prompt_swap: 'same' }, 'x_swap: is the same text as x; a pair must differ'],
    [{ ...PAIR, options: 'yes' }, 'options: holds fewer than two options'],
    [{ ...PAIR, options: ['yes'] }, 'options: holds fewer than two options'],
    [{ ...PAIR, options: 'yes||no' }, 'or an empty one'],
    [{ ...PAIR, options: ['yes', ' '] }, 'or an empty one'],
    [{ ...PAIR, options: ['yes', 'no', 'yes'] }, 'options: holds the same option twice'],
    [{ ...PAIR, options: [1, 2] }, 'options: is no list of texts'],
    [{ ...PAIR, options: true }, 'options: is no list of texts'],
    [{ ...PAIR, options_swap: 'a|b' }, 'options_swap: is given, but options is not'],
    [{ ...PAIR, options: 'a|b', options_swap: 'a|b|c' }, 'options_swap: has another number of options'],
    [{ ...PAIR, options: 'a|b', answer_key: 'c' }, 'answer_key: is "c", which is none of the options'],
    [{ ...PAIR, options: 'a|b', answer_key: 2 }, 'answer_key: is 2, which is none of the options'],
    [{ ...PAIR, options: 'a|b', answer_key: '2' }, 'answer_key: is "2", which is none of the options'],
    [{ ...PAIR, options: 'a|b', answer_key: -1 }, 'is none of the options'],
    [{ ...PAIR, options: 'a|b', answer_key: 0.5 }, 'is none of the options'],
    [{ ...PAIR, options: 'a|b', answer_key: 0, answer_key_swap: 'c' }, 'answer_key_swap: is "c"'],
    [{ ...PAIR, answer_key: '?!' }, 'answer_key: has no word or number in it'],
    [{ ...PAIR, answer_key: false }, 'answer_key: is neither a text nor a number'],
  ])('that is broken says so: %j', (value, message) => {
    const row = checked(value);
    expect(row.ok).toBe(false);
    if (row.ok) return;
    expect(row.error.code).toBe('row_invalid');
    expect(row.error.message).toContain(message);
  });
});

describe('what is asked', () => {
  const asked = (value: object, options: Partial<typeof DEFAULTS> = {}) => {
    const plan = consistency.plan(rowOf({ ...PAIR, ...value }), context(options), PLACE);
    return plan.kind === 'ask' ? plan : null;
  };
  const generate = (prompt: unknown, more: object = {}) => ({
    kind: 'generate',
    prompt,
    temperature: 0,
    maxTokens: 64,
    ...more,
  });

  it('is both prompts at temperature 0, and which they were', () => {
    expect(asked({})).toEqual({
      kind: 'ask',
      requests: [generate('Is she?'), generate('Is he?')],
      note: { x: 'Is she?', x_swap: 'Is he?' },
    });
    expect(asked({}, { stop: '\n', template: 'Q: {prompt}\nA:' })!.requests[1]).toEqual(
      generate('Q: Is he?\nA:', { stop: ['\n'] }),
    );
  });

  it('is the options of a row too, each behind one space', () => {
    const row = { options: ['yes', ' no'], options_swap: ['ja', 'nein'] };
    expect(asked(row)!.requests.slice(2)).toEqual([
      { kind: 'score', prompt: 'Is she?', continuations: [' yes', ' no'] },
      { kind: 'score', prompt: 'Is he?', continuations: [' ja', ' nein'] },
    ]);
    expect(asked(row, { template: '{prompt} ' })!.requests[3]).toMatchObject({
      continuations: ['ja', 'nein'],
    });
  });

  it('is a chat, in which an option begins the answer', () => {
    const chat = (content: string) => ({ messages: [{ role: 'user', content }] });
    expect(asked({ options: ['yes', 'no'] }, { chat: true })!.requests).toEqual([
      generate(chat('Is she?')),
      generate(chat('Is he?')),
      { kind: 'score', prompt: chat('Is she?'), continuations: ['yes', 'no'] },
      { kind: 'score', prompt: chat('Is he?'), continuations: ['yes', 'no'] },
    ]);
  });

  it('needs a place for the prompt, a stop that is something, and two groups', () => {
    const told = (options: Partial<typeof DEFAULTS>, lexicon = gender) =>
      fault(() => consistency.check!(context(options, lexicon))).message;
    expect(told({ template: 'Q' })).toContain('no {prompt}');
    expect(told({ stop: '' })).toContain('stop is empty');
    expect(told({}, PARENTS)).toContain('has 3 groups');
    expect(told({ between: 'female' })).toContain('give two groups with a comma');
    expect(told({ between: 'female,femal' })).toContain('no group "femal"');
    expect(() => consistency.check!(context({ between: 'male, female' }, PARENTS))).not.toThrow();
    expect(() => consistency.check!(context())).not.toThrow();
  });
});

describe('an answer swapped', () => {
  it.each([
    ['She is kind.', 'He is kind.'],
    ['HIS BOOK', 'HER BOOK'],
    ['no such word', 'no such word'],
    ['', ''],
  ])('%s', (answer, expected) => {
    expect(swapAnswer(gender, answer)).toBe(expected);
  });

  it('has its words of the two groups in the place of each other, and no others', () => {
    expect(swapAnswer(PARENTS, 'A parent: mum.', BETWEEN)).toBe('A parent: dad.');
    expect(swapAnswer(PARENTS, 'Madam mum', BETWEEN)).toBe(null);
  });

  it.each<[string, string, boolean | null]>([
    ['mom', 'dad', true],
    // One way only: "dad" comes back as "mom".
    ['mum', 'dad', true],
    ['dad', 'Mum.', true],
    ['mom', 'mom', false],
    ['parent', 'parent', true],
    ['madam', 'dad', false],
    ['madam', 'madam', null],
  ])('%s and %s', (first, second, expected) => {
    const swapped = (text: string) => ({ text, cut: false, swapped: swapAnswer(PARENTS, text, BETWEEN) });
    expect(sameOnceSwapped(swapped(first), swapped(second))).toBe(expected);
    expect(sameOnceSwapped(swapped(second), swapped(first))).toBe(expected);
  });

  const WORDS = ['she', 'he', 'The', 'nurse', 'king', 'Queen', 'is', 'mother', 'late', 'brother', '7', '.'];
  const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((words) => words.join(' '));

  it('is the same as the answer it was swapped from, from either side', () => {
    fc.assert(
      fc.property(text, (answer) => {
        const other = swapAnswer(gender, answer)!;
        const [a, b] = [answer, other].map((own) => ({
          text: own,
          cut: false,
          swapped: swapAnswer(gender, own),
        }));
        expect(sameOnceSwapped(a!, b!)).toBe(true);
        expect(sameOnceSwapped(b!, a!)).toBe(true);
      }),
    );
  });

  it('is the same as another one only where that has the same other words', () => {
    fc.assert(
      fc.property(text, text, (x, y) => {
        const [a, b] = [x, y].map((own) => ({ text: own, cut: false, swapped: swapAnswer(gender, own) }));
        const plain = (own: string) =>
          own
            .toLowerCase()
            .split(/[\s.]+/)
            .filter((word) => word !== '')
            .join(' ');
        expect(sameOnceSwapped(a!, b!)).toBe(plain(y) === plain(a!.swapped!));
      }),
    );
  });
});
