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
