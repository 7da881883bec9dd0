/** Two candidates for what a pronoun names, scored as continuations of one prompt, and which of them is likelier. */
import type { ObservedRequest, ObservedScore } from '../observed.ts';
import type { ChoiceOption } from '../options.ts';
import type { SuiteContext } from '../suite.ts';

export const normaliseOption = {
  kind: 'choice',
  choices: ['sum', 'token', 'byte'],
  default: 'sum',
  help: 'how candidates are compared: by their log-probability, or by it per token or per byte',
} as const satisfies ChoiceOption;

export type Normalise = (typeof normaliseOption.choices)[number];

/** A candidate as a result lists it. Nats. */
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

/** What `score` requests of two continuations have come to. */
export interface Contest {
  /** Of the prompt, BOS included. */
  readonly promptTokenIds: readonly number[];
  readonly continuations: readonly [Candidate, Candidate];
}

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

export function contestOf(observed: ObservedRequest, texts: readonly [string, string]): Contest {
  const [first, second] = ([0, 1] as const).map((side) =>
    candidateOf(texts[side], observed, observed.scores.find((score) => score.side === side)!),
  ) as [Candidate, Candidate];
  const { tokenIds } = observed.texts[0]!;
  return {
    promptTokenIds: tokenIds.slice(0, tokenIds.length - first.tokens),
    continuations: [first, second],
  };
}

const VALUES: Readonly<Record<Normalise, (candidate: Candidate) => number>> = {
  sum: ({ logProb }) => logProb,
  token: ({ logProbPerToken }) => logProbPerToken,
  byte: ({ logProbPerByte }) => logProbPerByte,
};

/** What is compared of each candidate. */
export function comparedValues(
  { continuations }: Contest,
  { options: { normalise } }: Pick<SuiteContext<{ normalise: Normalise }>, 'options'>,
): [number, number] {
  const [first, second] = continuations;
  return [VALUES[normalise](first), VALUES[normalise](second)];
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
