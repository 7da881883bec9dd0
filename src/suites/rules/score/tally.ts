/** Answers counted: overall, and by what the data cut pairs into. */
import type { PairMetadata } from '../data/pair.ts';
import { THREAD_TYPES, type ThreadType } from '../thread-type.ts';

/** What came of a pair. */
export interface PairOutcome {
  readonly id: string;
  readonly metadata: PairMetadata;
  readonly scores: Readonly<Record<ThreadType, 0 | 1>>;
  /** No answer could be read. */
  readonly unparsed: Readonly<Record<ThreadType, boolean>>;
}

/** The ways in which pairs are cut into groups: the key in result files, and the group of a pair. */
export const GROUPINGS = {
  per_rule_cluster: ({ rule_cluster_label: label }: PairMetadata) => label,
  per_subreddit_cluster: ({ subreddit_cluster_label: label }: PairMetadata) => label,
  per_language: ({ subreddit_language: language }: PairMetadata) => language,
} as const;
export type Grouping = keyof typeof GROUPINGS;
export const GROUPING_NAMES = Object.keys(GROUPINGS) as Grouping[];

export interface Tally {
  readonly pairs: number;
  readonly correct: Readonly<Record<ThreadType, number>>;
  /** Threads without an answer that could be read: they are not right. */
  readonly unparsed: Readonly<Record<ThreadType, number>>;
}

function tallyOf(outcomes: readonly PairOutcome[]): Tally {
  const sum = (of: (outcome: PairOutcome, type: ThreadType) => number) => {
    const count = (type: ThreadType) => outcomes.reduce((total, outcome) => total + of(outcome, type), 0);
    return Object.fromEntries(THREAD_TYPES.map((type) => [type, count(type)])) as Record<ThreadType, number>;
  };
  return {
    pairs: outcomes.length,
    correct: sum(({ scores }, type) => scores[type]),
    unparsed: sum(({ unparsed }, type) => Number(unparsed[type])),
  };
}

export interface Tallies {
  readonly overall: Tally;
  /** By group, in the order in which groups come. */
  readonly groups: Readonly<Record<Grouping, ReadonlyMap<string, Tally>>>;
}

/** The pairs of each group, groups in the order in which they come. */
export function groupPairs(
  outcomes: readonly PairOutcome[],
  grouping: Grouping,
): ReadonlyMap<string, PairOutcome[]> {
  const groups = new Map<string, PairOutcome[]>();
  for (const outcome of outcomes) {
    const group = GROUPINGS[grouping](outcome.metadata);
    const own = groups.get(group);
    if (own) own.push(outcome);
    else groups.set(group, [outcome]);
  }
  return groups;
}

export function tallyPairs(outcomes: readonly PairOutcome[]): Tallies {
  const groups = GROUPING_NAMES.map((grouping) => {
    const tallies = [...groupPairs(outcomes, grouping)].map(([group, own]) => [group, tallyOf(own)] as const);
    return [grouping, new Map(tallies)];
  });
  return { overall: tallyOf(outcomes), groups: Object.fromEntries(groups) };
}
