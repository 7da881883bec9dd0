/** What commands print of an endpoint: what was asked of it, and what it cost. */
import type { Usage } from '../../model/index.ts';
import { formatCount } from '../../report/index.ts';

/** Sums of prices have digits that say nothing. */
const COST_DIGITS = 9;
const MOST_NOTES = 5;

/** What was asked of an endpoint and what it cost. */
export function usageLines(usage: Usage | null): string[] {
  if (!usage) return [];
  const tokens = (count: number | null) => (count === null ? 'not reported' : formatCount(count));
  const tally = (what: string, { requests, inputTokens, outputTokens, cost }: Usage['asked']) =>
    `${formatCount(requests)} answers ${what}; tokens: ${tokens(inputTokens)} in, ${tokens(outputTokens)} out; cost: ${cost === null ? 'not known (--prices)' : Number(cost.toPrecision(COST_DIGITS))}`;
  const { asked, reused, notes = {} } = usage;
  const noted = Object.entries(notes).sort(([, a], [, b]) => b - a);
  return [
    tally('from the endpoint', asked),
    ...(reused.requests > 0 ? [tally('that were there already, not asked again', reused)] : []),
    ...noted.slice(0, MOST_NOTES).map(([note, count]) => `note on ${formatCount(count)} answers: ${note}`),
    ...(noted.length > MOST_NOTES ? [`${noted.length - MOST_NOTES} more notes are in manifest.json`] : []),
  ];
}
