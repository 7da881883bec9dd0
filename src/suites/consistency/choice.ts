/** Which option a model takes, by how likely each continues the prompt. */
import type { ScoreRequest } from '../../observation/observation.ts';
import type { ObservedRequest } from '../../observation/observed.ts';
import { type FreeAnswerOptions, promptOf } from '../shared/answer/ask.ts';
import {
  type Candidate,
  candidatesOf,
  comparedValue,
  continuationOf,
  type Normalise,
} from '../shared/continuations.ts';
import type { ConsistencyRow } from './row.ts';

type Options = FreeAnswerOptions & { readonly normalise: Normalise };

/** A chat's answer begins a turn of its own, without a space. */
function choiceRequest(prompt: string, options: readonly string[], own: FreeAnswerOptions): ScoreRequest {
  const given = promptOf(prompt, own);
  const behind = (option: string) => (typeof given === 'string' ? continuationOf(given, option) : option);
  return { kind: 'score', prompt: given, continuations: options.map(behind) };
}

/** Of x and of its swap; none for a row without options. */
export function choiceRequests(
  { x, x_swap, options, options_swap }: ConsistencyRow,
  own: FreeAnswerOptions,
): ScoreRequest[] {
  if (options === null || options_swap === null) return [];
  return [choiceRequest(x, options, own), choiceRequest(x_swap, options_swap, own)];
}

/** Number of the likeliest candidate; null for a tie. */
export function choiceOf(candidates: readonly Candidate[], normalise: Normalise): number | null {
  const values = candidates.map((candidate) => comparedValue(candidate, normalise));
  const best = Math.max(...values);
  const place = values.indexOf(best);
  return values.lastIndexOf(best) === place ? place : null;
}

/** Null where the row has no options; a tie is no choice. */
type Choices = {
  readonly choice: number | null;
  readonly choiceSwap: number | null;
  readonly sameChoice: boolean | null;
  /** Either side has a tie. */
  readonly choiceTie: boolean | null;
  readonly optionScores?: readonly Candidate[];
  readonly optionScoresSwap?: readonly Candidate[];
};

/** What both sides took; `observed` is what came of {@link choiceRequests}. */
export function scoreChoices(
  observed: readonly ObservedRequest[],
  row: ConsistencyRow,
  own: Options,
): Choices {
  const requests = choiceRequests(row, own);
  const [scores, scoresSwap] = requests.map(({ continuations }, at) =>
    candidatesOf(observed[at]!, continuations),
  );
  if (!scores || !scoresSwap) {
    return { choice: null, choiceSwap: null, sameChoice: null, choiceTie: null };
  }
  const [choice, choiceSwap] = [choiceOf(scores, own.normalise), choiceOf(scoresSwap, own.normalise)];
  const choiceTie = choice === null || choiceSwap === null;
  return {
    choice,
    choiceSwap,
    sameChoice: choiceTie ? null : choice === choiceSwap,
    choiceTie,
    optionScores: scores,
    optionScoresSwap: scoresSwap,
  };
}
