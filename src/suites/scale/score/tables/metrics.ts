/** The numbers of a table's cell, as data: what each takes of a row, and what it makes of the mean of that. */
import type { CountedRow, CountedSide } from '../counted.ts';
import { rangeOf, type Side } from '../sides.ts';
import type { Column } from './resample.ts';

export interface Metric {
  readonly key: string;
  /** Of a subscale, or `all` of them together. */
  readonly subscale: string;
  /** `mean`: of numbers, with a bootstrap; `share`: of rows that are so. */
  readonly kind: 'mean' | 'share';
  /** What a row adds; null where it has no part. A share's are 0 and 1. */
  readonly of: (row: CountedRow) => number | null;
  /** What is shown instead of the mean. It must rise or fall all the way. */
  readonly shown?: (mean: number) => number;
  /** Do tables by group have it too? */
  readonly byGroup: boolean;
}

/** All subscales together. */
export const ALL_SUBSCALES = 'all';

interface SideMetric extends Omit<Metric, 'subscale' | 'of'> {
  readonly of: (side: CountedSide) => number | null;
}

const flag = (value: boolean | null) => (value === null ? null : Number(value));

/** Of each subscale. Its score distance is the absolute error, so that its mean is `mae`. */
const SIDE_METRICS: readonly SideMetric[] = [
  { key: 'mae', kind: 'mean', of: ({ absError }) => absError, byGroup: true },
  {
    key: 'rmse',
    kind: 'mean',
    of: ({ error }) => (error === null ? null : error * error),
    shown: Math.sqrt,
    byGroup: false,
  },
  { key: 'mean_error', kind: 'mean', of: ({ error }) => error, byGroup: true },
  { key: 'exact_acc', kind: 'share', of: ({ exact }) => flag(exact), byGroup: true },
  {
    key: 'mean_norm_score_distance',
    kind: 'mean',
    of: ({ normScoreDistance }) => normScoreDistance,
    byGroup: false,
  },
  { key: 'band_acc', kind: 'share', of: ({ bandMatch }) => flag(bandMatch), byGroup: true },
  { key: 'mean_band_distance', kind: 'mean', of: ({ bandDistance }) => bandDistance, byGroup: false },
  {
    key: 'mean_norm_band_distance',
    kind: 'mean',
    of: ({ normBandDistance }) => normBandDistance,
    byGroup: false,
  },
];

/** The metrics of these sides: those of each, and those of all together, over rows that have all. */
export function metricsOf(sides: readonly Side[]): Metric[] {
  const ofSides = sides.flatMap(({ name }, side) =>
    SIDE_METRICS.map(
      ({ of, ...metric }): Metric => ({ ...metric, subscale: name, of: (row) => of(row.sides[side]!) }),
    ),
  );
  const meanOver = (of: (absError: number, range: number) => number) => (row: CountedRow) => {
    let sum = 0;
    for (const [index, { absError }] of row.sides.entries()) {
      if (absError === null) return null;
      sum += of(absError, rangeOf(sides[index]!));
    }
    return sum / sides.length;
  };
  const shared = { subscale: ALL_SUBSCALES, kind: 'mean', byGroup: false } as const;
  return [
    ...ofSides,
    { ...shared, key: 'mae_mean', of: meanOver((absError) => absError) },
    {
      ...shared,
      key: 'inverse_mae_mean',
      of: meanOver((absError, range) => absError / range),
      shown: (mean) => 1 - Math.min(1, mean),
    },
  ];
}

/** The column that a metric is made of: a share of rows that are independent needs no draws. */
export function metricColumn({ of, kind }: Pick<Metric, 'of' | 'kind'>, rows: readonly CountedRow[]): Column {
  return { rows, of, draws: kind === 'share' ? 'repeated' : 'always' };
}
