/** The values that quantities can have: what their intervals stay within. */

export type Range = readonly [low: number, high: number];

/** A mass, a share, the absolute difference of two. */
export const UNIT: Range = [0, 1];
/** The difference of two masses or shares, and a correlation. */
export const SIGNED_UNIT: Range = [-1, 1];
/** A score in per cent. */
export const PERCENT: Range = [0, 100];
/** A divergence of Jensen and Shannon, in nats. */
export const JSD: Range = [0, Math.LN2];
/** A perplexity, a count, an absolute value. */
export const POSITIVE: Range = [0, Number.POSITIVE_INFINITY];
/** A difference of log-probabilities. */
export const REAL: Range = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
/** The difference of two of these. */
export const SIGNED_JSD: Range = [-Math.LN2, Math.LN2];
/** The difference of two differences of masses. */
export const SIGNED_TWO: Range = [-2, 2];
