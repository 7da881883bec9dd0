/**
 * The engine addon's face: the one place that types what native/addon exports. test/native/engine.test.ts holds
 * these types against the addon itself.
 */
import { toAuditError } from '../errors.ts';
import { loadAddon } from './load.ts';

/** Implementations of the metrics on logits that a build may have; all give the same numbers to 1e-6. */
export type MetricsImpl = 'auto' | 'cpu' | 'graph' | 'cuda' | 'metal';

/** Options of an opened model. Absent ones take the engine's defaults. */
export interface EngineOptions {
  /** Longest text in tokens; default: the model's trained length, at most 1024. */
  readonly contextLength?: number;
  /**
   * `fast` (default): texts share batches and prefixes, which may change the last digits, more of them where weights are
   * quantised; `exact`: every text is decoded alone, in calls of one size, and gives the same bits in any company.
   */
  readonly mode?: 'exact' | 'fast';
  /** Type of the KV cache; default f32, which is what the published tolerances hold for. */
  readonly kvType?: 'f32' | 'f16';
  /** Default false: flash attention is faster and strays further. */
  readonly flashAttention?: boolean;
  /** CPU threads; default: LOGIT_AUDIT_THREADS, or what a short trial finds to be fastest here and now. */
  readonly threads?: number;
  /** Tokens decoded in one call in `fast` mode; default 128 on the CPU, 512 on an accelerator. */
  readonly batch?: number;
  /** Layers on the accelerator, where there is one; default: all. */
  readonly gpuLayers?: number;
  /**
   * `auto` (default): every accelerator that there is, else the CPU; `cpu`: no accelerator takes part; all of one kind:
   * `cuda`, `metal`, `vulkan`; or the name of one, such as `CUDA1`, as `logit-audit doctor` lists them.
   */
  readonly device?: string;
  /**
   * Where rows of logits are reduced: `auto` (default): on the device that computes them, where that is an accelerator,
   * else `cpu`; `cpu`: in host memory; `graph`: on any device, by ggml operations; `cuda`, `metal`: by kernels of a build
   * that has them.
   */
  readonly metricsImpl?: MetricsImpl;
  /** LoRA adapters, which add up. */
  readonly lora?: readonly LoraAdapter[];
}

/** A LoRA adapter to apply. */
export interface LoraAdapter {
  /** A GGUF file. */
  readonly path: string;
  /** Factor beside the adapter's own, which is its alpha / rank; default 1; 0 leaves the model as it is. */
  readonly scale?: number;
}

/** A LoRA adapter as it was applied. */
export interface RawAdapter {
  path: string;
  scale: number;
  alpha: number;
}

/** How many CPU threads decode, and why. */
export interface RawThreads {
  threads: number;
  /** Cores that the process may use: its affinity, and its control group's quota. */
  cores: number;
  /**
   * `option`: asked for; `environment`: LOGIT_AUDIT_THREADS; `one_core`: no more may be used; `accelerator`: all layers are on
   * one, and the CPU has little to do; `flash_attention`: half of the cores, since numbers depend on the number; `trial`: the fastest of one, half of the cores and all; `untried`: no trial came to
   * an end, and half of the cores decode.
   */
  by: 'option' | 'environment' | 'one_core' | 'accelerator' | 'flash_attention' | 'trial' | 'untried';
  /** What the last trial measured; null for a number of threads that was given up as too slow. */
  trial: { threads: number; tokensPerSecond: number | null }[];
  trialSeconds: number;
  /** Trials after the first, and how many of them led to another number. */
  retrials: number;
  changes: number;
}

export interface RawModelInfo {
  path: string;
  parts: string[];
  adapters: RawAdapter[];
  devices: string[];
  description: string;
  architecture: string;
  parameters: number;
  sizeBytes: number;
  vocabSize: number;
  contextLength: number;
  /** As the model was opened; observations say what it is after each window. */
  threads: RawThreads;
  /** Who reduces rows of logits: `cpu`, `graph`, `cuda` or `metal`; a benchmark's stand-in too. */
  metricsImpl: string;
  /** Why it is not what was wanted, else null. */
  metricsWarning: string | null;
  /** Bytes that metrics take of the device's memory at most; 0 for `cpu`. */
  metricsMemory: number;
  trainedContextLength: number;
  tokenizer: string;
  addsBos: boolean;
  bosToken: number | null;
  eosToken: number | null;
  bosText: string | null;
  eosText: string | null;
  controlTokens: string[];
  chatTemplate: string | null;
}

/** How a text is continued. */
export interface RawDecoding {
  /** generate, and pairs in `decode` steps: 1 or more. */
  maxTokens?: number;
  temperature?: number;
  topP?: number;
  /** A whole number from 0 to 2^53 - 1. */
  seed?: number;
  stop?: string[];
  /** GBNF with a rule named root. */
  grammar?: string;
}

/** Columns over texts that were written. */
export interface RawGenerations {
  request: Uint32Array;
  /** 0: a token that ends the text; 1: a stop string; 2: maxTokens; 3: the context is full. */
  finish: Uint8Array;
  texts: string[];
  logProb: Float64Array;
  ids: Int32Array;
  offsets: Uint32Array;
}

/** One request. probe, generate, embed: one text; pair: a text and its swap; score: the prompt, then the continuations. */
export interface RawRequest extends RawDecoding {
  kind: 'probe' | 'pair' | 'score' | 'generate' | 'embed';
  texts: string[];
  /** The texts are rendered chats: special tokens in them are special. */
  special?: boolean;
  positions?: 'last' | 'all' | Uint32Array;
  steps?: 'last' | 'aligned' | 'decode';
  /** score: `targets` too. */
  perToken?: boolean;
  /** score: the first token of a text too, behind its BOS or else its EOS where the model puts none in front. */
  scoreFirst?: boolean;
  /** generate: `rows` and `targets` too. */
  stepMetrics?: boolean;
  /** generate: what is put behind the text once it is written, and how that is continued. */
  then?: RawDecoding & { text: string };
}

