import { describe, expect, it } from 'vitest';
import { FlatColumns, flatten, type Nested } from '../../src/report/flatten.ts';

describe('flatten', () => {
  const cases: [string, Parameters<typeof flatten>[0], object][] = [
    ['values as they are', { a: 1, b: 'x', c: true, d: null }, { a: 1, b: 'x', c: true, d: null }],
    [
      'objects into their columns',
      { jsdTopK: { k: 5, partial: 0.5 }, n: { m: { deep: 1 } } },
      { jsdTopKK: 5, jsdTopKPartial: 0.5, nMDeep: 1 },
    ],
    ['a list of values as one cell', { ids: [1, 2, 3], none: [] }, { ids: '1 2 3', none: '' }],
    [
      'a list of objects by number',
      { options: [{ logProb: -1, tokens: [4, 5] }, { logProb: -2 }] },
      { options1LogProb: -1, options1Tokens: '4 5', options2LogProb: -2 },
    ],
    [
      'what is beside an object in a list by number too',
      { options: [null, { a: 1 }, 'abc', 7] },
      { options1: null, options2A: 1, options3: 'abc', options4: 7 },
    ],
    [
      'a list of lists, each as one cell',
      {
        rows: [
          [1, 2],
          [3, 4],
        ],
      },
      { rows1: '1 2', rows2: '3 4' },
    ],
    ['nothing', {}, {}],
    ['an empty object', { a: {} }, {}],
  ];
  it.each(cases)('gives %s', (_, nested, flat) => {
    expect(flatten(nested)).toEqual(flat);
  });

  it('keeps the order of the keys', () => {
    expect(Object.keys(flatten({ z: 1, a: { y: 1, b: 2 }, c: [{ x: 1 }] }))).toEqual([
      'z',
      'aY',
      'aB',
      'c1X',
    ]);
  });
});

describe('the columns of several results', () => {
  const namesOf = (results: readonly Nested[]) => {
    const columns = new FlatColumns();
    for (const result of results) columns.add(result);
    return columns.names();
  };
  const cases: [string, Nested[], string[]][] = [
    [
      'a field that only some have',
      [
        { a: 1, z: 1 },
        { a: 1, note: 'x', z: 1 },
      ],
      ['a', 'note', 'z'],
    ],
    ['a field at the end', [{ a: 1 }, { a: 1, note: 'x' }], ['a', 'note']],
    ['a field in front', [{ a: 1 }, { first: 1, a: 1 }], ['first', 'a']],
    ['a field nested in some and null in others', [{ x: null }, { x: { a: 1, b: null } }], ['xA', 'xB']],
    [
      'a field nested deeper in some',
      [{ x: { a: null, b: 1 } }, { x: { a: { c: 1 }, b: 1 } }],
      ['xAC', 'xB'],
    ],
    [
      'lists of different lengths',
      [
        { o: [{ a: 1 }], z: 1 },
        { o: [{ a: 1 }, { a: 2 }], z: 1 },
      ],
      ['o1A', 'o2A', 'z'],
    ],
    [
      'an empty list',
      [
        { o: [], z: 1 },
        { o: [{ a: 1 }], z: 1 },
      ],
      ['o1A', 'z'],
    ],
    ['a value in some and several in others', [{ x: 'a' }, { x: ['a', 'b'] }, { x: { y: 1 } }], ['x', 'xY']],
    ['a field that is always null', [{ x: null }, { x: null }], ['x']],
    ['an object that is always empty', [{ x: {} }], []],
  ];
  it.each(cases)('have %s, in whatever order they come', (_, results, names) => {
    expect(namesOf(results)).toEqual(names);
    expect(namesOf([...results].reverse())).toEqual(names);
    for (const result of results) {
      const row = flatten(result);
      const lost = Object.keys(row).filter(
        (key) => !names.includes(key) && row[key] !== null && row[key] !== '',
      );
      expect(lost).toEqual([]);
    }
  });
});
