/** The baseline without a model: the examples' correct rules vote on the target's options. */
import type { Example } from './select.ts';

/** An example, and the rule that was right for it. */
export interface VotingExample extends Example {
  readonly correctRule: string;
}

export interface OfferedRule {
  /** "(a)" and so on. */
  readonly label: string;
  readonly rule: string;
}

/** The vote of one example. */
export interface CastVote {
  readonly rule: string;
  readonly score: number;
  /** A rule that the target is not offered does not count. */
  readonly offered: boolean;
}

export interface Vote {
  /** The label of the rule that won; null where no example's rule is on offer, which counts as wrong. */
  readonly prediction: string | null;
  /** Of every example, in order of rank. */
  readonly votes: readonly CastVote[];
}

interface Count {
  votes: number;
  score: number;
  readonly firstRank: number;
}

/**
 * The rule with the most votes among those on offer, of several the one whose examples are more similar in sum, then the
 * one that was first. Of a name that is on offer twice the last label is taken, as the original does.
 */
export function ragVote(examples: readonly VotingExample[], options: readonly OfferedRule[]): Vote {
  const labels = new Map(options.map(({ rule, label }) => [rule, label]));
  const votes = examples.map(({ correctRule, score }) => ({
    rule: correctRule,
    score,
    offered: labels.has(correctRule),
  }));
  const counts = new Map<string, Count>();
  votes.forEach(({ rule, score, offered }, rank) => {
    if (!offered) return;
    const count = counts.get(rule) ?? { votes: 0, score: 0, firstRank: rank };
    count.votes += 1;
    count.score += score;
    counts.set(rule, count);
  });
  const [winner] = [...counts].sort(
    ([, a], [, b]) => b.votes - a.votes || b.score - a.score || a.firstRank - b.firstRank,
  );
  return { prediction: winner ? labels.get(winner[0])! : null, votes };
}
