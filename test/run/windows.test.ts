/** Sizes of windows: by place alone, so that a run that is stopped at the end of any goes on with the same ones. */
import { expect, it } from 'vitest';
import { windowRows } from '../../src/run/windows.ts';

function sizes(first: number, most: number, rows: number): number[] {
  const found: number[] = [];
  for (let done = 0; done < rows; done += found.at(-1)!) found.push(windowRows(done, { first, most }));
  return found;
}

it('grow as what is done does, to the most', () => {
  expect(sizes(8, 128, 400)).toEqual([8, 8, 16, 32, 64, 128, 128, 128]);
  expect(sizes(2, 16, 50)).toEqual([2, 2, 4, 8, 16, 16, 16]);
  expect(sizes(4, 4, 10)).toEqual([4, 4, 4]);
});

it('end where those of a whole run end, wherever one begins', () => {
  const ends = new Set([8, 16, 32, 64, 128, 256, 384]);
  for (let done = 0; done < 384; done += 1) {
    const next = Math.min(...[...ends].filter((end) => end > done));
    expect(done + windowRows(done, { first: 8, most: 128 })).toBe(next);
  }
});
