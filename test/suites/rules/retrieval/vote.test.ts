/** The vote of examples, and halves read back. */
import { describe, expect, it } from 'vitest';
import { fromHalves } from '../../../../src/files/half.ts';
import { ragVote } from '../../../../src/suites/rules/retrieval/store/index.ts';

const OPTIONS = ['one', 'two', 'three'].map((rule, i) => ({ label: `(${'abc'[i]})`, rule }));

function vote(...examples: (readonly [rule: string, score: number])[]) {
  const voting = examples.map(([correctRule, score], i) => ({ key: `${i}`, correctRule, score }));
  return ragVote(voting, OPTIONS);
}

describe('the vote', () => {
  it('goes by number, then by similarity, then by rank', () => {
    expect(vote(['one', 0.9], ['two', 0.1], ['two', 0.1]).prediction).toBe('(b)');
    expect(vote(['one', 0.1], ['two', 0.9]).prediction).toBe('(b)');
    expect(vote(['one', 0.6], ['two', 0.5], ['two', 0.2], ['one', 0.2]).prediction).toBe('(a)');
    expect(vote(['three', 0], ['two', 0], ['one', 0]).prediction).toBe('(c)');
    expect(vote(['one', -0.5], ['two', -0.25]).prediction).toBe('(b)');
  });

  it('leaves rules out that are not on offer, and is none where nothing is', () => {
    const { prediction, votes } = vote(['other', 0.9], ['other', 0.8], ['three', 0.1]);
    expect(prediction).toBe('(c)');
    expect(votes.map(({ offered }) => offered)).toEqual([false, false, true]);
    expect(vote(['other', 1]).prediction).toBeNull();
    expect(vote()).toEqual({ prediction: null, votes: [] });
  });

  it('takes the last label of a name that is on offer twice', () => {
    const options = [...OPTIONS, { label: '(d)', rule: 'one' }];
    expect(ragVote([{ key: 'x', correctRule: 'one', score: 1 }], options).prediction).toBe('(d)');
  });
});

describe('half precision', () => {
  it.each([
    [0x0000, 0],
    [0x3c00, 1],
    [0xc000, -2],
    [0x3555, 0.333251953125],
    [0x7bff, 65504],
    [0x0400, 2 ** -14],
    [0x0001, 2 ** -24],
    [0x83ff, -1023 * 2 ** -24],
    [0x7c00, Number.POSITIVE_INFINITY],
  ])('0x%s is %s', (bits, value) => {
    expect(fromHalves(Uint16Array.of(bits, 0, bits))).toEqual(Float32Array.of(value, 0, value));
  });

  it('knows NaN and the negative zero', () => {
    const [nan, zero] = fromHalves(Uint16Array.of(0x7e00, 0x8000));
    expect([Number.isNaN(nan), Object.is(zero, -0)]).toEqual([true, true]);
  });
});
