/**
 * The rule of the reference project (docs/suites.md): the first token of a continuation is left out of its sum, so a
 * continuation of one token has 0; "a" only where it is strictly likelier.
 */

import type { Fields } from '../../contract/metric.ts';
import type { MetricFigures } from '../../contract/suite.ts';
import type { ObservedRequest } from '../../observation/observed.ts';
import { type Verdict, verdictOf } from '../shared/referent/candidates.ts';

/** Log-probability of each continuation without its first token. */
export function referenceLogProbs({ targets }: ObservedRequest): [number, number] {
  const sum = (side: number) =>
    targets
      .filter((target) => target.side === side)
      .slice(1)
      .reduce((total, { logProb }) => total + logProb, 0);
  return [sum(0), sum(1)];
}

/** A tie goes to the second; that it was one is still reported. */
export function referenceVerdict(
  logProbs: readonly [number, number],
  names: readonly [string, string],
  gold: string,
): Verdict {
  const verdict = verdictOf(logProbs, names, gold);
  if (!verdict.tie) return verdict;
  return { ...verdict, pred: names[1], correct: gold === names[1] };
}

/** Of the normal distribution, two-sided 95 %, as the reference rounds it. */
const Z = 1.96;

export function referenceOfWino(metrics: ReadonlyMap<string, MetricFigures>): Fields {
  const { value, n } = metrics.get('accuracy.all')!;
  const acc = value ?? 0;
  return { count: n, acc, acc_ci95: n === 0 ? 0 : Z * Math.sqrt((acc * (1 - acc)) / n) };
}
