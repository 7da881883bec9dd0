/**
 * The words that suites and models share: what can be asked of a model, and what comes back. Suites make
 * requests and read observations without knowing a model; models answer them without knowing a suite.
 */
import type { ErrorCode, ErrorData } from './errors.ts';

/**
 * Text to token ids and back. Ids lie in [0, vocabSize). Every call may cross to another process, so those who ask
 * much ask for many at once.
 */
export interface Tokenizer {
  readonly vocabSize: number;
  /** Token ids of a text; with `bos` (default true) the model's own BOS rule applies: at most one, in front. */
  tokenize(text: string, options?: { bos?: boolean }): Promise<Int32Array>;
  /** The same of each text, in one call. */
  tokenizeAll(texts: readonly string[], options?: { bos?: boolean }): Promise<Int32Array[]>;
  /** The text of each token as it stands in a text, a leading space included. */
  pieces(tokens: ArrayLike<number>): Promise<string[]>;
}

/** A prompt and its continuation, tokenized as one text. */
export interface JointTokens {
  readonly ids: Int32Array;
  /** Tokens before it belong to the prompt. */
  readonly boundary: number;
  /** A token would have spanned the join; the boundary was moved back in front of it. */
  readonly backedOff: boolean;
}

/** The next-token distribution right after `text`. */
export interface ProbeRequest {
  readonly kind: 'probe';
  readonly text: string;
}

/** The next-token distributions right after `text` and right after `textSwap`, decoded in one batch. */
export interface PairRequest {
  readonly kind: 'pair';
  readonly text: string;
  readonly textSwap: string;
}

export type ObserveRequest = ProbeRequest | PairRequest;

/** What is to be computed of every observed row. */
export interface Measure {
  /** Token ids of each group; a row's mass of a group is the sum of p over its ids. */
  readonly groups: readonly Int32Array[];
  /** How many of the likeliest tokens to return, 0 for none. */
  readonly topK: number;
  /** The K of each top-K form of a pair's Jensen-Shannon divergence. */
  readonly pairTopK: readonly number[];
}

/** Columns over observed rows, in order of request, then side (x before its swap). */
export interface RowColumns {
  /** Number of observed rows. */
  readonly rows: number;
  /** Index of the request within the window that each row belongs to. */
  readonly request: Uint32Array;
  /** 0 for `text`, 1 for `textSwap`. */
  readonly side: Uint8Array;
  /** Number of tokens in front of the observed step. */
  readonly position: Uint32Array;
  /** ln of the sum of exp of the logits. */
  readonly logsumexp: Float64Array;
  /** Entropy in nats. */
  readonly entropy: Float64Array;
  /** rows x groups, row-major. */
  readonly masses: Float64Array;
  /** rows x topK, row-major; likeliest first, ties by lower id. */
  readonly topKIds: Int32Array;
  readonly topKProbs: Float64Array;
}

/** Columns over observed pairs, in order of request. Natural logarithms. */
export interface PairColumns {
  readonly pairs: number;
  readonly request: Uint32Array;
  readonly jsd: Float64Array;
  readonly klPQ: Float64Array;
  readonly klQP: Float64Array;
  readonly totalVariation: Float64Array;
  /** One entry per K of {@link Measure.pairTopK}. */
  readonly topK: readonly PairTopKColumns[];
}

export interface PairTopKColumns {
  readonly k: number;
  readonly unionSize: Uint32Array;
  readonly partial: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** A request that could not be observed, and why. It has no rows. */
export interface RequestFailure {
  readonly request: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly data: ErrorData;
}

/** The token ids that were decoded, one sequence per observed row, concatenated. */
export interface TokenColumns {
  readonly ids: Int32Array;
  /** rows + 1 offsets into `ids`. */
  readonly offsets: Uint32Array;
}

/** What a window of requests gave. */
export interface Observations {
  /** Index of the window's first request in the stream of requests; columns count within the window. */
  readonly firstRequest: number;
  /** How many requests were asked; each has rows or stands under `failures`. */
  readonly requests: number;
  readonly rows: RowColumns;
  readonly pairs: PairColumns;
  readonly tokens: TokenColumns;
  readonly failures: readonly RequestFailure[];
  readonly decodedTokens: number;
}
