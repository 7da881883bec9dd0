/**
 * The words that suites and models share: what can be asked of a model, and what comes back. Suites make
 * requests and read observations without knowing a model; models answer them without knowing a suite.
 */
import type { ErrorCode, ErrorData } from '../errors.ts';
import type { Prompt, RenderedChat } from '../prompt/index.ts';

export interface TokenizeOptions {
  /** The model's own BOS rule applies: at most one, in front. Default true. */
  readonly bos?: boolean;
  /**
   * The text is a rendered chat: special tokens in it are special, and a BOS that it brings is the only one. Default
   * false: the text of a special token is text.
   */
  readonly special?: boolean;
}

/**
 * Text to token ids and back. Ids lie in [0, vocabSize). Every call may cross to another process, so those who ask
 * much ask for many at once.
 */
export interface Tokenizer {
  readonly vocabSize: number;
  /** Token ids of a text. */
  tokenize(text: string, options?: TokenizeOptions): Promise<Int32Array>;
  /** The same of each text, in one call. */
  tokenizeAll(texts: readonly string[], options?: TokenizeOptions): Promise<Int32Array[]>;
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

interface RequestBase {
  /**
   * The texts are chats that the caller rendered: special tokens in them are special, and bring their own BOS. Default
   * false. A prompt that is a chat itself, {messages}, needs none of it.
   */
  readonly special?: boolean;
  /**
   * Which answer stands for what, by names of the asker: {unknown: 'A', stereotyped: 'C'}; of scores the range of each:
   * {self_reported_group_ca: '6..30'}, of items the letters on offer: {letters: 'ABCDE'}. No model reads it; the built-in policies and mocks, which answer by a rule
   * instead of a model, do.
   */
  readonly roles?: Readonly<Record<string, string>>;
}

// P: what a prompt may be. As asked it is a text or a chat; once a model has rendered it, a text.

/** Next-token distributions of one text: after its last token, after each, or after the tokens at these indices. */
export interface ProbeRequest<P extends Prompt = Prompt> extends RequestBase {
  readonly kind: 'probe';
  readonly text: P;
  /** Default `last`. Indices count tokens from 0, a BOS in front included. */
  readonly positions?: 'last' | 'all' | readonly number[];
}

/**
 * Next-token distributions of a text and of its swap, step by step beside each other: after the last token of each, or
 * at every step after their first difference at which both continue with the same token; or, as `decode`, along the first
 * text's likeliest continuation, which is put behind both. Both are texts or both chats.
 */
export interface PairRequest<P extends Prompt = Prompt> extends RequestBase {
  readonly kind: 'pair';
  readonly text: P;
  readonly textSwap: P;
  /** Default `last`. */
  readonly steps?: 'last' | 'aligned' | 'decode';
  /** With `decode`: how many steps, fewer where the text or the context ends; default 32. */
  readonly maxTokens?: number;
}

/** The log-probability of each continuation of a prompt, tokenized jointly with it. */
export interface ScoreRequest<P extends Prompt = Prompt> extends RequestBase {
  readonly kind: 'score';
  readonly prompt: P;
  readonly continuations: readonly string[];
  /** Every token's log-probability and rank too, under {@link Observations.targets}. Default false. */
  readonly perToken?: boolean;
  /**
   * The first token of a text is scored whatever the model puts in front of texts: where that is nothing, its BOS is put
   * there, or its EOS if it has no BOS. A model with neither refuses the request. Of an endpoint, which puts there what it
   * does, the request fails where the first token has no log-probability. Default false: on a model that puts no BOS in
   * front, the first token of a text without a prompt is not scored.
   */
  readonly scoreFirst?: boolean;
}

/** How a text is continued. */
export interface Decoding {
  /** Most tokens; default 256. */
  readonly maxTokens?: number;
  /** Default 0: the likeliest token at each step, ties by lower id. Above it, tokens are drawn from softmax(z / temperature). */
  readonly temperature?: number;
  /** Draws come from the fewest likeliest tokens that together have this probability, in (0, 1]; default 1. */
  readonly topP?: number;
  /** A whole number; default 0. Draws depend on it and on the step alone: not on what else is generated. */
  readonly seed?: number;
  /** The text ends in front of the first of these. */
  readonly stop?: readonly string[];
  /** GBNF with a rule named root: tokens that it does not allow have no probability in the choice. */
  readonly grammar?: string;
}

/** What a model continues from once its text is written, and how. */
export interface FollowingText extends Decoding {
  /** Put behind the prompt and what was written there. In a rendered chat special tokens in it are special too. */
  readonly text: string;
}

/** What the model writes behind a prompt. */
export interface GenerateRequest<P extends Prompt = Prompt> extends RequestBase, Decoding {
  readonly kind: 'generate';
  readonly prompt: P;
  /**
   * The rows and the chosen tokens' log-probabilities of every step, under {@link Observations.rows} and
   * {@link Observations.targets}, without a second pass. Always of the model's own distribution, whatever temperature,
   * topP or grammar make of it. Default false.
   */
  readonly stepMetrics?: boolean;
  /**
   * Once the text is written, this is put behind it and the model continues: what it then writes comes back under
   * {@link Observations.followed}, with the numbers of a request of its own whose prompt is prompt + text + `then.text`,
   * tokenized as one text. A model that can (`goesOn`) does not decode again what both have in common. Where it cannot be
   * done in place (no room in the context; a text that ends in the midst of a character or holds a control token), and of
   * models that cannot continue, nothing comes back, and whoever asks can ask that request; the request never fails for
   * it, unless what is said here is wrong in itself. Its decoding has the defaults of any other; `stepMetrics` is about the first text alone.
   */
  readonly then?: FollowingText;
  /** Paths of images that are shown with the prompt; a model that sees none refuses the request. */
  readonly images?: readonly string[];
}

/** A text as a vector: its hidden states pooled as the model file says (their mean where it says nothing), of length 1. */
export interface EmbedRequest extends RequestBase {
  readonly kind: 'embed';
  readonly text: string;
}

/**
 * The likeliest next tokens after each text, as many as an endpoint lists: what bounds are made of where there are no
 * whole distributions. A local model, which has them, refuses it.
 */
export interface ListRequest extends RequestBase {
  readonly kind: 'list';
  readonly texts: readonly string[];
}

/** What can be asked of a model. */
export type ObserveRequest<P extends Prompt = Prompt> =
  | ProbeRequest<P>
  | PairRequest<P>
  | ScoreRequest<P>
  | GenerateRequest<P>
  | EmbedRequest
  | ListRequest;

/** What is to be computed of every observed row. */
export interface Measure {
  /** Token ids of each group; a row's mass of a group is the sum of p over its ids. */
  readonly groups: readonly Int32Array[];
  /** How many of the likeliest tokens to return, 0 for none. */
  readonly topK: number;
  /** The K of each top-K form of a pair's Jensen-Shannon divergence. */
  readonly pairTopK: readonly number[];
}

/** Columns over observed rows, in order of request, side (x before its swap) and position. */
export interface RowColumns {
  /** Number of observed rows. */
  readonly rows: number;
  /** Index of the request within the window that each row belongs to. */
  readonly request: Uint32Array;
  /** 0 for `text`, 1 for `textSwap`. */
  readonly side: Uint32Array;
  /** Index of the token that the observed step follows, a BOS in front included. */
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

/** Columns over compared steps, in order of request and step. Natural logarithms. */
export interface PairColumns {
  readonly pairs: number;
  readonly request: Uint32Array;
  /** Index of each side's row in {@link RowColumns}. */
  readonly row: Uint32Array;
  readonly rowSwap: Uint32Array;
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

/** Columns over scored continuations, in order of request and continuation. */
export interface ScoreColumns {
  readonly scores: number;
  readonly request: Uint32Array;
  /** Number of the continuation, from 0. */
  readonly side: Uint32Array;
  /** Natural logarithm of the continuation's probability after the prompt: the sum over its tokens. */
  readonly logProb: Float64Array;
  /** Tokens that were scored. */
  readonly tokens: Uint32Array;
  /** UTF-8 bytes of the continuation. */
  readonly bytes: Uint32Array;
  /** `logProb` divided by `tokens`. */
  readonly logProbPerToken: Float64Array;
  /** `logProb` divided by `bytes`: what does not depend on how a tokenizer cuts. */
  readonly logProbPerByte: Float64Array;
}

/**
 * Why a generation ended: the model chose a token that ends the text; a stop string; `maxTokens`; the context was full.
 * Most endpoints tell no stop string from an end: of theirs, `end` may be either.
 */
export type FinishReason = 'end' | 'stop' | 'length' | 'context';

/** What was generated, in order of request: of `generate`, and of pairs in `decode` steps. */
export interface GenerationColumns {
  readonly generations: number;
  readonly request: Uint32Array;
  /** Without a stop string that ended it. A character that the last token cut in two is a replacement character. */
  readonly texts: readonly string[];
  readonly finish: readonly FinishReason[];
  /** Natural logarithm of the probability of the chosen tokens, each after those before it; NaN where it is unknown. */
  readonly logProb: Float64Array;
  /** Number of the chosen tokens, where only that is known: NaN where it is not. */
  readonly counts?: Float64Array;
  /** The chosen tokens, one that ends the text and those of a stop string included; none where `counts` is there. */
  readonly ids: Int32Array;
  /** generations + 1 offsets into `ids`. */
  readonly offsets: Uint32Array;
}

/** Texts as vectors, in order of request. */
export interface EmbeddingColumns {
  readonly embeddings: number;
  readonly dimensions: number;
  readonly request: Uint32Array;
  /** embeddings x dimensions, row-major, each row of length 1: the inner product of two is their cosine. */
  readonly values: Float32Array;
}

/** Columns over single tokens, in order of request, side and position: of scores with `perToken`, and of generations with `stepMetrics`. */
export interface TargetColumns {
  readonly targets: number;
  readonly request: Uint32Array;
  /** Number of the continuation, from 0. */
  readonly side: Uint32Array;
  /** Index of the token that the scored one follows. */
  readonly position: Uint32Array;
  readonly token: Int32Array;
  /** Natural logarithm of the token's probability in the model's own distribution. */
  readonly logProb: Float64Array;
  /** 1 + the number of tokens that are strictly likelier. */
  readonly rank: Uint32Array;
}

/** Every text of every observed request as tokens, in order of request and side. */
export interface SequenceColumns {
  readonly sequences: number;
  readonly request: Uint32Array;
  readonly side: Uint32Array;
  /** 1 where a token would have spanned the join of prompt and continuation. */
  readonly backedOff: Uint8Array;
  readonly ids: Int32Array;
  /** sequences + 1 offsets into `ids`. */
  readonly offsets: Uint32Array;
}

/** What the model was given for a request. */
export interface AskedTexts {
  /** Of a pair both texts, of a score the prompt and every continuation; chats as they were rendered. */
  readonly texts: readonly string[];
  /** Special tokens in them were read as such. */
  readonly special: boolean;
  /** What rendering said of each chat, in order of side; empty where the request brought texts. */
  readonly chats: readonly RenderedChat[];
  /** What was to be put behind the text that is written ({@link GenerateRequest.then}). */
  readonly behind?: string;
}

/** One of the likeliest tokens of a step, as an endpoint lists it. */
export interface ListedToken {
  /** By which it is the same token in another list: its id where the server tells it, else its bytes, else its text. */
  readonly key: string;
  readonly text: string;
  /** Nats. */
  readonly logProb: number;
}

/** What an endpoint tells of one next-token distribution: never a number of the whole of it, but bounds can be proved. */
export interface ListedStep {
  /** Each one known by a key that no other one has; likeliest first. */
  readonly tokens: readonly ListedToken[];
  /** A log-probability that no token beside them exceeds; Infinity where none is known. */
  readonly mostUnlisted: number;
}

/** What came with a generated text beside it. */
export interface Remarks {
  readonly request: number;
  /** What was not as it should be. */
  readonly notes: readonly string[];
  /** Thoughts that are no part of the text. */
  readonly reasoning: string;
}

/** What a window of requests gave. */
export interface Observations {
  /** Index of the window's first request in the stream of requests; columns count within the window. */
  readonly firstRequest: number;
  /** How many requests were asked; each has rows or stands under `failures`. */
  readonly requests: number;
  readonly rows: RowColumns;
  readonly pairs: PairColumns;
  readonly scores: ScoreColumns;
  readonly targets: TargetColumns;
  readonly generations: GenerationColumns;
  /** What was written behind {@link GenerateRequest.then}, of the generations that were continued. */
  readonly followed: GenerationColumns;
  readonly embeddings: EmbeddingColumns;
  readonly sequences: SequenceColumns;
  /** Of requests for lists, each with a step a text; left out where none came. */
  readonly lists?: readonly { readonly request: number; readonly steps: readonly ListedStep[] }[];
  /** Of texts that were not as they should be, or came with thoughts apart from them; left out where there are none. */
  readonly remarks?: readonly Remarks[];
  /** One entry per request; null for a chat that could not be rendered. */
  readonly asked: readonly (AskedTexts | null)[];
  readonly failures: readonly RequestFailure[];
  readonly decodedTokens: number;
  /** What would have been decoded were no prefix shared. */
  readonly naiveTokens: number;
}

/** What a model answers, before it is put beside what it was asked. */
export type Answers = Omit<Observations, 'asked'>;
