/** Numbers that JSON cannot hold: they cost their field, and no other. */
import { describe, expect, it } from 'vitest';
import { extractJson, parseObject, readSchema } from '../../../src/parse/index.ts';

const numbersOf = (text: string) => {
  const answer = extractJson(text);
  if (answer.status !== 'ok') return answer.status;
  return { value: answer.value, notes: answer.notes.map(({ code, key }) => [code, key]) };
};

describe('what is no finite number', () => {
  it.each(['NaN', 'nan', 'Infinity', '-Infinity', '+Infinity', 'inf', '-inf', '-NaN', '1e999', '-1e999'])(
    '%s is null in its field, and the others stand',
    (token) => {
      for (const text of [`{"a": ${token}, "b": 2}`, `So:\n\`\`\`json\n{"a":${token},"b":2,}\n\`\`\``]) {
        expect(numbersOf(text)).toEqual({ value: { a: null, b: 2 }, notes: [['non_finite_number', 'a']] });
      }
      expect(extractJson(`{"a": ${token}}`, { repair: false }).status).toBe('ok');
    },
  );

  it('is named by its way', () => {
    expect(numbersOf('{"a": {"b": [1, NaN, {"c": Infinity}]}}')).toEqual({
      value: { a: { b: [1, null, { c: null }] } },
      notes: [
        ['non_finite_number', 'a.b[1]'],
        ['non_finite_number', 'a.b[2].c'],
      ],
    });
  });

  it('is text within a string', () => {
    expect(numbersOf('{"a": "NaN, Infinity", "b": 1}')).toEqual({
      value: { a: 'NaN, Infinity', b: 1 },
      notes: [],
    });
  });

  it('is no number with more behind it', () => {
    for (const text of ['{"a": NaNs}', '{"a": Infinity1}', '{"a": NaN 1}', '{"a": +1}']) {
      expect(numbersOf(text)).toBe('invalid_json');
    }
  });
});

describe('whole numbers beyond 2^53', () => {
  it.each(['9007199254740993', '-9007199254740993', '12345678901234567890', '9007199254740992'])(
    '%s is the text of its digits',
    (token) => {
      expect(numbersOf(`{"a": ${token}, "b": 2}`)).toEqual({
        value: { a: token, b: 2 },
        notes: [['unsafe_integer', 'a']],
      });
    },
  );

  it('are not those below, nor decimals', () => {
    for (const token of ['9007199254740991', '-9007199254740991', '1e300', '0.1', '9007199254740993.5']) {
      expect(numbersOf(`{"a": ${token}}`)).toEqual({ value: { a: Number(token) }, notes: [] });
    }
  });
});

describe('by a schema', () => {
  const schema = readSchema({
    fields: {
      a: { type: 'integer', min: 6, max: 30 },
      b: { type: 'number' },
      c: { type: 'string', required: false },
      d: { type: 'integer', required: false, soft: true },
    },
  });

  it.each([
    ['{"a": NaN, "b": 1.5, "c": "x"}', 'non_finite_number', 'a', { a: null, b: 1.5, c: 'x' }],
    ['{"a": 7, "b": Infinity}', 'non_finite_number', 'b', { a: 7, b: null }],
    ['[{"a": 7, "b": -1e999}]', 'non_finite_number', 'b', { a: 7, b: null }],
    ['{"a": 7, "b": 9007199254740993}', 'unsafe_integer', 'b', { a: 7, b: null }],
    ['{"a": 7, "b": "9007199254740993"}', 'unsafe_integer', 'b', { a: 7, b: null }],
  ])('%s has %s at %s, and keeps the rest', (text, status, key, value) => {
    const answer = parseObject(text, schema);
    expect(answer).toMatchObject({ status, key, value });
    expect(answer.status !== 'ok' && answer.message).toContain(`${key} is `);
  });

  it('refuses what breaks a bound or is of another kind, as ever', () => {
    expect(parseObject('{"a": 9007199254740993, "b": 1}', schema)).toMatchObject({ status: 'out_of_range' });
    const text = '{"a": 7, "b": 1, "c": 9007199254740993}';
    expect(parseObject(text, schema)).toMatchObject({ status: 'wrong_type', key: 'c' });
  });

  it('drops a soft field', () => {
    expect(parseObject('{"a": 7, "b": 1, "d": NaN}', schema)).toMatchObject({
      status: 'ok',
      value: { a: 7, b: 1, d: null },
    });
  });
});
