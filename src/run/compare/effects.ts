/** How large the difference of two runs is, on the scales on which their metric is read. Formulas: docs/metrics.md. */

import type { MetricHead } from '../../contract/index.ts';
import { cohenD, pairedDifference, pairedOddsRatio, percentileInterval } from '../../numbers/index.ts';
import type { Columns as TestedColumns } from '../accumulate/test-difference.ts';

/** No ends where the data allow no interval. A value that has no bound is null, and so is an upper end beside a lower one. */
export interface EffectSize {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

export interface Effects {
  /** Cohen's d_z: the mean difference over the standard deviation of the differences. */
  readonly dz?: EffectSize;
  /** Of the rows in which the runs disagree, those that only A has over those that only B has. */
  readonly pairedOddsRatio?: EffectSize;
  /** Cohen's h: the difference of 2 asin(sqrt(share)). */
  readonly h?: EffectSize;
  /** The odds of A over those of B. */
  readonly oddsRatio?: EffectSize;
  /** A over B. */
  readonly ratio?: EffectSize;
}

/** The names of all, in the order of tables. */
export const EFFECTS = [
  'dz',
  'h',
  'pairedOddsRatio',
  'oddsRatio',
  'ratio',
] as const satisfies readonly (keyof Effects)[];

export interface Columns extends TestedColumns {
  readonly level: number;
}

const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** A scale on which the difference f(A) - f(B) is read, and what is printed of it. */
interface Scale {
  of(value: number): number;
  slope(value: number): number;
  shown(value: number): number;
}

const ARC_SINE: Scale = {
  of: (p) => 2 * Math.asin(Math.sqrt(p)),
  slope: (p) => 1 / Math.sqrt(p * (1 - p)),
  shown: (h) => h,
};
const LOG: Scale = { of: Math.log, slope: (x) => 1 / x, shown: Math.exp };
const logit = (most: number): Scale => ({
  of: (x) => Math.log(x / (most - x)),
  slope: (x) => most / (x * (most - x)),
  shown: Math.exp,
});

/** Probabilities and per cent are read as odds; what has no upper end, and divergences, as ratios. */
export function scaleOf(
  range: MetricHead['range'],
): { readonly name: 'oddsRatio' | 'ratio'; readonly scale: Scale } | null {
  const [least, most] = range ?? [];
  if (least !== 0) return null;
  return most === 1 || most === 100
    ? { name: 'oddsRatio', scale: logit(most) }
    : { name: 'ratio', scale: LOG };
}

/** Delta method: rows' contributions to f(A) - f(B), with the cluster-robust error of their mean. Undefined at an end of the scale. */
async function onScale({ a, b, ids, level }: Columns, scale: Scale): Promise<EffectSize | undefined> {
  const [A, B] = [mean(a), mean(b)];
  const [slopeA, slopeB] = [scale.slope(A), scale.slope(B)];
  const difference = scale.of(A) - scale.of(B);
  if (![difference, slopeA, slopeB].every(Number.isFinite)) return undefined;
  const { ci } = await pairedDifference(
    a.map((value) => (value - A) * slopeA),
    b.map((value) => (value - B) * slopeB),
    { ...ids, level },
  );
  return {
    value: scale.shown(difference),
    low: ci ? scale.shown(difference + ci.low) : null,
    high: ci ? scale.shown(difference + ci.high) : null,
  };
}

function deviationOf(a: Float64Array, b: Float64Array, difference: number): number {
  const squares = a.reduce((sum, value, row) => sum + (value - b[row]! - difference) ** 2, 0);
  return Math.sqrt(squares / (a.length - 1));
}

/** Of independent rows the noncentral t's; with clusters the interval of the mean over the deviation, which is taken as known. */
async function standardised({ a, b, ids, clustered, level }: Columns): Promise<EffectSize | undefined> {
  if (a.length < 2) return undefined;
  const { d } = cohenD(a, b, { paired: true, level });
  if (d === null) return undefined;
  const { value, low, high } = d;
  if (!clustered) return { value, low, high };
  const { mean: difference, ci } = await pairedDifference(a, b, { ...ids, level });
  if (!ci) return { value, low: null, high: null };
  const deviation = deviationOf(a, b, difference!);
  return { value, low: ci.low / deviation, high: ci.high / deviation };
}

/** b / c; with clusters by the delta method on the log scale. */
async function disagreements({ a, b, ids, clustered, level }: Columns): Promise<EffectSize | undefined> {
  const only = (one: Float64Array, other: Float64Array) => one.map((hit, row) => Number(hit > other[row]!));
  const [onlyA, onlyB] = [only(a, b), only(b, a)];
  const [countA, countB] = [onlyA, onlyB].map((hits) => hits.reduce((sum, hit) => sum + hit, 0)) as [
    number,
    number,
  ];
  if (countA + countB === 0) return undefined;
  if (clustered) return onScale({ a: onlyA, b: onlyB, ids, clustered, level }, LOG);
  const { value, low, high } = pairedOddsRatio(countA, countB, { level });
  const finite = (odds: number) => (Number.isFinite(odds) ? odds : null);
  return { value: finite(value), low: finite(low), high: finite(high) };
}

const given = (effects: Record<string, EffectSize | undefined>): Effects =>
  Object.fromEntries(Object.entries(effects).filter(([, effect]) => effect !== undefined));

/** Of two columns of hits and misses. */
export async function effectsOfShares(columns: Columns): Promise<Effects> {
  return given({
    h: await onScale(columns, ARC_SINE),
    pairedOddsRatio: await disagreements(columns),
    oddsRatio: await onScale(columns, logit(1)),
  });
}

export async function effectsOfMeans(columns: Columns, range: MetricHead['range']): Promise<Effects> {
  const found = scaleOf(range);
  return given({
    dz: await standardised(columns),
    ...(found ? { [found.name]: await onScale(columns, found.scale) } : {}),
  });
}

/** Of two numbers with their draws: the percentiles of the same draws on the scale. */
export async function effectsOfDraws(
  a: number,
  b: number,
  draws: readonly [Float64Array, Float64Array] | null,
  range: MetricHead['range'],
  level: number,
): Promise<Effects> {
  const found = scaleOf(range);
  if (!found) return {};
  const { name, scale } = found;
  const difference = scale.of(a) - scale.of(b);
  if (!Number.isFinite(difference)) return {};
  const finite = (value: number) => (Number.isFinite(value) ? value : Number.NaN);
  const { ci } = draws
    ? await percentileInterval(
        draws[0].map((value, draw) => finite(scale.of(value) - scale.of(draws[1][draw]!))),
        { level },
      )
    : { ci: null };
  return {
    [name]: {
      value: scale.shown(difference),
      low: ci ? scale.shown(ci.low) : null,
      high: ci ? scale.shown(ci.high) : null,
    },
  };
}
