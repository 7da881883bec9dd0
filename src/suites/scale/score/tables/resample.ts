/** Means over rows, and over each draw of their participants: all rows of a participant are drawn together. */
import { type BootstrapSettings, bootstrapRatios } from '../../../../numbers/index.ts';
import type { CountedRow } from '../counted.ts';

/** What a row adds to a column; null where it has no part. */
export type ColumnOf = (row: CountedRow) => number | null;

export interface ColumnMeans {
  /** Null where no row has a part. */
  readonly mean: number | null;
  readonly n: number;
  /** Sum of what rows add; of shares, how many are so. */
  readonly sum: number;
  /** Participants with a part. */
  readonly participants: number;
  /** The mean of each draw; NaN where it has none. Null where there is a single participant, or none. */
  readonly resampled: Float64Array | null;
}

/** A column of means: over which rows, and whether draws are wanted always, or where a participant has several rows alone. */
export interface Column {
  readonly rows: readonly CountedRow[];
  readonly of: ColumnOf;
  readonly draws: 'always' | 'repeated';
}

/**
 * The means of several columns. All come from the same draws of the participants of `rows`, which has the rows of all columns:
 * what columns have in common stays in common.
 */
export async function resampleMeans(
  rows: readonly CountedRow[],
  columns: readonly Column[],
  options: Pick<BootstrapSettings, 'resamples' | 'seed'>,
): Promise<ColumnMeans[]> {
  // By name, so that the order of the rows does not show.
  const names = [...new Set(rows.filter(counts).map(({ participant }) => participant!))].sort();
  const index = new Map(names.map((name, at) => [name, at]));
  const sums = columns.map(({ rows: own, of }) => {
    const numerators = new Float64Array(names.length);
    const denominators = new Float64Array(names.length);
    for (const row of own) {
      const value = counts(row) ? of(row) : null;
      if (value === null) continue;
      const at = index.get(row.participant!)!;
      numerators[at]! += value;
      denominators[at]! += 1;
    }
    return totalOf(numerators, denominators);
  });
  const drawn = sums.filter(
    ({ n, participants }, column) =>
      participants >= 2 && (columns[column]!.draws === 'always' || participants < n),
  );
  const resampled = await draw(drawn, names.length, options);
  return sums.map((own): ColumnMeans => {
    const { n, sum, participants } = own;
    const at = drawn.indexOf(own);
    return { mean: n === 0 ? null : sum / n, n, sum, participants, resampled: resampled[at] ?? null };
  });
}

function counts({ participant, status }: CountedRow): boolean {
  return participant !== null && status === 'scored';
}

/** What the participants add to a column. */
interface Sums {
  readonly numerators: Float64Array;
  readonly denominators: Float64Array;
  readonly sum: number;
  readonly n: number;
  readonly participants: number;
}

function totalOf(numerators: Float64Array, denominators: Float64Array): Sums {
  let [sum, n, participants] = [0, 0, 0];
  for (let at = 0; at < numerators.length; at++) {
    sum += numerators[at]!;
    n += denominators[at]!;
    if (denominators[at]! > 0) participants += 1;
  }
  return { numerators, denominators, sum, n, participants };
}

/** The means of each draw, a column each. */
async function draw(
  columns: readonly Sums[],
  participants: number,
  { resamples, seed }: Pick<BootstrapSettings, 'resamples' | 'seed'>,
): Promise<Float64Array[]> {
  const width = columns.length;
  if (width === 0) return [];
  const [numerators, denominators] = [
    new Float64Array(participants * width),
    new Float64Array(participants * width),
  ];
  for (const [column, own] of columns.entries()) {
    for (let at = 0; at < participants; at++) {
      numerators[at * width + column] = own.numerators[at]!;
      denominators[at * width + column] = own.denominators[at]!;
    }
  }
  const { resampled } = await bootstrapRatios({ numerators, denominators, columns: width, resamples, seed });
  return columns.map((_, column) => {
    const means = new Float64Array(resamples);
    for (let own = 0; own < resamples; own++) means[own] = resampled![own * width + column]!;
    return means;
  });
}
