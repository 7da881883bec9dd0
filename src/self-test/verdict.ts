/** Whether log-probabilities are what they must be, within what the rounding of a weight type explains. */

/** What must be measured of a model. */
export interface Expected {
  /** ln p in float64. */
  readonly logProbs: Float64Array;
  /** The same with activations rounded as kernels of the weight type round them. */
  readonly rounded: Float64Array;
}

export interface Verdict {
  readonly ok: boolean;
  /** Root mean square of the differences from float64, in nats; NaN where a number is missing. */
  readonly difference: number;
  readonly allowed: number;
  /** The largest difference, in nats. */
  readonly largest: number;
  readonly largestAllowed: number;
}

/**
 * Kernels round activations at other places than `rounded` does (other blocks, other ties), so their errors are others of
 * the same size: measured 0.8 to 1.1 of it over all types. A scale that is a tenth off exceeds twice the size.
 */
const DIFFERENCES = 2;
/** The largest of 36,000 differences lies at 5 to 8 times their root mean square. One lost block lies beyond 12. */
const LARGEST = 12;

/** `plain`: nats that sums in float32, or in a device's half precision, may be off beside the rounding of activations. */
export function judge(measured: Float64Array, { logProbs, rounded }: Expected, plain: number): Verdict {
  const rounding = distance(rounded, logProbs).rootMeanSquare;
  const { rootMeanSquare, largest } = distance(measured, logProbs);
  const allowed = DIFFERENCES * rounding + plain;
  const largestAllowed = LARGEST * rounding + plain;
  // With a NaN both comparisons are false.
  const ok = rootMeanSquare <= allowed && largest <= largestAllowed;
  return { ok, difference: rootMeanSquare, allowed, largest, largestAllowed };
}

function distance(a: Float64Array, b: Float64Array): { rootMeanSquare: number; largest: number } {
  const differences = b.map((value, i) => Math.abs((a[i] ?? Number.NaN) - value));
  const squares = differences.reduce((sum, value) => sum + value * value, 0);
  return {
    rootMeanSquare: Math.sqrt(squares / b.length),
    largest: differences.reduce((most, value) => Math.max(most, value), 0),
  };
}
