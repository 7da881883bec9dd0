/** What a model would have told of a request, made up for tests of suites. */

import type { ObservedRequest, SuiteContext } from '../../src/contract/index.ts';
import type { FinishReason } from '../../src/observation/observation.ts';

const NOTHING: ObservedRequest = {
  texts: [],
  steps: [],
  pairs: [],
  scores: [],
  targets: [],
  generation: null,
  embedding: null,
};

/** One continuation: the log-probabilities of its tokens, of one byte each unless said. */
export interface MadeUp {
  readonly logProbs: readonly number[];
  readonly bytes?: number;
}

const PROMPT = [1, 10, 11];

/** A request with these continuations behind a prompt of three tokens; single tokens are told, as with `perToken`. */
export function observedScore(...continuations: readonly MadeUp[]): ObservedRequest {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const token = (side: number, at: number) => 100 * (side + 1) + at;
  return {
    ...NOTHING,
    texts: continuations.map(({ logProbs }, side) => ({
      tokenIds: [...PROMPT, ...logProbs.map((_, at) => token(side, at))],
      backedOff: false,
    })),
    scores: continuations.map(({ logProbs, bytes = logProbs.length }, side) => ({
      side,
      logProb: sum(logProbs),
      tokens: logProbs.length,
      logProbPerToken: sum(logProbs) / logProbs.length,
      logProbPerByte: sum(logProbs) / bytes,
    })),
    targets: continuations.flatMap(({ logProbs }, side) =>
      logProbs.map((logProb, at) => ({
        side,
        position: PROMPT.length - 1 + at,
        token: token(side, at),
        logProb,
        rank: 1,
      })),
    ),
  };
}

/**
 * A score of continuations without a prompt, each given by the log-probabilities of its tokens. Behind a BOS (token 1)
 * every token has one; where the model has none, the first token (2) has none and is not among those given.
 */
export function scored(
  continuations: readonly (readonly number[])[],
  { addsBos = true, pieces = [] }: { addsBos?: boolean; pieces?: readonly (readonly string[])[] } = {},
): ObservedRequest {
  const texts = continuations.map((logProbs, side) => ({
    tokenIds: [addsBos ? 1 : 2, ...logProbs.map((_, at) => 10 + at)],
    backedOff: false,
    ...(pieces[side] ? { pieces: pieces[side] } : {}),
  }));
  const targets = continuations.flatMap((logProbs, side) =>
    logProbs.map((logProb, position) => ({ side, position, token: 10 + position, logProb, rank: 1 })),
  );
  return { ...NOTHING, texts, targets };
}

export function generated(text: string, finish: FinishReason = 'end'): ObservedRequest {
  return { ...NOTHING, generation: { text, finish, tokens: 3, tokenIds: [5, 6, 7], logProb: -1 } };
}

export function contextOf<Options>(
  options: Options,
  more: Partial<SuiteContext<Options>> = {},
): SuiteContext<Options> {
  return {
    options,
    compat: null,
    lexicon: null,
    mapping: null,
    occupations: [],
    addsBos: true,
    ...more,
  };
}
