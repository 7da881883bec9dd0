/** The suite alone: rows in their shapes, what is asked, and what counts as right. */
import { describe, expect, it } from 'vitest';
import type { Fields, OptionValues, ShareMetric } from '../../src/contract/index.ts';
import { checkRow } from '../../src/dataset/index.ts';
import type { GenerateRequest } from '../../src/observation/observation.ts';
import { em } from '../../src/suites/em/em.ts';
import { fault } from '../fault.ts';
import { contextOf, generated } from './observations.ts';

const DEFAULTS: OptionValues<typeof em.options> = {
  maxTokens: 512,
  stop: null,
  template: '{prompt}',
  chat: false,
};
const PLACE = { file: 'rows.jsonl', index: 2 };
const checked = (value: unknown) => checkRow(em.schema, { file: 'rows.jsonl', line: 3, index: 2, value });
function rowOf(value: unknown) {
  const row = checked(value);
  if (!row.ok) throw row.error;
  return row.value;
}

describe('a row', () => {
  it.each([
    ['GSM8K', { question: 'q', answer: 'She has 3*14=<<3*14=42>>42.\n#### 1,042' }, '1,042'],
    ['MATH', { problem: 'q', solution: 'So $\\boxed{\\frac{1}{2}}$.', level: 'Level 5' }, '\\frac{1}{2}'],
    ['MATH with its answer', { problem: 'q', solution: 'no box', answer: '7', level: 5 }, '7'],
    ['a plain row', { prompt: 'q', gold: 'Paris' }, 'Paris'],
    ['a number', { prompt: 'q', answer: 42 }, '42'],
    ['cells that are empty', { id: '', prompt: '', question: 'q', answer: '', gold: '8' }, '8'],
  ])('of %s', (_, value, gold) => {
    const { id, ...rest } = value as Record<string, unknown>;
    expect(rowOf(id === '' ? rest : value)).toMatchObject({ prompt: 'q', gold });
  });

  it('is called by its id, or its number, and sliced by its columns', () => {
    const all = { id: 7, prompt: 'q', answer: 'a', category: 'c', lang: 'en', level: 3 };
    expect(em.identify(rowOf(all), PLACE)).toEqual({
      id: '7',
      slices: { category: 'c', lang: 'en', level: '3' },
    });
    expect(em.identify(rowOf({ prompt: 'q', answer: 'a' }), PLACE).id).toBe('2');
  });

  it.each([
    [{ answer: 'a' }, 'prompt: is missing; give prompt, question or problem'],
    [{ prompt: 'q' }, 'answer: is missing; give answer, gold or solution'],
    [{ prompt: 'q', answer: 'It is so.\n####  ' }, 'answer: holds no answer'],
    [{ prompt: 'q', answer: true }, 'answer'],
  ])('that is broken says so', (value, message) => {
    const row = checked(value);
    expect(row.ok).toBe(false);
    if (!row.ok) expect(row.error.message).toContain(message);
  });
});

describe('what is asked', () => {
  const request = (options: Partial<typeof DEFAULTS>) => {
    const plan = em.plan(
      rowOf({ prompt: "$& 2+2? $'", answer: '4' }),
      contextOf({ ...DEFAULTS, ...options }),
      PLACE,
    );
    return (plan.kind === 'ask' ? plan.requests[0] : null) as GenerateRequest;
  };

  it('is the prompt, at temperature 0', () => {
    expect(request({})).toEqual({ kind: 'generate', prompt: "$& 2+2? $'", temperature: 0, maxTokens: 512 });
  });

  it('is the template with the prompt in it as it is, with a stop', () => {
    expect(request({ template: 'Q: {prompt}\nA:', stop: '\n', maxTokens: 8 })).toEqual({
      kind: 'generate',
      prompt: "Q: $& 2+2? $'\nA:",
      temperature: 0,
      maxTokens: 8,
      stop: ['\n'],
    });
  });

  it('is a chat', () => {
    expect(request({ chat: true, template: 'Q: {prompt}' }).prompt).toEqual({
      messages: [{ role: 'user', content: "Q: $& 2+2? $'" }],
    });
  });

  it('needs a place for the prompt, and a stop that is something', () => {
    expect(fault(() => em.check!(contextOf({ ...DEFAULTS, template: 'Q:' })))).toMatchObject({
      code: 'bad_argument',
      data: { key: 'template' },
    });
    expect(fault(() => em.check!(contextOf({ ...DEFAULTS, stop: '' }))).message).toContain('stop is empty');
    expect(() => em.check!(contextOf(DEFAULTS))).not.toThrow();
  });
});

describe('a result', () => {
  const result = (answer: string, text: string, finish?: 'length' | 'context' | 'stop'): Fields =>
    em.score([generated(text, finish)], contextOf(DEFAULTS), rowOf({ prompt: 'q', answer }), {});
  const hits = (fields: Fields) =>
    Object.fromEntries(
      em.metrics(contextOf(DEFAULTS)).map((m) => [m.name, (m as ShareMetric).hit(fields, {})]),
    );

  it('keeps the text, what was found in it and by which rule', () => {
    expect(result('#### 17', 'So \\boxed{17.0}.', 'stop')).toEqual({
      response: 'So \\boxed{17.0}.',
      finish: 'stop',
      truncated: false,
      tokens: 3,
      extracted: '17.0',
      rule: 'boxed',
      answer: '17',
      gold: '17',
      correct: true,
    });
  });

  it.each([
    ['17', 'It is 17.', undefined, { em: true, unparsed: false, truncated: false }],
    ['17', 'It is 18.', undefined, { em: false, unparsed: false, truncated: false }],
    ['17', 'It is.', 'length', { em: false, unparsed: true, truncated: true }],
    ['17', '17', 'context', { em: true, unparsed: false, truncated: true }],
    ['Paris', 'It is\nParis.', undefined, { em: true, unparsed: false, truncated: false }],
    ['Paris', '', undefined, { em: false, unparsed: true, truncated: false }],
    ['1/3', 'x = \\frac{2}{6}', undefined, { em: true, unparsed: false, truncated: false }],
  ] as const)('gold %s, text %s', (answer, text, finish, expected) => {
    expect(hits(result(answer, text, finish))).toEqual(expected);
  });

  it('never runs what a model wrote', () => {
    expect(result('4', 'The answer is process.exit(1) || 2+2')).toMatchObject({ correct: false });
  });
});
