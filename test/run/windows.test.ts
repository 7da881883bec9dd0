/** Sizes of windows: by place alone, so that a run that is stopped at the end of any goes on with the same ones. */
import { describe, expect, it } from 'vitest';
import { rowWindows, windowRows } from '../../src/run/windows.ts';

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

describe('rows in windows', () => {
  const ROUNDS = [...Array(11).fill(0), ...Array(3).fill(1), ...Array(9).fill(2)];

  async function cut(done: (at: number) => boolean, anew = false) {
    const rows = (async function* () {
      yield* ROUNDS.keys();
    })();
    const windows = rowWindows(rows, {
      sizes: { first: 2, most: 8 },
      isDone: (_, at) => done(at),
      roundOf: (at) => ROUNDS[at],
      anew,
    });
    const found: (readonly [round: number, rows: readonly number[]])[] = [];
    for await (const { round, rows } of windows) found.push([round, rows]);
    return found;
  }
  const lengths = (found: Awaited<ReturnType<typeof cut>>) =>
    found.map(([round, rows]) => [round, rows.length]);

  it('never hold two rounds, and sizes begin anew with each', async () => {
    const found = await cut(() => false);
    expect(found.flatMap(([, rows]) => rows)).toEqual([...ROUNDS.keys()]);
    expect(lengths(found)).toEqual([
      ...[2, 2, 4, 3].map((length) => [0, length]),
      ...[2, 1].map((length) => [1, length]),
      ...[2, 2, 4, 1].map((length) => [2, length]),
    ]);
  });

  it('behind any whole window are those of a run without a stop', async () => {
    const whole = await cut(() => false);
    for (let kept = 0; kept <= whole.length; kept += 1) {
      const done = whole.slice(0, kept).flatMap(([, rows]) => rows).length;
      expect(await cut((at) => at < done)).toEqual(whole.slice(kept));
    }
  });

  it('begin anew with a process where rows are the same in any company', async () => {
    const found = await cut((at) => at < 4 || at % 2 === 1, true);
    expect(found).toEqual([
      [0, [4, 6]],
      [0, [8, 10]],
      [1, [12]],
      [2, [14, 16]],
      [2, [18, 20]],
      [2, [22]],
    ]);
  });
});
