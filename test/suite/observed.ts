/** Observations as a suite reads them, made by hand. */
import type { FinishReason } from '../../src/observation.ts';
import type { ObservedRequest, SuiteContext } from '../../src/suite/index.ts';

const NOTHING: ObservedRequest = {
  texts: [],
  steps: [],
  pairs: [],
  scores: [],
  targets: [],
  generation: null,
  embedding: null,
};

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
  return { ...NOTHING, generation: { text, finish, tokenIds: [5, 6, 7], logProb: -1 } };
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
