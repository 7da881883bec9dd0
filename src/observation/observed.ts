/** What came of a request, as a suite reads it: small objects a request, none a token of the vocabulary. */
import type { AskedTexts, FinishReason, ListedStep, Remarks } from './observation.ts';

/** One text of a request as the model read it. */
export interface ObservedText {
  /** BOS in front included. Empty where an endpoint tells none. */
  readonly tokenIds: readonly number[];
  /** A token would have spanned the join of prompt and continuation; the boundary was moved in front of it. */
  readonly backedOff: boolean;
  /** The text of each token, where the suite asked for it ({@link Suite.wantsPieces}). */
  readonly pieces?: readonly string[];
}

/** One observed step: a row of the columns, as a suite reads it. */
export interface ObservedStep {
  /** Which text of the request it is a step of. */
  readonly side: number;
  /** Index of the token that the step follows. */
  readonly position: number;
  /** One mass per group of the mapping, in its order. */
  readonly masses: readonly number[];
  /** Nats. */
  readonly entropy: number;
  /** The likeliest tokens, likeliest first; as many as the measure asks for. */
  readonly topKIds: readonly number[];
}

/** One observed pair: divergences in nats. */
export interface ObservedPair {
  readonly jsd: number;
  readonly klPQ: number;
  readonly klQP: number;
  readonly totalVariation: number;
  readonly topK: readonly {
    readonly k: number;
    readonly unionSize: number;
    readonly partial: number;
    readonly lower: number;
    readonly upper: number;
  }[];
}

/** One scored continuation. Natural logarithms. */
export interface ObservedScore {
  /** Number of the continuation. */
  readonly side: number;
  readonly logProb: number;
  readonly tokens: number;
  readonly logProbPerToken: number;
  readonly logProbPerByte: number;
}

/** What was generated behind a prompt. */
export interface ObservedGeneration {
  readonly text: string;
  readonly finish: FinishReason;
  /** How many tokens were generated; null where an endpoint does not tell. */
  readonly tokens: number | null;
  /** Empty where an endpoint tells their number alone. */
  readonly tokenIds: readonly number[];
  /** The text of each token, where the suite asked for it. */
  readonly pieces?: readonly string[];
  /** Null where an endpoint does not tell. */
  readonly logProb: number | null;
}

/** One token whose probability was asked for: of a continuation, or of what was generated. */
export interface ObservedTarget {
  /** Number of the continuation. */
  readonly side: number;
  readonly position: number;
  readonly token: number;
  /** Nats. */
  readonly logProb: number;
  readonly rank: number;
}

/**
 * What came of one request: its texts (x and its swap, or every continuation with its prompt), its observed steps, for a
 * pair the divergences step by step, for a score every continuation (and its tokens where they are asked for), for a
 * generation what was generated, for an embedding its vector.
 */
export interface ObservedRequest {
  readonly texts: readonly ObservedText[];
  readonly steps: readonly ObservedStep[];
  readonly pairs: readonly ObservedPair[];
  readonly scores: readonly ObservedScore[];
  readonly targets: readonly ObservedTarget[];
  readonly generation: ObservedGeneration | null;
  /** What was written behind `then`; left out where the model did not continue. */
  readonly followed?: ObservedGeneration;
  readonly embedding: Float32Array | null;
  /** Of a request for lists a step a text; empty or left out otherwise. */
  readonly lists?: readonly ListedStep[];
  /** What the model was given. */
  readonly asked?: AskedTexts;
  /** What came with its text beside it; left out where nothing did. */
  readonly remarks?: Pick<Remarks, 'notes' | 'reasoning'>;
}
