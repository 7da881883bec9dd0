/** Options and their order: Python's generator, seeds of odd ids, and the orders that the original has made. */
import { describe, expect, it } from 'vitest';
import {
  answerOptions,
  drawSeed,
  fromBase36,
  letterOf,
  optionSeed,
  PythonRandom,
} from '../../../src/suites/rules/index.ts';
import { VECTORS, vector } from './vectors.ts';

type Side = { seed: string; options: { label: string; rule: string }[] };
interface OptionVectors {
  ids: { mod_comment_id: string; rules: string[]; violating: Side; compliant: Side }[];
  odd_ids: {
    mod_comment_id: string;
    base36: boolean;
    violating: string;
    compliant: string;
    options: string;
  }[];
}

describe("Python's generator", () => {
  // Python 3.11: random.Random(seed).shuffle(list(range(10))).
  it.each([
    [0n, [7, 8, 1, 5, 3, 4, 2, 0, 9, 6]],
    [42n, [7, 3, 2, 8, 5, 6, 9, 4, 0, 1]],
    [-42n, [7, 3, 2, 8, 5, 6, 9, 4, 0, 1]],
  ])('shuffles as Python does with seed %s', (seed, order) => {
    expect(new PythonRandom(seed).shuffle([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])).toEqual(order);
  });

  it('draws below a limit, all the same often', () => {
    const random = new PythonRandom(7n);
    const counts = [0, 0, 0, 0, 0];
    for (let draw = 0; draw < 50_000; draw += 1) counts[random.below(5)]! += 1;
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500);
    expect(() => random.below(0)).toThrow('limit is 0');
  });
});

describe('seeds', () => {
  it.each([
    ['zz', 1295n],
    ['ZZ', 1295n],
    [' k_7\n', 727n],
    ['-10', -36n],
    ['٣k', 128n],
    ['', null],
    ['a__b', null],
    ['_a', null],
    ['a b', null],
    ['naïve', null],
  ])('reads %j in base 36 as %s', (text, value) => {
    expect(fromBase36(text)).toBe(value);
  });

  it.skipIf(VECTORS === null)('are those of the original, for odd ids too', () => {
    const { odd_ids: odd } = vector<OptionVectors>('options.json');
    expect(odd.length).toBeGreaterThan(5);
    for (const { mod_comment_id: id, base36, violating, compliant } of odd) {
      expect([id, fromBase36(id) !== null]).toEqual([id, base36]);
      expect([drawSeed(id, 'violating'), drawSeed(id, 'compliant')].map(String)).toEqual([
        violating,
        compliant,
      ]);
      expect(optionSeed(id, 'violating')).toBe(base36 ? BigInt(violating) : null);
    }
  });
});

describe('options', () => {
  it.skipIf(VECTORS === null)('stand in the order of the original', () => {
    const { ids } = vector<OptionVectors>('options.json');
    expect(ids.length).toBe(20);
    for (const { mod_comment_id: id, rules, violating, compliant } of ids) {
      expect(optionSeed(id, 'violating')).toBe(BigInt(violating.seed));
      expect(answerOptions(id, 'violating', rules)).toEqual(violating.options);
      expect(answerOptions(id, 'compliant', rules)).toEqual(compliant.options);
    }
  });

  it('are none for an id that cannot be a seed, and say why', () => {
    expect(() => answerOptions('Zz-9', 'violating', ['a'])).toThrow(
      /mod_comment_id "Zz-9" is no number in base 36/,
    );
  });

  it('have letters up to the 26th', () => {
    expect([letterOf('(a)'), letterOf('(z)'), letterOf('({)'), letterOf('a')]).toEqual([
      'a',
      'z',
      null,
      null,
    ]);
  });
});
