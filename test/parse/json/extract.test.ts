/** Texts of our own, each kind of trouble with many; and what the options change. */
import { describe, expect, it } from 'vitest';
import { extractJson } from '../../../src/parse/index.ts';
import { CASES } from './cases.ts';

for (const [kind, cases] of Object.entries(CASES)) {
  describe(kind, () => {
    it.each(cases)('%j', ({ text, read, repairs, notes }) => {
      const answer = extractJson(text);
      if (typeof read === 'string') {
        expect(answer).toEqual({ status: read, message: expect.stringMatching(/./) });
        return;
      }
      expect(answer).toMatchObject({ status: 'ok', value: read.value });
      if (answer.status !== 'ok') return;
      expect(answer.repaired).toBe(answer.repairs.length > 0);
      if (repairs) expect(answer.repairs).toEqual(repairs);
      expect(answer.notes.map(({ code }) => code)).toEqual(notes ?? []);
    });
  });
}

it('is held to many texts', () => {
  expect(Object.values(CASES).flat().length).toBeGreaterThan(150);
});

describe('without repair', () => {
  const repaired = Object.values(CASES)
    .flat()
    .filter(({ repairs = [] }) => repairs.length > 0);
  it.each(repaired)('$text is no JSON', ({ text, repairs }) => {
    const answer = extractJson(text, { repair: false });
    expect(answer).toEqual({ status: 'invalid_json', message: expect.stringContaining(repairs![0]!) });
  });

  it('reads all else as with it', () => {
    const others = Object.values(CASES)
      .flat()
      .filter(
        ({ text, read, repairs = [] }) =>
          typeof read !== 'string' && repairs.length === 0 && !text.includes("{'"),
      );
    for (const { text } of others) expect(extractJson(text, { repair: false })).toEqual(extractJson(text));
  });

  it('takes a whole value beside one that would need repair', () => {
    expect(extractJson('{\'a\':2} {"a":1}', { repair: false })).toMatchObject({
      status: 'ok',
      value: { a: 1 },
    });
    expect(extractJson('{"a":1} {\'a\':2}', { repair: false })).toMatchObject({ status: 'invalid_json' });
  });
});

describe('of several', () => {
  const text = '{"a":1}\n```json\n{"a":2}\n```\nor\n```json\n{"a":3}\n```\n{"a":4}';
  it.each([
    ['first_fence', 2, ['first_fence']],
    ['last', 4, ['last_object']],
  ] as const)('%s', (several, a, notes) => {
    const answer = extractJson(text, { several });
    expect(answer).toMatchObject({ status: 'ok', value: { a } });
    if (answer.status === 'ok') expect(answer.notes.map(({ code }) => code)).toEqual(notes);
  });

  it('refuses where that does not tell', () => {
    expect(extractJson(text).status).toBe('multiple_objects');
    expect(extractJson('{"a":1} {"a":2}', { several: 'first_fence' }).status).toBe('multiple_objects');
  });

  it('changes nothing where they are the same', () => {
    const same = '{"a":1}\n```json\n{"a":1}\n```';
    for (const several of ['refuse', 'first_fence', 'last'] as const) {
      expect(extractJson(same, { several })).toEqual(extractJson('{"a":1}'));
    }
  });
});

describe('messages', () => {
  it.each([
    ['no', 'the text has no JSON object and no array in it'],
    ['{"a":1;}', 'character 7, in a value that begins at 1: found ";", expected "," or "}"'],
    ['x {"a":', 'the text ends inside a value that begins at character 3; expected a value'],
    ['{"a":1}{"a":2}', 'the text has 2 values that differ, and nothing tells which is the answer'],
    ['<think>x', 'the text ends inside a think block, and no answer stands before it'],
  ])('%s', (text, message) => {
    expect(extractJson(text)).toHaveProperty('message', message);
  });
});

it('keeps keys that objects have by nature', () => {
  const answer = extractJson('{"__proto__": {"x": 1}, "a": 1}');
  expect(JSON.stringify(answer.status === 'ok' && answer.value)).toBe('{"__proto__":{"x":1},"a":1}');
  expect(extractJson('{"__proto__":1} {"__proto__":2}').status).toBe('multiple_objects');
});
