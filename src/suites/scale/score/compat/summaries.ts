/** The original's tables of errors: by tier, by group and tier, and of bands against bands. */
import { bandNames } from '../../data/index.ts';
import type { Attribute } from '../attributes/index.ts';
import type { CountedRow } from '../counted.ts';
import type { Side } from '../sides.ts';
import { groupings, meanOf, missingName, NO_TIER, present, splitBy, usable } from './rows.ts';
import type { OriginalTable } from './table.ts';

export function summaryTable(rows: readonly CountedRow[], sides: readonly Side[]): OriginalTable {
  const tiers = splitBy(rows, ({ tier }) => tier).filter(([tier]) => tier !== null);
  return {
    columns: [
      ...['tier', 'n_predictions', 'n_with_ground_truth'],
      ...sides.map(({ name }) => `mae_${name}`),
      ...sides.map(({ name }) => `mean_error_${name}`),
      ...sides.flatMap(({ name }) => [
        `exact_acc_${name}`,
        `mean_norm_score_distance_${name}`,
        `band_acc_${name}`,
        `n_band_${name}`,
        `mean_band_distance_${name}`,
        `mean_norm_band_distance_${name}`,
      ]),
    ],
    rows: [['all', rows] as const, ...tiers].map(([tier, own]) => ({
      tier,
      ...errorCells(own, sides),
      ...Object.assign({}, ...sides.map(({ name }, side) => moreCells(own, name, side))),
    })),
  };
}

export function byGroupTable(
  rows: readonly CountedRow[],
  sides: readonly Side[],
  attributes: readonly Attribute[],
): OriginalTable {
  return {
    columns: [
      ...['group_col', 'group_key', 'tier', 'n_predictions', 'n_with_ground_truth'],
      ...sides.map(({ name }) => `mae_${name}`),
      ...sides.map(({ name }) => `mean_error_${name}`),
      ...sides.map(({ name }) => `band_acc_${name}`),
    ],
    rows: groupings(attributes).flatMap(({ attribute, at }) =>
      splitBy(rows, ({ groups }) => groups[at]!).flatMap(([group, ofGroup]) =>
        splitBy(ofGroup, ({ tier }) => tier).map(([tier, own]) => ({
          group_col: attribute.name,
          group_key: group ?? missingName(attribute),
          tier: tier ?? NO_TIER,
          ...errorCells(own, sides),
          ...Object.fromEntries(sides.map(({ name }, side) => [`band_acc_${name}`, bandAccuracy(own, side)])),
        })),
      ),
    ),
  };
}

export function confusionTable(rows: readonly CountedRow[], { subscale }: Side, side: number): OriginalTable {
  const names = bandNames(subscale);
  return {
    columns: ['gt_band', ...names],
    whole: names,
    rows: names.map((truth) => ({
      gt_band: truth,
      ...Object.fromEntries(
        names.map((pred) => {
          const own = rows.filter(({ sides }) => {
            const { truthBand, bandResolved } = sides[side]!;
            return truthBand === truth && bandResolved === pred;
          });
          return [pred, own.length];
        }),
      ),
    })),
  };
}

function errorCells(rows: readonly CountedRow[], sides: readonly Side[]) {
  const own = usable(rows);
  const entries = sides.flatMap(({ name }, side) => [
    [`mae_${name}`, meanOf(own.map((row) => row.sides[side]!.absError!))],
    [`mean_error_${name}`, meanOf(own.map((row) => row.sides[side]!.error!))],
  ]);
  return { n_predictions: rows.length, n_with_ground_truth: own.length, ...Object.fromEntries(entries) };
}

function moreCells(rows: readonly CountedRow[], name: string, side: number) {
  const own = usable(rows).map((row) => row.sides[side]!);
  const distances = present(rows, ({ sides }) => sides[side]!.bandDistance);
  const norm = present(rows, ({ sides }) => sides[side]!.normBandDistance);
  return {
    [`exact_acc_${name}`]: meanOf(own.map(({ exact }) => Number(exact))),
    [`mean_norm_score_distance_${name}`]: meanOf(own.map(({ normScoreDistance }) => normScoreDistance!)),
    [`band_acc_${name}`]: bandAccuracy(rows, side),
    [`n_band_${name}`]: present(rows, ({ sides }) => sides[side]!.bandMatch).length,
    [`mean_band_distance_${name}`]: meanOf(distances),
    [`mean_norm_band_distance_${name}`]: meanOf(norm),
  };
}

function bandAccuracy(rows: readonly CountedRow[], side: number): number | null {
  return meanOf(present(rows, ({ sides }) => sides[side]!.bandMatch).map(Number));
}
