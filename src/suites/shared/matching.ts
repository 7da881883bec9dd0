/**
 * The longest common blocks of two sequences, as Python's difflib finds them (Ratcliff and Obershelp's "gestalt pattern
 * matching"): the longest run that both share, then the same on either side of it. The published CrowS-Pairs metric
 * rests on these blocks, so the rule has to be the same one, its heuristic for long sequences included: an element that
 * makes up more than 1 % (and one) of a second sequence of 200 or more is not looked for, only grown into.
 */
export interface Block {
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

const POPULAR_FROM = 200;

/** Blocks in order; none is empty, and no two touch on both sides. */
export function matchingBlocks<T>(a: readonly T[], b: readonly T[]): Block[] {
  const places = placesOf(b);
  const blocks: Block[] = [];
  const pending = [{ aLow: 0, aHigh: a.length, bLow: 0, bHigh: b.length }];
  for (let range = pending.pop(); range !== undefined; range = pending.pop()) {
    const block = longestMatch(a, b, places, range);
    if (block.length === 0) continue;
    blocks.push(block);
    const { aLow, aHigh, bLow, bHigh } = range;
    pending.push({ aLow, aHigh: block.a, bLow, bHigh: block.b });
    pending.push({ aLow: block.a + block.length, aHigh, bLow: block.b + block.length, bHigh });
  }
  return joined(blocks.sort((first, second) => first.a - second.a));
}

/** Where each element of b stands, but for popular ones. */
function placesOf<T>(b: readonly T[]): Map<T, number[]> {
  const places = new Map<T, number[]>();
  b.forEach((element, at) => {
    const known = places.get(element);
    if (known) known.push(at);
    else places.set(element, [at]);
  });
  if (b.length < POPULAR_FROM) return places;
  const most = Math.floor(b.length / 100) + 1;
  for (const [element, at] of places) if (at.length > most) places.delete(element);
  return places;
}

interface Range {
  readonly aLow: number;
  readonly aHigh: number;
  readonly bLow: number;
  readonly bHigh: number;
}

/** The longest block in the range; of equally long ones the first in a, then in b. */
function longestMatch<T>(
  a: readonly T[],
  b: readonly T[],
  places: ReadonlyMap<T, readonly number[]>,
  { aLow, aHigh, bLow, bHigh }: Range,
): Block {
  let best = { a: aLow, b: bLow, length: 0 };
  // Length of the run that ends at each place of b with the element of a before this one.
  let lengths = new Map<number, number>();
  for (let i = aLow; i < aHigh; i += 1) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i]!) ?? []) {
      if (j < bLow) continue;
      if (j >= bHigh) break;
      const length = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, length);
      if (length > best.length) best = { a: i - length + 1, b: j - length + 1, length };
    }
    lengths = next;
  }
  let { a: start, b: startB, length } = best;
  while (start > aLow && startB > bLow && a[start - 1] === b[startB - 1]) {
    start -= 1;
    startB -= 1;
    length += 1;
  }
  while (start + length < aHigh && startB + length < bHigh && a[start + length] === b[startB + length])
    length += 1;
  return { a: start, b: startB, length };
}

function joined(blocks: readonly Block[]): Block[] {
  const all: Block[] = [];
  for (const block of blocks) {
    const last = all.at(-1);
    if (last && last.a + last.length === block.a && last.b + last.length === block.b) {
      all[all.length - 1] = { ...last, length: last.length + block.length };
    } else all.push(block);
  }
  return all;
}
