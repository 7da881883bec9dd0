/** The tables of options: what resolves, what is refused, and that no option of any suite goes without help. */
import { describe, expect, it } from 'vitest';
import { type OptionTable, resolveOptions } from '../../src/contract/index.ts';
import { findSuite, suiteNames } from '../../src/suites/registry.ts';
import { fault } from '../fault.ts';

const TABLE = {
  rule: { kind: 'choice', choices: ['first', 'last'], default: 'last', help: 'h' },
  most: { kind: 'whole', least: 2, default: 5, unit: 'n', help: 'h' },
  gate: { kind: 'switch', default: true, help: 'h' },
  loud: { kind: 'switch', default: false, help: 'h' },
  name: { kind: 'text', default: 'x', unit: 'name', help: 'h' },
  note: { kind: 'text', default: null, unit: 'text', help: 'h' },
} as const satisfies OptionTable;

const resolve = (given: Readonly<Record<string, unknown>>) => resolveOptions('thing', TABLE, given);

describe('resolveOptions', () => {
  it('gives every option: its default, or what was given', () => {
    const defaults = { rule: 'last', most: 5, gate: true, loud: false, name: 'x', note: null };
    expect(resolve({})).toEqual(defaults);
    expect(resolve({ rule: undefined, gate: undefined })).toEqual(defaults);
    const given = { rule: 'first', most: 2, gate: false, loud: true, name: '', note: 'n' };
    expect(resolve(given)).toEqual(given);
    expect(resolve({ note: null }).note).toBeNull();
  });

  it.each<[string, unknown, string]>([
    ['rule', 'middle', 'first or last'],
    ['rule', 1, 'first or last'],
    ['rule', null, 'first or last'],
    ['most', 1, 'a whole number from 2'],
    ['most', 2.5, 'a whole number from 2'],
    ['most', '3', 'a whole number from 2'],
    ['most', Number.NaN, 'a whole number from 2'],
    ['most', Number.POSITIVE_INFINITY, 'a whole number from 2'],
    ['most', 2 ** 60, 'a whole number from 2'],
    ['most', null, 'a whole number from 2'],
    ['gate', 'false', 'true or false'],
    ['gate', 0, 'true or false'],
    ['loud', null, 'true or false'],
    ['name', null, 'a text'],
    ['name', 7, 'a text'],
    ['note', true, 'a text'],
  ])('refuses %s: %j', (key, value, wanted) => {
    const error = fault(() => resolve({ [key]: value }));
    expect(error.code).toBe('bad_argument');
    expect(error.message).toBe(`thing: ${key} is ${JSON.stringify(value)}; give ${wanted}`);
    expect(error.data).toMatchObject({ suite: 'thing', key });
  });

  it('refuses a name that the table does not have, those of every object included', () => {
    for (const key of ['Rule', 'toString', 'constructor', '__proto__']) {
      const error = fault(() => resolve(JSON.parse(`{"${key}": 1}`)));
      expect([error.code, error.message]).toEqual([
        'bad_argument',
        `thing has no option "${key}"; its options are rule, most, gate, loud, name, note`,
      ]);
    }
    expect(fault(() => resolveOptions('bare', {}, { a: 1 })).message).toContain('it has none');
  });
});

describe.each(suiteNames())('the options of %s', (name) => {
  const { options } = findSuite(name);

  it('have help on one line, and defaults that they take themselves', () => {
    for (const [key, option] of Object.entries(options)) {
      expect(option.help, key).toMatch(/^\S[^\n]*[^\s.]$/);
      expect(key).toMatch(/^[a-z][A-Za-z]*$/);
      if (option.kind === 'choice') expect(new Set(option.choices).size, key).toBe(option.choices.length);
    }
    const defaults = resolveOptions(name, options, {});
    expect(Object.keys(defaults)).toEqual(Object.keys(options));
    expect(resolveOptions(name, options, defaults)).toEqual(defaults);
  });

  it('refuse a stranger and a value of no kind', () => {
    expect(fault(() => resolveOptions(name, options, { stranger: 1 })).message).toContain(
      `${name} has no option "stranger"`,
    );
    for (const key of Object.keys(options)) {
      expect(fault(() => resolveOptions(name, options, { [key]: Symbol('none') })).data.key).toBe(key);
    }
  });
});
