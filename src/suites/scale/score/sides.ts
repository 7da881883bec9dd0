/** The subscales of which models were asked, each with the names of the columns that speak of it. */

import { askedSubscales, type Scale, type Subscale } from '../data/index.ts';

/** A subscale as one side of every table. */
export interface Side {
  readonly name: string;
  readonly subscale: Subscale;
  /** Columns of predictions: `pred_group_ca`, `pred_group_band`. */
  readonly pred: string;
  readonly predBand: string;
  /** Columns of the participants' scores: `gt_group_ca`, `gt_group_band`. */
  readonly truth: string;
  readonly truthBand: string;
}

/** The sides of a scale, in its order: those `asked`, or those that the scale says. Throws as `askedSubscales`. */
export function sidesOf(scale: Scale, asked?: readonly string[]): Side[] {
  return askedSubscales(scale, asked).map((subscale) => {
    const { name } = subscale;
    return {
      name,
      subscale,
      pred: `pred_${name}_${scale.construct}`,
      predBand: `pred_${name}_band`,
      truth: `gt_${name}_${scale.construct}`,
      truthBand: `gt_${name}_band`,
    };
  });
}

/** The part of a scale's range that one step is: highest - lowest score. */
export function rangeOf({ subscale }: Side): number {
  return subscale.max - subscale.min;
}

/** What is compared: a scale, the sides of it that models were asked for, and its tiers. */
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
