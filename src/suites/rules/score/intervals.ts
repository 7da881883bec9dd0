/**
 * Percentile intervals of a bootstrap over pairs. All runs that are looked at together, and all groups of each, are measured
 * on the same draws of the same pairs.
 */
import type { Interval } from '../../../numbers/estimate.ts';
import { type BootstrapSettings, bootstrapGroups } from '../../../numbers/index.ts';
import { GROUPING_NAMES, GROUPINGS, type Grouping, type PairOutcome } from './tally.ts';

/** What an interval is of, in the order of the columns. */
export const SHARES = ['overall', 'violating', 'compliant', 'unparsed'] as const;
export type Share = (typeof SHARES)[number];

export interface DrawnInterval extends Interval {
  /** Resamples in which no pair of the group was drawn; the interval rests on the others. */
  readonly missing: number;
}
/** Null where no resample has the group. */
export type ShareIntervals = Readonly<Record<Share, DrawnInterval | null>>;

export interface RunIntervals {
  readonly overall: ShareIntervals;
  readonly groups: Readonly<Record<Grouping, ReadonlyMap<string, ShareIntervals>>>;
  readonly resamples: number;
}

export interface IntervalRequest extends Readonly<BootstrapSettings> {
  /** Pairs drawn by each resample, by their place in the order, instead of random ones. */
  readonly draws?: Uint32Array;
}

export const DEFAULT_INTERVALS: IntervalRequest = { resamples: 100_000, seed: 42, level: 0.95 };

const NO_GROUP = 2 ** 32 - 1;

/** The pairs of all runs, each once, in the order in which they come. */
export function pairOrder(runs: readonly (readonly PairOutcome[])[]): string[] {
  return [...new Set(runs.flatMap((run) => run.map(({ id }) => id)))];
}

/** `order` are the pairs that are drawn from; one that the run lacks has no part in its numbers. */
export async function runIntervals(
  outcomes: readonly PairOutcome[],
  order: readonly string[],
  { resamples, seed, level, draws }: IntervalRequest,
): Promise<RunIntervals> {
  const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  const rows = order.map((id) => byId.get(id) ?? null);
  const numerators = Float64Array.from(rows.flatMap(partsAbove));
  const denominators = Float64Array.from(rows.flatMap((row) => (row === null ? [0, 0, 0, 0] : [2, 1, 1, 2])));
  // Every pair is in one group of each grouping, and in the whole.
  const groupings = [() => '', ...GROUPING_NAMES.map((name) => groupOf(name))];
  const numbers = groupings.map(() => new Map<string, number>());
  let groups = 0;
  const group = Uint32Array.from(
    rows.flatMap((row) =>
      groupings.map((groupOf, at) => {
        if (row === null) return NO_GROUP;
        const [name, byName] = [groupOf(row), numbers[at]!];
        if (!byName.has(name)) byName.set(name, groups++);
        return byName.get(name)!;
      }),
    ),
  );
  const found = await bootstrapGroups({
    numerators,
    denominators,
    columns: SHARES.length,
    group,
    memberships: groupings.length,
    groups,
    resamples,
    seed,
    level,
    ...(draws ? { draws } : {}),
  });
  const cellsOf = (number: number): ShareIntervals => {
    const shares = SHARES.map((share, column) => [share, cellAt(found, number * SHARES.length + column)]);
    return Object.fromEntries(shares);
  };
  const [whole, ...parts] = numbers.map(
    (byName) => new Map([...byName].map(([name, number]) => [name, cellsOf(number)])),
  );
  return {
    overall: whole!.get('')!,
    groups: Object.fromEntries(
      GROUPING_NAMES.map((name, at) => [name, parts[at]!]),
    ) as unknown as RunIntervals['groups'],
    resamples: found.resamples,
  };
}

function groupOf(grouping: Grouping): (outcome: PairOutcome) => string {
  return ({ metadata }) => GROUPINGS[grouping](metadata);
}

function partsAbove(row: PairOutcome | null): number[] {
  if (row === null) return [0, 0, 0, 0];
  const { scores, unparsed } = row;
  return [
    scores.violating + scores.compliant,
    scores.violating,
    scores.compliant,
    Number(unparsed.violating) + Number(unparsed.compliant),
  ];
}

interface Cells {
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly missing: Uint32Array;
}

function cellAt({ low, high, missing }: Cells, at: number): DrawnInterval | null {
  return Number.isNaN(low[at]!) ? null : { low: low[at]!, high: high[at]!, missing: missing[at]! };
}
