/**
 * What a model is to the rest of the house: something that tokenizes, and that turns requests into
 * observations. The pipeline and the suites see only this; providers.ts lists what there is of it.
 */

import type { AuditError } from '../errors.ts';
import type { Measure, Observations, ObserveRequest, Tokenizer } from '../observation/observation.ts';
import type { ThreadChoice } from './threads.ts';
import type { Usage } from './usage.ts';

/** A LoRA adapter of an open model; what it adds to a weight is scale * alpha / rank * B A. */
export interface AdapterInfo {
  readonly path: string;
  readonly scale: number;
  readonly alpha: number;
}

/** What is known of an open model; null for what its provider does not tell. Sizes in bytes, lengths in tokens. */
export interface ModelInfo {
  readonly path: string;
  /** The model's files, in order; one unless it is split. */
  readonly parts: readonly string[];
  /** LoRA adapters, as applied. */
  readonly adapters: readonly AdapterInfo[];
  /** The devices that run it: accelerators, or the CPU where none takes part. */
  readonly devices: readonly string[];
  /** Architecture, size and type of weights of a GGUF model ("llama 135M Q4_1"), or what stands in for a model. */
  readonly description: string;
  readonly architecture: string;
  /** Counted. */
  readonly parameters: number | null;
  readonly sizeBytes: number | null;
  readonly vocabSize: number | null;
  /** Longest text that fits in one sequence, as opened. */
  readonly contextLength: number | null;
  /** Longest sequence the model was trained on. */
  readonly trainedContextLength: number | null;
  /** Who reduces rows of logits: `cpu`, in host memory; `graph`, `cuda` or `metal`, on the device that computes them. */
  readonly metricsImpl: string;
  /** Why that is not what was asked for; null where it is. */
  readonly metricsWarning: string | null;
  /** What metrics may take of the device's memory; 0 for `cpu`. */
  readonly metricsMemory: number;
  readonly tokenizer: string;
  /** Does the tokenizer put a beginning-of-sequence token in front? */
  readonly addsBos: boolean;
  readonly bosToken: number | null;
  readonly eosToken: number | null;
  /** Texts of BOS and EOS, which chat templates write. */
  readonly bosText: string | null;
  readonly eosText: string | null;
  /**
   * Texts that become a token of their own where special tokens are read as such, and only there: turns, BOS, EOS and
   * the like. Vocabularies have from three to some thousands.
   */
  readonly controlTokens: readonly string[];
  readonly chatTemplate: string | null;
}

/** A model's own chat template, a Jinja text. */
export interface ChatTemplateInfo {
  readonly source: string;
  /** Of the source in UTF-8, in lower-case hexadecimal. */
  readonly sha256: string;
}

/** How a model's chats are rendered: the same for all of them. */
export interface ChatDescription {
  /** What becomes of system messages; null where the template cannot be run. */
  readonly systemRole: 'keep' | 'fold' | null;
  /** What the template takes content as. */
  readonly content: 'text' | 'parts' | null;
  /** The day that it is given, YYYY-MM-DD; null where it writes none, or one of its own. */
  readonly date: string | null;
  /** Why it cannot be run. */
  readonly error: string | null;
}

export interface ObserveOptions {
  readonly signal?: AbortSignal;
}

/** A model as suites use it: it answers windows of requests with columns of numbers. */
export interface Backend extends AsyncDisposable {
  readonly info: ModelInfo;
  readonly tokenizer: Tokenizer;
  /** Windows that it should have at a time, so that it never waits for one. Default: 2. */
  readonly windowsAtOnce?: number;
  /** Images can be shown to it. Default: no. */
  readonly seesImages?: boolean;
  /** Chats can be asked of it. Default: where it has a chat template. */
  readonly takesChats?: boolean;
  /**
   * It continues its own text where a request says `then`, without decoding the text again where its memory allows it.
   * Default: no, and `then` is passed over.
   */
  readonly goesOn?: boolean;
  /** How many CPU threads decode, and why, for each process that holds the model. Default: nothing is decoded here. */
  readonly threads?: readonly ThreadChoice[];
  /** What was asked so far and what it cost, of a model that is paid by the token. */
  readonly usage?: Usage | undefined;
  /**
   * Finds out what it needs to know of itself for requests like these, before {@link Backend.refusal} and
   * {@link Backend.seesImages} are asked. Default: it knows all.
   */
  prepare?(requests: readonly ObserveRequest[], options?: ObserveOptions): Promise<void>;
  /** Why a request like this one can never be asked of it; null where it can. Default: every request can. */
  refusal?(request: ObserveRequest): AuditError | null;
  /** What chats in requests are rendered with; null for a model that has none. */
  readonly chatTemplate: ChatTemplateInfo | null;
  /** How it renders them; null for a model that has no template, or renders unseen. */
  describeChats?(): Promise<ChatDescription | null>;
  /** Observes one window of requests, off the event loop. `firstRequest` of what comes back is 0. */
  observeWindow(
    requests: readonly ObserveRequest[],
    measure: Measure,
    options?: ObserveOptions,
  ): Promise<Observations>;
  close(): Promise<void>;
}

/** Whether chats can be asked of it. */
export function readsChats({ takesChats, chatTemplate }: Backend): boolean {
  return takesChats ?? chatTemplate !== null;
}