export interface RawMeasure {
  /** Ids of all groups, one group after the other. */
  groupIds: Int32Array;
  /** groups + 1 offsets into `groupIds`. */
  groupOffsets: Uint32Array;
  topK: number;
  pairTopK: Uint32Array;
}

export interface RawObservations {
  rows: {
    request: Uint32Array;
    side: Uint32Array;
    position: Uint32Array;
    logsumexp: Float64Array;
    entropy: Float64Array;
    masses: Float64Array;
    topKIds: Int32Array;
    topKProbs: Float64Array;
  };
  pairs: {
    request: Uint32Array;
    row: Uint32Array;
    rowSwap: Uint32Array;
    jsd: Float64Array;
    klPQ: Float64Array;
    klQP: Float64Array;
    totalVariation: Float64Array;
    /** pairs x K, row-major, like the next three. */
    unionSize: Uint32Array;
    partial: Float64Array;
    lower: Float64Array;
    upper: Float64Array;
  };
  targets: {
    request: Uint32Array;
    side: Uint32Array;
    position: Uint32Array;
    token: Int32Array;
    logProb: Float64Array;
    rank: Uint32Array;
  };
  scores: {
    request: Uint32Array;
    side: Uint32Array;
    tokens: Uint32Array;
    bytes: Uint32Array;
    logProb: Float64Array;
  };
  generations: RawGenerations;
  /** Behind `then`, of the generations that were continued. */
  followed: RawGenerations;
  embeddings: {
    request: Uint32Array;
    /** Texts x dimensions. */
    values: Float32Array;
  };
  sequences: {
    request: Uint32Array;
    side: Uint32Array;
    backedOff: Uint8Array;
    ids: Int32Array;
    offsets: Uint32Array;
  };
  failures: { request: number; code: string; message: string; data: Record<string, unknown> }[];
  decodedTokens: number;
  naiveTokens: number;
  /** What the window was decoded on at its end. */
  threads: RawThreads;
}

export interface RawCancelFlag {
  cancel(): void;
}

export interface RawJointTokens {
  ids: Int32Array;
  boundary: number;
  backedOff: boolean;
}

/** What a window of requests would cost: the plan, counted and not decoded. */
export interface RawCost {
  /** What `observe` would report of the same requests. */
  decodedTokens: number;
  naiveTokens: number;
  /** Requests that would fail before anything is decoded. */
  failures: number;
}

/**
 * Who reduces rows. Benchmarks open models that throw rows away or keep them for `takeLogits`, whose records are NaN
 * (native/metrics/baseline.h says why they exist); everyone else has `cpu`.
 */
export type RawReducer = 'cpu' | 'discard' | 'copy';

export interface RawModel {
  info(): RawModelInfo;
  tokenize(text: string, bos: boolean, special: boolean): Int32Array;
  tokenizeJoint(prompt: string, continuation: string, bos: boolean, special: boolean): RawJointTokens;
  piece(token: number): string;
  detokenize(tokens: Int32Array): string;
  observe(requests: RawRequest[], measure: RawMeasure, cancel: RawCancelFlag): Promise<RawObservations>;
  cost(requests: RawRequest[]): Promise<RawCost>;
  /** The rows of probes since the last call, in the order in which they were decoded. Only of a model that copies. */
  takeLogits(): Float32Array;
  close(): Promise<void>;
}

export interface RawDevice {
  name: string;
  description: string;
  kind: 'cpu' | 'gpu' | 'igpu' | 'accelerator';
  /** Who reduces logits in its memory under `auto`. */
  metrics: string;
  memoryFree: number;
  memoryTotal: number;
}

export interface RawSystem {
  llamaVersion: string;
  llamaCrate: string;
  builtFor: string;
  /** Instruction sets and options that llama.cpp was compiled with, such as "AVX2". */
  features: string[];
  /** That this process may use. */
  cores: number;
  /** Implementations of the metrics on logits in this build. */
  metrics: string[];
  devices: RawDevice[];
}

/** What the options of a context come to for a model: what its memory depends on. */
export interface RawContextShape {
  /** Longest text in tokens. */
  contextLength: number;
  /** Tokens that the KV cache holds. */
  cells: number;
  /** Most tokens of one decode call, and of one graph. */
  batch: number;
  graphTokens: number;
  /** Most rows of logits that one decode call leaves. */
  outputs: number;
  /** Names of the devices that the options choose. */
  devices: string[];
  /** Who would reduce rows of logits. */
  metricsImpl: string;
  /** Bytes for that beyond the logits: sums on the device, and host space that llama.cpp sets aside; 0 for `cpu`. */
  metricsBytes: number;
}

export interface EngineAddon {
  openModel(path: string, options: EngineOptions, reducer?: RawReducer): Promise<RawModel>;
  contextShape(
    options: EngineOptions,
    model: { vocabSize: number; trainedContextLength: number },
  ): RawContextShape;
  CancelFlag: new () => RawCancelFlag;
  EngineModel: abstract new () => RawModel;
  system(): RawSystem;
  errorCodes(): string[];
}

let addon: EngineAddon | undefined;

/** The engine addon, loaded on first use. Throws `addon_missing`. */
export function engineAddon(): EngineAddon {
  addon ??= loadAddon('engine') as EngineAddon;
  return addon;
}

/** Runs a call into the addon; what it throws leaves as an AuditError. */
export async function calling<T>(call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toAuditError(error);
  }
}
