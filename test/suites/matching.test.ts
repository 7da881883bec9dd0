/**
 * Matching blocks against what Python's difflib gives (difflib.json: Python 3.11, get_matching_blocks without its closing
 * empty block), and against a plain search of the oracle's.
 */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchingBlocks } from '../../src/suites/shared/matching.ts';
import { type OracleBlock, oracleBlocks } from '../oracle/blocks.ts';

interface Case {
  readonly name: string;
  readonly a: number[];
  readonly b: number[];
  readonly blocks: OracleBlock[];
}

const CASES: Case[] = JSON.parse(readFileSync(new URL('difflib.json', import.meta.url), 'utf8'));

const blocksOf = (a: readonly number[], b: readonly number[]) =>
  matchingBlocks(a, b).map(({ a: i, b: j, length }) => [i, j, length]);

describe('matchingBlocks', () => {
  it.each(CASES)('as difflib: $name', ({ a, b, blocks }) => {
    expect(blocksOf(a, b)).toEqual(blocks);
    expect(oracleBlocks(a, b)).toEqual(blocks);
  });

  it('takes elements of any kind', () => {
    expect(matchingBlocks(['the', 'old', 'man'], ['the', 'man'])).toEqual([
      { a: 0, b: 0, length: 1 },
      { a: 2, b: 1, length: 1 },
    ]);
  });

  const sequence = (kinds: number, most: number) =>
    fc.array(fc.integer({ min: 0, max: kinds }), { maxLength: most });
  /** Two hundred or more, with one element that is everywhere. */
  const long = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 90 })), {
    minLength: 190,
    maxLength: 215,
  });

  it('gives blocks that rise, are equal on both sides and do not touch', () => {
    fc.assert(
      fc.property(sequence(4, 40), sequence(4, 40), (a, b) => {
        let [afterA, afterB] = [-1, -1];
        for (const { a: i, b: j, length } of matchingBlocks(a, b)) {
          expect(length).toBeGreaterThan(0);
          expect(a.slice(i, i + length)).toEqual(b.slice(j, j + length));
          expect(i >= afterA && j >= afterB && !(i === afterA && j === afterB)).toBe(true);
          [afterA, afterB] = [i + length, j + length];
        }
        expect(afterA <= a.length && afterB <= b.length).toBe(true);
      }),
    );
  });

  it('gives what a search of every start gives', () => {
    fc.assert(
      fc.property(sequence(4, 30), sequence(4, 30), (a, b) => {
        expect(blocksOf(a, b)).toEqual(oracleBlocks(a, b));
      }),
    );
    fc.assert(
      fc.property(sequence(30, 40), long, (a, b) => {
        expect(blocksOf(a, b)).toEqual(oracleBlocks(a, b));
      }),
      { numRuns: 30 },
    );
  });
});
