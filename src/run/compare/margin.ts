/** Whether a difference is small enough to count as none, and whether A is not worse than B by more than a margin. */

import type { MetricDefinition } from '../../contract/index.ts';
import { AuditError } from '../../errors.ts';
import { meanEquivalence, percentileInterval, shareEquivalence } from '../../numbers/index.ts';
import type { Columns } from './effects.ts';

/** A margin in the unit of its metric: of shares points of per cent. Without `metric` it is that of every metric compared. */
export interface Margin {
  readonly metric?: string;
  readonly margin: number;
}

/** Which values of a metric are the better ones. */
export type Better = 'higher' | 'lower';

export interface WithinMargin {
  /** In the unit of the values: of shares 0.05 for 5 points. */
  readonly margin: number;
  /** Of two one-sided tests the larger: that the difference is margin or more, or -margin or less. */
  readonly pEquivalence: number | null;
  /** One-sided, of A being worse than B by the margin or more. */
  readonly pNonInferiority: number | null;
  /** The interval at level 2 level - 1 that belongs to the tests. */
  readonly low: number | null;
  readonly high: number | null;
  /** pEquivalence below 1 - level; null without a test. */
  readonly equivalent: boolean | null;
  readonly nonInferior: boolean | null;
  readonly better: Better;
  readonly reason?: string;
}

interface Tests {
  readonly low: number | null;
  readonly high: number | null;
  /** One-sided, of a difference of -margin or less. */
  readonly above: number | null;
  /** One-sided, of a difference of margin or more. */
  readonly below: number | null;
  readonly reason?: string;
}

function verdict(
  margin: number,
  better: Better,
  level: number,
  { low, high, above, below, reason }: Tests,
): WithinMargin {
  const pEquivalence = above === null || below === null ? null : Math.max(above, below);
  const pNonInferiority = better === 'higher' ? above : below;
  const shown = (p: number | null) => (p === null ? null : p < 1 - level);
  return {
    ...{ margin, better, pEquivalence, pNonInferiority, low, high },
    ...{ equivalent: shown(pEquivalence), nonInferior: shown(pNonInferiority) },
    ...(reason ? { reason } : {}),
  };
}

/** Yes-or-no columns without clusters by Tango's score, all else by Student's t over clusters. */
export function withinMargin(
  columns: Columns,
  isShare: boolean,
  margin: number,
  better: Better,
): WithinMargin {
  const { a, b, ids, clustered, level } = columns;
  const tests = (first: Float64Array, second: Float64Array) => {
    if (!isShare || clustered) return meanEquivalence(first, second, margin, { ...ids, level });
    const only = (one: Float64Array, other: Float64Array) =>
      one.reduce((sum, hit, row) => sum + Number(hit > other[row]!), 0);
    return shareEquivalence(only(first, second), only(second, first), first.length, margin, { level });
  };
  const { low, high, pNonInferiority: above, reason } = tests(a, b);
  const { pNonInferiority: below } = tests(b, a);
  return verdict(margin, better, level, { low, high, above, below, ...(reason ? { reason } : {}) });
}

/** Of draws of the difference: the share of them beyond a margin, the data themselves counted as one draw. */
export async function drawsWithinMargin(
  draws: Float64Array | null,
  margin: number,
  better: Better,
  level: number,
): Promise<WithinMargin> {
  const none = { low: null, high: null, above: null, below: null };
  if (!draws) return verdict(margin, better, level, { ...none, reason: 'no resamples to test with' });
  const { ci, reason } = await percentileInterval(draws, { level: Math.max(2 * level - 1, 0.01) });
  if (!ci) return verdict(margin, better, level, { ...none, ...(reason ? { reason } : {}) });
  const there = draws.filter((draw) => !Number.isNaN(draw));
  const beyond = (sign: 1 | -1) =>
    (1 + there.reduce((count, draw) => count + Number(sign * draw >= margin), 0)) / (1 + there.length);
  return verdict(margin, better, level, { low: ci.low, high: ci.high, above: beyond(-1), below: beyond(1) });
}

const PERCENT = 100;
const inPoints = ({ shown = 'number' }: MetricDefinition) => shown !== 'number';

/** Metrics of one unit can share a margin. */
const unitOf = (metric: MetricDefinition) =>
  inPoints(metric) ? 'points of per cent' : `numbers in [${metric.range?.join(', ') ?? ''}]`;

/**
 * The margin of each metric, in the unit of its values. Throws `bad_argument` for one that is not above 0, for a metric that is not compared,
 * and for one margin of metrics in several units.
 */
export function marginsOf(
  margins: readonly Margin[],
  metrics: readonly MetricDefinition[],
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { metric: name, margin } of margins) {
    const own = name === undefined ? metrics : metrics.filter((metric) => metric.name === name);
    if (own.length === 0) {
      const known = metrics.map((metric) => metric.name).join(', ');
      throw new AuditError(
        'bad_argument',
        `a margin for "${name}", which is not compared; compared are ${known}`,
        {
          metric: name,
        },
      );
    }
    const units = new Map(own.map((metric) => [unitOf(metric), metric.name]));
    if (units.size > 1) {
      const named = [...units].map(([unit, one]) => `${one} (${unit})`).join(', ');
      throw new AuditError(
        'bad_argument',
        `a margin of ${margin} for metrics in several units: ${named}; give one a metric, as NAME=${margin}, or choose metrics with --metrics`,
        { margin },
      );
    }
    for (const metric of own) {
      const value = inPoints(metric) ? margin / PERCENT : margin;
      if (!(value > 0 && Number.isFinite(value)) || (inPoints(metric) && value >= 1)) {
        const most = inPoints(metric) ? ' and below 100 points' : '';
        throw new AuditError(
          'bad_argument',
          `a margin of ${margin} for ${metric.name}; give one above 0${most}`,
          {
            margin,
          },
        );
      }
      // A margin of a metric's own stands, wherever the common one was given.
      if (name !== undefined || !margins.some((other) => other.metric === metric.name))
        found.set(metric.name, value);
    }
  }
  return found;
}
