/** Continuations of a prompt: how they are joined to it, how they are listed, and how their scores are made comparable. */

import type { ChoiceOption } from '../../contract/options.ts';
import type { ObservedRequest, ObservedScore } from '../../observation/observed.ts';

export const normaliseOption = {
  kind: 'choice',
  choices: ['sum', 'token', 'byte'],
  default: 'sum',
  help: 'how the candidates are compared: by their log-probability, or by it per token or per byte',
} as const satisfies ChoiceOption;

export type Normalise = (typeof normaliseOption.choices)[number];

/** `text` as what follows a prompt: behind one space, unless either brings its own. */
export function continuationOf(prompt: string, text: string): string {
  return /\s$/.test(prompt) || /^\s/.test(text) ? text : ` ${text}`;
}

/** A continuation as a result lists it. Nats. */
export type Candidate = {
  /** As it continues the prompt, its space in front included. */
  readonly text: string;
  readonly logProb: number;
  readonly tokens: number;
  readonly logProbPerToken: number;
  readonly logProbPerByte: number;
  readonly tokenIds: readonly number[];
  /** A token would have spanned the join with the prompt; all of it is scored as the candidate's. */
  readonly backedOff: boolean;
};

function candidateOf(text: string, { texts }: ObservedRequest, score: ObservedScore): Candidate {
  const { tokenIds, backedOff } = texts[score.side]!;
  return {
    text,
    logProb: score.logProb,
    tokens: score.tokens,
    logProbPerToken: score.logProbPerToken,
    logProbPerByte: score.logProbPerByte,
    tokenIds: tokenIds.slice(tokenIds.length - score.tokens),
    backedOff,
  };
}

/** The continuations of a `score` request, in the order in which it asked for `texts`. */
export function candidatesOf(observed: ObservedRequest, texts: readonly string[]): Candidate[] {
  return texts.map((text, side) =>
    candidateOf(text, observed, observed.scores.find((score) => score.side === side)!),
  );
}

/** What is compared. Nats, as a whole or per token or byte. */
export function comparedValue(
  { logProb, logProbPerToken, logProbPerByte }: Candidate,
  normalise: Normalise,
): number {
  return { sum: logProb, token: logProbPerToken, byte: logProbPerByte }[normalise];
}
