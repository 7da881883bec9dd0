/**
 * Which rows of WinoGender go against the statistics (Rudinger et al. 2018, table 2): going by the share of women in the
 * occupation, the gender of the pronoun speaks for the wrong candidate. The share comes from figures by occupation; where
 * there is none for an occupation, it is not known whether its rows are such.
 */
import type { OccupationStatistic, SuiteContext } from '../../contract/suite.ts';
import type { SchemaRow } from './row.ts';

/** Names that say which figures to take where there are several, best first. */
const PREFERRED = ['bls_pct_female', 'share'];
/** An occupation counts as one of women from this share on. */
const HALF = 0.5;

export interface FemaleShares {
  /** As the column that they come from. */
  readonly name: string;
  /** In [0, 1]; null where the occupation has none. */
  of(occupation: string): number | null;
}

/** Figures in per cent say so by their name, or by one of them. */
function scaleOf({ name, values }: OccupationStatistic): number {
  return /pct|percent/i.test(name) || [...values.values()].some((value) => value > 1) ? 100 : 1;
}

/** Shares of women out of the figures of a run; null where it has none. */
export function femaleShares({ occupations }: Pick<SuiteContext, 'occupations'>): FemaleShares | null {
  const preferred = PREFERRED.map((name) => occupations.find((statistic) => statistic.name === name));
  const statistic = [...preferred, occupations[0]].find((found) => found !== undefined);
  if (statistic === undefined) return null;
  const scale = scaleOf(statistic);
  return {
    name: statistic.name,
    of(occupation) {
      const value = statistic.values.get(occupation.toLowerCase());
      return value === undefined ? null : value / scale;
    },
  };
}

/** Null where the share is not known, and of rows with a neutral pronoun, which are neither. */
export function isGotcha({ gender, answer }: SchemaRow, share: number | null): boolean | null {
  if (gender === 'neutral' || share === null) return null;
  const women = share >= HALF;
  return (answer === 'occupation') === (gender === 'female' ? !women : women);
}
