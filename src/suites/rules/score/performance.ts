/** The numbers of a run in the shape of performance_*.json: the original's keys, and beside them what was not read. */
import type { IntervalRequest, RunIntervals, Share, ShareIntervals } from './intervals.ts';
import { GROUPING_NAMES, type Grouping, type Tallies, type Tally } from './tally.ts';

type Ends = readonly [low: number, high: number] | null;

function ends(intervals: ShareIntervals | undefined, share: Share): Ends {
  const interval = intervals?.[share];
  return interval ? [interval.low, interval.high] : null;
}

/** Shares of 0 where there is nothing are the original's; there is no file of a run without a pair. */
function accuracies({ pairs, correct }: Tally) {
  const share = (hits: number, threads: number) => (threads === 0 ? 0 : hits / threads);
  return {
    overall_accuracy: share(correct.violating + correct.compliant, 2 * pairs),
    violating_accuracy: share(correct.violating, pairs),
    compliant_accuracy: share(correct.compliant, pairs),
  };
}

function unread({ pairs, unparsed }: Tally, intervals: ShareIntervals | undefined) {
  const count = unparsed.violating + unparsed.compliant;
  return {
    unparsed: count,
    unparsed_rate: pairs === 0 ? 0 : count / (2 * pairs),
    violating_unparsed: unparsed.violating,
    compliant_unparsed: unparsed.compliant,
    overall_accuracy_ci: ends(intervals, 'overall'),
    violating_accuracy_ci: ends(intervals, 'violating'),
    compliant_accuracy_ci: ends(intervals, 'compliant'),
    unparsed_rate_ci: ends(intervals, 'unparsed'),
  };
}

function overallFields(tally: Tally, intervals: ShareIntervals) {
  const { pairs, correct } = tally;
  return {
    total_pairs: pairs,
    total_threads: 2 * pairs,
    ...accuracies(tally),
    violating_correct: correct.violating,
    compliant_correct: correct.compliant,
    total_correct: correct.violating + correct.compliant,
    ...unread(tally, intervals),
  };
}

function groupFields(tally: Tally, intervals: ShareIntervals | undefined) {
  return {
    ...accuracies(tally),
    count: tally.pairs,
    total_threads: 2 * tally.pairs,
    ...unread(tally, intervals),
  };
}

export type GroupPerformance = ReturnType<typeof groupFields>;
export type PerformanceMetrics = {
  readonly overall: ReturnType<typeof overallFields>;
  readonly bootstrap_ci: {
    readonly confidence_level: number;
    readonly n_bootstrap: number;
    readonly method: string;
    readonly seed: number;
  };
} & Readonly<Record<Grouping, Readonly<Record<string, GroupPerformance>>>>;

export function performanceMetrics(
  tallies: Tallies,
  intervals: RunIntervals,
  { level, seed }: IntervalRequest,
): PerformanceMetrics {
  const groups = GROUPING_NAMES.map((grouping) => {
    const own = [...tallies.groups[grouping]].map(
      ([group, tally]) => [group, groupFields(tally, intervals.groups[grouping].get(group))] as const,
    );
    return [grouping, Object.fromEntries(own)] as const;
  });
  return {
    overall: overallFields(tallies.overall, intervals.overall),
    ...(Object.fromEntries(groups) as Record<Grouping, Record<string, GroupPerformance>>),
    bootstrap_ci: {
      confidence_level: level,
      n_bootstrap: intervals.resamples,
      method: 'percentile, pairs drawn with replacement',
      seed,
    },
  };
}
