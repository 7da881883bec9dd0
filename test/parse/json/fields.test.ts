/** Fields by a schema: what is read as what, what is refused, and what a schema may say. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readYaml } from '../../../src/catalog/index.ts';
import { AuditError } from '../../../src/errors.ts';
import {
  checkSchema,
  type JsonValue,
  parseObject,
  readFields,
  readSchema,
} from '../../../src/parse/index.ts';

const SCORE = readSchema({ fields: { a: { type: 'integer', min: 6, max: 30 } } });
const FREE = readSchema({ fields: { a: { type: 'integer' } } });

describe('a whole number', () => {
  it.each<[number | string, number]>([
    ...[17, 17.0, 1.7e1, '17', ' 17 ', '17.0', '17.', '+17', '017', '17.000'].map(
      (value): [number | string, number] => [value, 17],
    ),
    [6, 6],
    [30, 30],
  ])('%j is %i', (value, number) => {
    expect(readFields({ a: value }, SCORE)).toEqual({ status: 'ok', value: { a: number }, notes: [] });
  });

  it.each([
    ...[
      17.5,
      '17.5',
      true,
      false,
      null,
      '',
      ' ',
      'about 17',
      '17 of 30',
      '0x11',
      '1e1',
      '1,7',
      '1_7',
      '१७',
      'NaN',
      'Infinity',
    ],
    ...[[17], [], {}, { a: 17 }, '17-', '--17', '17.0.0', '.', '-'],
  ])('%j is none', (value) => {
    const key = { status: 'not_integer', key: 'a', message: expect.stringContaining('from 6 to 30') };
    expect(readFields({ a: value as JsonValue }, SCORE)).toEqual(key);
  });

  it.each([5, 31, -17, 0, '5', '31', -6, 1e300, 2 ** 53, '9'.repeat(400), -(2 ** 60)])(
    '%s is out of range',
    (value) => {
      expect(readFields({ a: value }, SCORE)).toMatchObject({ status: 'out_of_range', key: 'a' });
    },
  );

  it('is never one that numbers cannot hold', () => {
    expect(readFields({ a: 2 ** 53 - 1 }, FREE)).toMatchObject({ status: 'ok', value: { a: 2 ** 53 - 1 } });
    const zero = readFields({ a: -0 }, FREE);
    expect(zero.status === 'ok' && Object.is(zero.value.a, 0)).toBe(true);
    expect(readFields({ a: '9007199254740993' }, FREE)).toMatchObject({ status: 'unsafe_integer' });
  });
});

describe('other fields', () => {
  const schema = readSchema({
    fields: {
      n: { type: 'number', min: 0, max: 1, required: false },
      b: { type: 'boolean', required: false },
      s: { type: 'string', required: false },
      e: {
        type: 'enum',
        values: ['low', 'High'],
        aliases: { lo: 'low', top: 'High' },
        empty: ['', 'none'],
        required: false,
      },
    },
  });
  it.each([
    [{ n: 0.5 }, { n: 0.5 }],
    [{ n: ' 5e-1 ' }, { n: 0.5 }],
    [
      { n: null, b: null, s: null, e: null },
      { n: null, b: null, s: null, e: null },
    ],
    [{ b: true }, { b: true }],
    [{ s: '' }, { s: '' }],
    [{ e: ' LOW ' }, { e: 'low' }],
    [{ e: 'high' }, { e: 'High' }],
    [{ e: 'Top' }, { e: 'High' }],
    [{ e: ' None' }, { e: null }],
    [{ x: [1] }, { x: [1] }],
  ] as const)('%j', (value, read) => {
    expect(readFields(value, schema)).toEqual({ status: 'ok', value: read, notes: [] });
  });

  it.each([
    [{ n: 1.5 }, 'out_of_range', 'n is 1.5; it must be a number from 0 to 1'],
    [{ n: true }, 'wrong_type', 'n is true; it must be a number from 0 to 1'],
    [{ n: '1/2' }, 'wrong_type', 'n is "1/2"; it must be a number from 0 to 1'],
    [{ b: 'true' }, 'wrong_type', 'b is "true"; it must be true or false'],
    [{ b: 1 }, 'wrong_type', 'b is 1; it must be true or false'],
    [{ s: 1 }, 'wrong_type', 's is 1; it must be a text'],
    [{ e: 'medium' }, 'bad_label', 'e is "medium"; it must be one of low, High'],
    [{ e: 1 }, 'bad_label', 'e is 1; it must be one of low, High'],
  ] as const)('%j is refused', (value, status, message) => {
    expect(readFields(value, schema)).toEqual({ status, message, key: Object.keys(value)[0] });
  });
});

describe('keys', () => {
  const schema = readSchema({
    fields: {
      b: { type: 'integer' },
      a: { type: 'integer' },
      c: { type: 'enum', values: ['x'], required: false, soft: true },
    },
    others: 'drop',
  });

  it('come in the order of the schema, others are dropped', () => {
    const read = readFields({ z: 1, a: 1, b: 2 }, schema);
    expect(JSON.stringify(read.status === 'ok' && read.value)).toBe('{"b":2,"a":1}');
  });

  it('are missed before any is read', () => {
    expect(readFields({ a: 'no' }, schema)).toEqual({
      status: 'missing_key',
      key: 'b',
      message: 'the object lacks "b"',
    });
    expect(readFields({}, schema)).toMatchObject({ message: 'the object lacks "b", "a"' });
    expect(readFields({ b: null, a: 1 }, schema)).toMatchObject({ status: 'not_integer', key: 'b' });
  });

  it('are the own ones', () => {
    const inherited = readSchema({ fields: { constructor: { type: 'string' } } });
    expect(readFields({}, inherited)).toMatchObject({ status: 'missing_key' });
  });

  it('if soft, are left out with a note, and the rest stands', () => {
    const value = { a: 1, b: 2, c: 'y' };
    expect(readFields(value, schema)).toEqual({
      status: 'ok',
      value: { b: 2, a: 1, c: null },
      notes: [{ code: 'field_dropped', key: 'c', message: 'c is "y"; it must be one of x; it was left out' }],
    });
    expect(readFields(value, schema, { soft: false })).toMatchObject({ status: 'bad_label', key: 'c' });
    expect(readFields({ a: 1, b: true, c: 'y' }, schema)).toMatchObject({ status: 'not_integer', key: 'b' });
  });

  it.each([[null], [1], ['a'], [[]]])('%j has none', (value) => {
    expect(readFields(value as JsonValue, schema)).toMatchObject({ status: 'wrong_type', key: '' });
  });
});

describe('an object out of a text', () => {
  const status = (text: string, options = {}) => parseObject(text, SCORE, options);

  it('is the one with the keys, of several', () => {
    const read = status('Persona {"age": 40}. {"a": "17"}, in the form {"b": 1}');
    expect(read).toMatchObject({ status: 'ok', value: { a: 17 }, notes: [{ code: 'chosen_by_keys' }] });
    expect(status('{"age": 40} {"a": 17} {"a": 18}').status).toBe('multiple_objects');
    expect(status('{"age": 40} {"a": 17} {"a": 18}', { several: 'last' })).toMatchObject({
      value: { a: 18 },
    });
    expect(status('{"x": 1} {"y": 2}').status).toBe('multiple_objects');
    expect(status('{"age": 40} {"a": 17')).toMatchObject({ status: 'truncated' });
  });

  it('may be all that is in a list', () => {
    expect(status('[{"a": 17}]')).toMatchObject({ value: { a: 17 }, notes: [{ code: 'list_of_one' }] });
    expect(status('[{"a": 17}, {"a": 17.0}]')).toMatchObject({ value: { a: 17 } });
    expect(status('[{"a": 17}, {"a": 18}]').status).toBe('multiple_objects');
    expect(status('[17]').status).toBe('no_json');
    expect(status('[]').status).toBe('no_json');
    expect(status('[{"a": 17}, 1]').status).toBe('no_json');
  });

  it('keeps what was done to the text', () => {
    expect(status("{'a': '17',}")).toMatchObject({
      repaired: true,
      repairs: ['single_quotes', 'trailing_commas'],
    });
    expect(status("{'a': '17',}", { repair: false })).toMatchObject({ status: 'invalid_json' });
    expect(status("{'a': '17',}", { compat: 'psych755' })).toMatchObject({ status: 'invalid_json' });
    expect(status('{"a": 40}')).toMatchObject({ status: 'out_of_range', key: 'a' });
    expect(status('no')).toMatchObject({ status: 'no_json' });
  });
});

describe('a schema', () => {
  it.each([
    [null, [], 'give a schema'],
    [{}, ['fields'], 'give the keys'],
    [{ fields: {} }, ['fields'], 'give one key or more'],
    [{ fields: { a: 1 } }, ['fields', 'a'], 'give a field with a type'],
    [{ fields: { a: { type: 'int' } } }, ['fields', 'a', 'type'], 'integer, number, boolean, string, enum'],
    [{ fields: { a: { type: 'integer', min: 1.5 } } }, ['fields', 'a', 'min'], 'give a whole number'],
    [{ fields: { a: { type: 'integer', min: 2, max: 1 } } }, ['fields', 'a', 'min'], '2 is above max, 1'],
    [{ fields: { a: { type: 'integer', minimum: 1 } } }, ['fields', 'a', 'minimum'], 'no key of this name'],
    [
      { fields: { a: { type: 'integer', required: 'yes' } } },
      ['fields', 'a', 'required'],
      'give true or false',
    ],
    [{ fields: { a: { type: 'integer', soft: true } } }, ['fields', 'a', 'soft'], 'set required: false'],
    [{ fields: { a: { type: 'enum' } } }, ['fields', 'a', 'values'], 'give a list of texts'],
    [{ fields: { a: { type: 'enum', values: [] } } }, ['fields', 'a', 'values'], 'give one value or more'],
    [{ fields: { a: { type: 'enum', values: ['x', 'X '] } } }, ['fields', 'a', 'values'], 'is there already'],
    [
      { fields: { a: { type: 'enum', values: ['x'], aliases: { y: 'z' } } } },
      ['fields', 'a', 'aliases'],
      'none of the values',
    ],
    [
      { fields: { a: { type: 'enum', values: ['x'], empty: ['X'] } } },
      ['fields', 'a', 'empty'],
      'is there already',
    ],
    [{ fields: { a: { type: 'string' } }, others: 'no' }, ['others'], 'give keep or drop'],
    [{ fields: { a: { type: 'string' } }, other: 'drop' }, ['other'], 'no key of this name'],
  ])('%j is none', (data, path, message) => {
    expect(checkSchema(data).faults).toContainEqual({ path, message: expect.stringContaining(message) });
    expect(() => readSchema(data)).toThrow(AuditError);
  });

  it('tells every fault in one error', () => {
    const data = { fields: { a: { type: 'integer', min: 'x' }, b: { type: 'enum', values: 1 } } };
    expect(() => readSchema(data)).toThrow(
      expect.objectContaining({
        code: 'schema_invalid',
        message: 'not a schema: fields.a.min: give a whole number; fields.b.values: give a list of texts',
        data: expect.objectContaining({ key: 'fields.a.min' }),
      }),
    );
  });

  it('is what the documentation shows', () => {
    const docs = readFileSync(new URL('../../../docs/parse.md', import.meta.url), 'utf8');
    const shown = /\n\n((?: {4}.*\n)+)\n\*\*The contract\.\*\*/.exec(docs)?.[1] ?? '';
    const schema = readSchema(readYaml(Buffer.from(shown), 'docs').value);
    const text = '{"self_reported_band_group": " Medium", "self_reported_group_ca": "17", "why": "so"}';
    const value = { self_reported_group_ca: 17, self_reported_band_group: 'moderate' };
    expect(parseObject(text, schema)).toMatchObject({ status: 'ok', value });
  });
});
