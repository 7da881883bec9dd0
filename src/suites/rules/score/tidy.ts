/** The numbers of runs as a tidy table: one row a run, group and share, with its interval or why there is none. */
import { ends } from '../../../numbers/estimate.ts';
import type { Row } from '../../../report/index.ts';
import { type DrawnInterval, type RunIntervals, SHARES, type Share } from './intervals.ts';
import { GROUPING_NAMES, type Tallies, type Tally } from './tally.ts';

export const TIDY_COLUMNS = [
  'run',
  'grouping',
  'group',
  'metric',
  'value',
  'ciLow',
  'ciHigh',
  'hits',
  'n',
  'pairs',
  'unparsed',
  'reason',
] as const;

/** Beyond, so few pairs make a group that its resamples say little: the rule of `percentileInterval`. */
const MOST_MISSING = 0.01;

function hitsOf({ correct, unparsed }: Tally, share: Share): number {
  if (share === 'overall') return correct.violating + correct.compliant;
  return share === 'unparsed' ? unparsed.violating + unparsed.compliant : correct[share];
}

function unreadOf({ unparsed }: Tally, share: Share): number {
  return share === 'violating' || share === 'compliant'
    ? unparsed[share]
    : unparsed.violating + unparsed.compliant;
}

function withheld(interval: DrawnInterval | null, pairs: number, resamples: number): string | null {
  if (pairs < 2 || interval === null) return 'only 1 pair';
  const { low, high, missing } = interval;
  if (missing > MOST_MISSING * resamples)
    return `${missing} of ${resamples} resamples have no pair of the group`;
  return low === high ? 'every resample gives the same value' : null;
}

export function tidyRows(run: string, tallies: Tallies, intervals: RunIntervals): Row[] {
  const groups = GROUPING_NAMES.flatMap((grouping) =>
    [...tallies.groups[grouping]].map(
      ([group, tally]) => ({ grouping, group, tally, own: intervals.groups[grouping].get(group) }) as const,
    ),
  );
  const whole = { grouping: 'overall', group: null, tally: tallies.overall, own: intervals.overall };
  return [whole, ...groups].flatMap(({ grouping, group, tally, own }) =>
    SHARES.map((share): Row => {
      const n = tally.pairs * (share === 'violating' || share === 'compliant' ? 1 : 2);
      const hits = hitsOf(tally, share);
      const interval = own?.[share] ?? null;
      const reason = withheld(interval, tally.pairs, intervals.resamples);
      return {
        run,
        grouping,
        group,
        metric: share === 'unparsed' ? 'unparsed' : `${share}_accuracy`,
        value: n === 0 ? null : hits / n,
        ...ends(reason === null ? interval : null, 'ciLow', 'ciHigh'),
        hits,
        n,
        pairs: tally.pairs,
        unparsed: unreadOf(tally, share),
        reason,
      };
    }),
  );
}
