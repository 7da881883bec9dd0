/** How tables are made: intervals, the smallest group, and what changes are measured against. */
import { AuditError } from '../../../../errors.ts';
import { type BootstrapSettings, checkInterval } from '../../../../numbers/index.ts';

export interface TableOptions {
  /** Confidence level of all intervals; 0.95 unless said. */
  readonly level?: number | undefined;
  /** Draws of the bootstrap; as {@link settingsOf} says unless given. */
  readonly resamples?: number | undefined;
  /** Seed of the bootstrap, a whole number; 0 unless said. */
  readonly seed?: number | undefined;
  /** Fewest rows by which a group takes part in gaps and tests; 2 unless said. */
  readonly minGroup?: number | undefined;
  /** Tier that gaps are measured against; the first of the scale that has rows unless said. */
  readonly baseline?: string | undefined;
}

export interface TableSettings extends Readonly<BootstrapSettings> {
  readonly minGroup: number;
  /** Null where there are no tiers. */
  readonly baseline: string | null;
}

const DEFAULT_LEVEL = 0.95;
const DEFAULT_MIN_GROUP = 2;
/** Draws of a participant that a bootstrap is worth: ten thousand resamples of a thousand participants. */
const DRAWS = 1e7;
const RESAMPLES = { most: 10_000, least: 1000 } as const;

/**
 * The options with their defaults: 10,000 resamples, fewer above 1,000 participants (of which each resample says more), 1,000 at
 * least. Throws `bad_argument` for what cannot be, before anything is computed, and for a baseline that no row has.
 */
export function settingsOf(
  { level = DEFAULT_LEVEL, resamples, seed = 0, minGroup = DEFAULT_MIN_GROUP, baseline }: TableOptions,
  participants: number,
  tiers: readonly string[],
): TableSettings {
  const fitting = Math.min(
    RESAMPLES.most,
    Math.max(RESAMPLES.least, Math.floor(DRAWS / Math.max(1, participants))),
  );
  const draws = { level, resamples: resamples ?? fitting, seed };
  checkInterval(draws, 1);
  if (!Number.isSafeInteger(minGroup) || minGroup < 1) {
    throw new AuditError('bad_argument', `the smallest group is ${minGroup}; give a whole number from 1`, {
      minGroup,
    });
  }
  if (baseline !== undefined && !tiers.includes(baseline)) {
    const message = `no row is of the tier "${baseline}"; gaps can be measured against ${tiers.join(', ')}`;
    throw new AuditError('bad_argument', message, { baseline, tiers });
  }
  return { ...draws, minGroup, baseline: baseline ?? tiers[0] ?? null };
}
