/**
 * Which of two numbers lies nearer to the value of an unbiased model, |A - u| - |B - u|.
 *
 * With d = A - B and s = A + B - 2u it is f(d, s) = sign(d s) min(|d|, |s|), whatever the signs: no kink has to be resampled. It is 0
 * exactly where d or s is 0, so that the larger of their p-values is a test of it (intersection and union: Berger 1982), and what f takes
 * over the intervals of d and s is its interval. s is the difference of A and B's mirror image 2u - B.
 */
import type { Interval } from '../../numbers/estimate.ts';
import type { TestedEstimate } from '../accumulate/index.ts';

export interface DistanceDifference extends Pick<TestedEstimate, 'ci' | 'pValue'> {
  readonly difference: number;
  /** The value of an unbiased model. */
  readonly unbiased: number;
  /** |A - u| and |B - u|. */
  readonly a: number;
  readonly b: number;
}

const nearer = (d: number, s: number) => Math.sign(d) * Math.sign(s) * Math.min(Math.abs(d), Math.abs(s));

/** Of a linear piece of f the ends are at corners; between them at the diagonals and at 0, where they are cut out. */
function ends(d: Interval, s: Interval): Interval {
  const within = ({ low, high }: Interval, at: number) => low <= at && at <= high;
  const cuts = [d.low, d.high, s.low, s.high].flatMap((at) => [at, -at]).concat(0);
  const ofD = cuts.filter((at) => within(d, at));
  const ofS = cuts.filter((at) => within(s, at));
  const values = ofD.flatMap((x) => ofS.map((y) => nearer(x, y)));
  return { low: Math.min(...values), high: Math.max(...values) };
}

export function distanceDifference(
  unbiased: number,
  a: number,
  b: number,
  d: TestedEstimate,
  s: TestedEstimate,
): DistanceDifference {
  const [ofA, ofB] = [Math.abs(a - unbiased), Math.abs(b - unbiased)];
  return {
    unbiased,
    a: ofA,
    b: ofB,
    difference: ofA - ofB,
    ci: d.ci && s.ci ? { method: d.ci.method, level: d.ci.level, ...ends(d.ci, s.ci) } : null,
    pValue: d.pValue === null || s.pValue === null ? null : Math.max(d.pValue, s.pValue),
  };
}
