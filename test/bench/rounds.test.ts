/** Contenders that take turns: the order, the ratios, and a contender that fails. */
import { describe, expect, it } from 'vitest';
import { alternate, ratio, seconds } from '../../bench/engine/rounds.ts';

describe('contenders that take turns', () => {
  it('run once a round, every other round backwards', async () => {
    const order: string[] = [];
    const contender = (name: string) => async () => {
      order.push(name);
    };
    const rounds = await alternate({ a: contender('a'), b: contender('b'), c: contender('c') }, 3);
    expect(order.join('')).toBe('abc' + 'cba' + 'abc');
    expect(rounds.length).toBe(3);
    for (const round of rounds) {
      expect(Object.keys(round)).toEqual(['a', 'b', 'c']);
      for (const time of Object.values(round)) expect(time).toBeGreaterThan(0);
    }
  });

  it('are compared within their rounds, not across them', () => {
    const rounds = [
      { slow: 2, fast: 1 },
      { slow: 30, fast: 10 },
      { slow: 400, fast: 100 },
    ];
    expect(ratio(rounds, 'slow', 'fast')).toEqual({ low: 2.5, median: 3, high: 3.5 });
    expect(seconds(rounds, 'fast')).toEqual({ low: 5.5, median: 10, high: 55 });
  });

  it('fail with what a contender throws', async () => {
    const broken = async () => {
      throw new Error('no memory');
    };
    await expect(alternate({ broken }, 1)).rejects.toThrow('no memory');
  });
});
