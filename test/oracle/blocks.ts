/**
 * The oracle's matching blocks, by the words of Python's documentation of difflib: the longest common run, of equally long
 * ones the earliest in a and then in b, and the same left and right of it. In a b of 200 or more, elements that make up
 * more than 1 % of it (and one) start no run; a run found without them is then grown over whatever is equal beside it.
 * Every pair of starts is tried: cubic and plain on purpose.
 */
export type OracleBlock = readonly [a: number, b: number, length: number];

export function oracleBlocks(a: readonly number[], b: readonly number[]): OracleBlock[] {
  const often = (value: number) => b.filter((other) => other === value).length;
  const junk = new Set(
    b.length >= 200 ? b.filter((value) => often(value) > 1 + Math.floor(b.length / 100)) : [],
  );
  const found = within(a, b, junk, [0, a.length], [0, b.length]);
  const blocks: OracleBlock[] = [];
  for (const [i, j, length] of found) {
    const [i0, j0, before] = blocks.at(-1) ?? [-1, -1, 0];
    if (i0 + before === i && j0 + before === j) blocks.splice(-1, 1, [i0, j0, before + length]);
    else blocks.push([i, j, length]);
  }
  return blocks;
}

type Span = readonly [from: number, to: number];

function within(
  a: readonly number[],
  b: readonly number[],
  junk: ReadonlySet<number>,
  [aFrom, aTo]: Span,
  [bFrom, bTo]: Span,
): OracleBlock[] {
  let [i, j, length] = [aFrom, bFrom, 0];
  for (let p = aFrom; p < aTo; p += 1) {
    for (let q = bFrom; q < bTo; q += 1) {
      let run = 0;
      while (p + run < aTo && q + run < bTo && a[p + run] === b[q + run] && !junk.has(b[q + run]!)) run += 1;
      if (run > length) [i, j, length] = [p, q, run];
    }
  }
  while (i > aFrom && j > bFrom && a[i - 1] === b[j - 1]) [i, j, length] = [i - 1, j - 1, length + 1];
  while (i + length < aTo && j + length < bTo && a[i + length] === b[j + length]) length += 1;
  if (length === 0) return [];
  return [
    ...within(a, b, junk, [aFrom, i], [bFrom, j]),
    [i, j, length],
    ...within(a, b, junk, [i + length, aTo], [j + length, bTo]),
  ];
}
