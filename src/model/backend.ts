/**
 * What a model is to the rest of the house: something that tokenizes, and that turns requests into
 * observations. `model/local.ts` is llama.cpp in the process; the pipeline and the suites see only this.
 */

/** What is known of an open model. Sizes in bytes, lengths in tokens. */
export interface ModelInfo {
  readonly path: string;
  readonly description: string;
  readonly architecture: string;
  readonly parameters: number;
  readonly sizeBytes: number;
  readonly vocabSize: number;
  /** Longest text that fits in one sequence, as opened. */
  readonly contextLength: number;
  /** Longest sequence the model was trained on. */
  readonly trainedContextLength: number;
  readonly tokenizer: string;
  /** Does the tokenizer put a beginning-of-sequence token in front? */
  readonly addsBos: boolean;
  readonly bosToken: number | null;
  readonly eosToken: number | null;
  readonly chatTemplate: string | null;
}

/** Text to token ids and back. Ids lie in [0, vocabSize). */
export interface Tokenizer {
  readonly vocabSize: number;
  /** Token ids of a text; with `bos` (default true) the model's own BOS rule applies: at most one, in front. */
  tokenize(text: string, options?: { bos?: boolean }): Int32Array;
  /** The text of one token as it stands in a text, a leading space included. */
  piece(token: number): string;
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
  /** Index of the request (within the call to `observe`) that each row belongs to. */
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
  readonly code: string;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The token ids that were decoded, one sequence per side of every request, concatenated. */
export interface TokenColumns {
  readonly ids: Int32Array;
  /** sequences + 1 offsets into `ids`. */
  readonly offsets: Uint32Array;
  /** Request and side of each sequence. */
  readonly request: Uint32Array;
  readonly side: Uint8Array;
}

/** What a window of requests gave. */
export interface Observations {
  /** Index of this window's first request within the call to `observe`. */
  readonly firstRequest: number;
  readonly requests: number;
  readonly rows: RowColumns;
  readonly pairs: PairColumns;
  readonly tokens: TokenColumns;
  readonly failures: readonly RequestFailure[];
  readonly decodedTokens: number;
}

export interface ObserveOptions {
  readonly signal?: AbortSignal;
}

export interface Backend extends AsyncDisposable {
  readonly info: ModelInfo;
  readonly tokenizer: Tokenizer;
  /** Observes one window of requests, off the event loop. */
  observe(
    requests: readonly ObserveRequest[],
    measure: Measure,
    options?: ObserveOptions,
  ): Promise<Observations>;
  close(): Promise<void>;
}
