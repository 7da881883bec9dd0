/** Attributes as data: the files, what is wrong with them, and what they make of cells. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  attributeValues,
  cellReader,
  chooseAttributes,
} from '../../../src/suites/scale/score/attributes/index.ts';
import { loadAttributes } from '../../../src/suites/scale/score/index.ts';
import { faultOf } from '../../fault.ts';
import { temporaryFolder } from '../../temporary.ts';

function fileOf(text: string): string {
  const path = join(temporaryFolder(), 'mine.yaml');
  writeFileSync(path, text);
  return path;
}

describe('files', () => {
  test('the shipped one is right', async () => {
    const { attributes, missing } = await loadAttributes('transit-survey');
    expect(missing).toContain('DATA_EXPIRED');
    expect(attributes.map(({ name, making }) => [name, making.kind])).toEqual([
      ['Sex', 'labels'],
      ['Student status', 'labels'],
      ['Employment status', 'labels'],
      ['Age_bin', 'bins'],
      ['regular_transit', 'groups'],
      ['Q28', 'order'],
      ['Age', 'number'],
    ]);
  });

  test.each([
    ['attributes: {A: {column: A}}', /name is missing/],
    ['name: mine\nattributes: {}', /attributes is empty/],
    [
      'name: mine\nattributes: {A: {colum: A}}',
      /"colum" is not a key of attributes.A; the keys here are column/,
    ],
    ['name: mine\nattributes: {A: {column: A, number: true, bins: [a, b]}}', /A has bins and number/],
    ['name: mine\nattributes: {A: {column: A, order: [a, b, a]}}', /order has "a" twice/],
    ['name: mine\nattributes: {A: {column: A, groups: {x: [a], y: [a]}}}', /groups has "a" twice/],
    ['name: mine\nattributes: {A: {column: A, bins: [a]}}', /fewer than two names/],
    ['name: [', /YAML/],
  ])('%s', async (text, message) => {
    const fault = await faultOf(loadAttributes(fileOf(text)));
    expect(fault.code).toBe('attributes_invalid');
    expect(fault.message).toMatch(message);
  });

  test('the one of the documents is right', async () => {
    const text = readFileSync(new URL('../../../docs/personas.md', import.meta.url), 'utf8');
    const [, example] = /```yaml\n(.*?)```/s.exec(text)!;
    const { attributes } = await loadAttributes(fileOf(example!));
    const kinds = attributes.map(({ making }) => making.kind);
    expect(kinds).toEqual(['labels', 'bins', 'number', 'order', 'groups']);
  });

  test('a name that there is not', async () => {
    const fault = await faultOf(loadAttributes('nothing'));
    expect(fault.message).toMatch(/shipped are: transit-survey/);
  });
});

describe('cells', () => {
  const cellOf = cellReader({ missing: ['DATA_EXPIRED'] });
  const groupsOf = (making: Parameters<typeof attributeValues>[0]['making'], cells: readonly string[]) => {
    const rows = cells.map((cell) => ({ C: cell }));
    return attributeValues({ name: 'A', column: 'C', making }, rows, cellOf);
  };

  test('labels are groups, spaces around them apart; words for nothing are missing', () => {
    const { values, unknown } = groupsOf({ kind: 'labels' }, [' a ', 'a', '', 'DATA_EXPIRED']);
    expect(values.map(({ group }) => group)).toEqual(['a', 'a', null, null]);
    expect(unknown).toEqual([]);
  });

  test('an order ranks its labels, and tells others', () => {
    const { values, unknown } = groupsOf({ kind: 'order', labels: ['few', 'many'] }, ['many', 'few', 'some']);
    expect(values).toEqual([
      { group: 'many', rank: 1 },
      { group: 'few', rank: 0 },
      { group: 'some', rank: null },
    ]);
    expect(unknown).toEqual(['some']);
  });

  test('groups of labels', () => {
    const making = { kind: 'groups', groups: { yes: ['a', 'b'], no: ['c'] } } as const;
    const { values, unknown } = groupsOf(making, ['b', 'c', 'd', '']);
    expect(values.map(({ group }) => group)).toEqual(['yes', 'no', null, null]);
    expect(unknown).toEqual(['d']);
  });

  test('bins: an edge belongs to the lower one, equals are not torn apart', () => {
    const bins = (cells: readonly string[]) =>
      groupsOf({ kind: 'bins', names: ['low', 'high'] }, cells).values.map(({ group }) => group);
    expect(bins(['1', '2', '3', '4'])).toEqual(['low', 'low', 'high', 'high']);
    expect(bins(['1', '2', '3'])).toEqual(['low', 'low', 'high']);
    expect(bins(['5', '5', '5'])).toEqual(['low', 'low', 'low']);
    expect(bins(['', 'x'])).toEqual([null, null]);
  });

  test('a number is a rank of its own', () => {
    const { values, unknown } = groupsOf({ kind: 'number' }, ['20', '1e2', 'old']);
    expect(values.map(({ rank }) => rank)).toEqual([20, 100, null]);
    expect(unknown).toEqual(['old']);
  });
});

test('of a file that was named, a column that is not there is told; of the default, it is not', async () => {
  const columns = ['participant_id', 'Sex', 'Town'];
  const named = await chooseAttributes(columns, { attributes: 'transit-survey' });
  expect(named.table.attributes.map(({ name }) => name)).toEqual(['Sex']);
  expect(named.notes.join('\n')).toMatch(/no column "Age": Age_bin is left out/);
  const usual = await chooseAttributes(columns, {});
  expect([usual.table.attributes.length, usual.notes]).toEqual([1, []]);
  const by = await chooseAttributes(columns, { by: ['Town', 'Sex', 'Town'] });
  expect(by.table.attributes).toEqual([
    { name: 'Town', column: 'Town', making: { kind: 'labels' } },
    { name: 'Sex', column: 'Sex', making: { kind: 'labels' } },
  ]);
});
