/** What a model would have told of a score request, made up for tests of suites. */
import type { ObservedRequest } from '../../src/suite/index.ts';

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
    texts: continuations.map(({ logProbs }, side) => ({
      tokenIds: [...PROMPT, ...logProbs.map((_, at) => token(side, at))],
      backedOff: false,
    })),
    steps: [],
    pairs: [],
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
    generation: null,
    embedding: null,
  };
}
