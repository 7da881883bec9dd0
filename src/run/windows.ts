/**
 * How many rows are asked at a time. The first windows are small, so that a run that is stopped early has kept something; each
 * is as large as all before it, until the engine has as much at a time as it makes use of. Sizes depend on the place alone and
 * never on time: what is decoded together may differ in the last digits (docs/design/resume.md).
 */
import type { WindowSizes } from '../contract/index.ts';

/** Rows of the window that begins behind `done` rows. */
export function windowRows(done: number, { first, most }: WindowSizes): number {
  if (done >= most) return most - (done % most);
  let end = first;
  while (end <= done) end *= 2;
  return end - done;
}

/** How rows are cut into windows. */
export interface Cut<Row> {
  readonly sizes: WindowSizes;
  /** It is asked no more. */
  isDone(row: Row, at: number): boolean;
  /** No window holds rows of two rounds. */
  roundOf(row: Row): number;
  /** Sizes begin with the first row that is not done, and not with the first of its round. */
  readonly anew: boolean;
}

/** The rows that are not done, a window at a time. */
export async function* rowWindows<Row>(
  rows: AsyncIterable<Row>,
  { sizes, isDone, roundOf, anew }: Cut<Row>,
): AsyncGenerator<{ readonly round: number; readonly rows: Row[] }, void, undefined> {
  let at = 0;
  // Rows of its round in front of the window.
  let front = 0;
  let window: { readonly round: number; readonly rows: Row[] } | null = null;
  for await (const row of rows) {
    const done = isDone(row, at++);
    const round = roundOf(row);
    if (window !== null && window.round !== round) {
      if (window.rows.length > 0) yield window;
      [window, front] = [null, 0];
    }
    window ??= { round, rows: [] };
    if (!done) window.rows.push(row);
    else if (!anew) front += 1;
    if (window.rows.length < windowRows(front, sizes)) continue;
    yield window;
    front += window.rows.length;
    window = { round, rows: [] };
  }
  if (window !== null && window.rows.length > 0) yield window;
}
