/** Two candidates for what a pronoun names, scored as continuations of one prompt, and which of them is likelier. */

import type { SuiteContext } from '../../../contract/suite.ts';
import type { ObservedRequest } from '../../../observation/observed.ts';
import { type Candidate, candidatesOf, comparedValue, type Normalise } from '../continuations.ts';

/** What `score` requests of two continuations have come to. */
export interface Contest {
  /** Of the prompt, BOS included. */
  readonly promptTokenIds: readonly number[];
  readonly continuations: readonly [Candidate, Candidate];
}

export function contestOf(observed: ObservedRequest, texts: readonly [string, string]): Contest {
  const [first, second] = candidatesOf(observed, texts) as [Candidate, Candidate];
  const { tokenIds } = observed.texts[0]!;
  return {
    promptTokenIds: tokenIds.slice(0, tokenIds.length - first.tokens),
    continuations: [first, second],
  };
}

/** What is compared of each candidate. */
export function comparedValues(
  { continuations: [first, second] }: Contest,
  { options: { normalise } }: Pick<SuiteContext<{ normalise: Normalise }>, 'options'>,
): [number, number] {
  return [comparedValue(first, normalise), comparedValue(second, normalise)];
}

/** How a contest ended. */
export type Verdict = {
  /** Name of the likelier candidate; null for a tie. */
  readonly pred: string | null;
  /** A tie is wrong. */
  readonly correct: boolean;
  readonly tie: boolean;
  /** Value of the right candidate less that of the other. */
  readonly margin: number;
};

/** `names` of the candidates, of which `gold` is the right one. */
export function verdictOf(
  [first, second]: readonly [number, number],
  names: readonly [string, string],
  gold: string,
): Verdict {
  const tie = first === second;
  const pred = tie ? null : first > second ? names[0] : names[1];
  const margin = gold === names[0] ? first - second : second - first;
  return { pred, correct: pred === gold, tie, margin };
}
