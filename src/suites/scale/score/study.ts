/** What is compared: a scale, the sides of it that models were asked for, and its tiers. */
import type { Scale } from '../data/index.ts';
import { type Side, sidesOf } from './sides.ts';

export interface Study {
  readonly scale: Scale;
  readonly sides: readonly Side[];
  /** Names of the scale's tiers, in its order. */
  readonly tiers: readonly string[];
}

/** Throws `bad_argument` for a name in `subscales` that is no subscale of the scale. */
export function studyOf(scale: Scale, subscales?: readonly string[]): Study {
  return { scale, sides: sidesOf(scale, subscales), tiers: scale.tiers.map(({ name }) => name) };
}
