/** A prediction beside what the participant said: one row of the evaluation. */
import {
  bandDistance,
  bandOfValue,
  bandOrdinal,
  normBandDistance,
  normScoreDistance,
  roundHalfToEven,
} from '../data/index.ts';
import type { Participant } from './participants.ts';
import type { Prediction } from './predictions.ts';
import type { Side } from './sides.ts';

/** One side of a row. Scores and distances are in the scale's own points, `norm` ones 0 to 1; null is missing. */
export interface SideValues {
  readonly pred: number | null;
  readonly truth: number | null;
  readonly truthBand: string | null;
  /** pred - truth: negative where the model says too little. */
  readonly error: number | null;
  readonly absError: number | null;
  readonly normScoreDistance: number | null;
  /** Equal as whole numbers? */
  readonly exact: boolean | null;
  /** The band that the model named. */
  readonly bandReported: string | null;
  /** The band of the predicted score; the named one only where there is no score. */
  readonly bandResolved: string | null;
  /** Does the model name another band than its own score has? */
  readonly bandDisagrees: boolean | null;
  readonly bandMatch: boolean | null;
  /** Bands between the resolved one and the participant's. */
  readonly bandDistance: number | null;
  readonly normBandDistance: number | null;
}

/**
 * `scored`: at least one side has an error. `error`: the answer was not read, or the row is not to be counted. `unmatched`: there
 * is no such participant. `no_truth`: the participant has no score of any side.
 */
export const STATUSES = ['scored', 'error', 'unmatched', 'no_truth'] as const;
export type Status = (typeof STATUSES)[number];

export interface Evaluated {
  readonly prediction: Prediction;
  readonly participant: Participant | null;
  readonly status: Status;
  readonly sides: readonly SideValues[];
}

/** What a prediction is worth against `participant`, null where there is none of its id. */
export function evaluate(
  prediction: Prediction,
  participant: Participant | null,
  sides: readonly Side[],
): Evaluated {
  const failed = prediction.error !== null;
  const values = sides.map((side, index) => sideValues(side, index, prediction, participant));
  return { prediction, participant, status: statusOf(failed, participant, values), sides: values };
}

function statusOf(failed: boolean, participant: Participant | null, values: readonly SideValues[]): Status {
  if (failed) return 'error';
  if (participant === null) return 'unmatched';
  return values.some(({ error }) => error !== null) ? 'scored' : 'no_truth';
}

function sideValues(
  { subscale }: Side,
  index: number,
  { error: failed, scores, bands }: Prediction,
  participant: Participant | null,
): SideValues {
  // A row with an error keeps what was read of it, but is measured by nothing.
  const pred = failed === null ? scores[index]! : null;
  const bandReported = failed === null ? bands[index]! : null;
  const truth = participant?.scores[index] ?? null;
  const truthBand = participant?.bands[index] ?? null;
  const error = pred === null || truth === null ? null : pred - truth;
  const absError = error === null ? null : Math.abs(error);
  const ownBand = bandOfValue(subscale, pred);
  const bandResolved = ownBand ?? bandReported;
  const distance = bandDistance(subscale, bandResolved, truthBand);
  return {
    pred,
    truth,
    truthBand,
    error,
    absError,
    normScoreDistance: normScoreDistance(subscale, absError),
    exact: error === null ? null : roundHalfToEven(pred!) === roundHalfToEven(truth!),
    bandReported,
    bandResolved,
    bandDisagrees:
      ownBand === null || bandReported === null
        ? null
        : bandOrdinal(subscale, ownBand) !== bandOrdinal(subscale, bandReported),
    bandMatch: distance === null ? null : distance === 0,
    bandDistance: distance,
    normBandDistance: normBandDistance(subscale, distance),
  };
}
