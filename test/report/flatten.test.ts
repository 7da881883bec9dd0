import { describe, expect, it } from 'vitest';
import { flatten } from '../../src/report/flatten.ts';

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
