/**
 * What a suite is: a table entry and pure functions. It says how a row of data becomes requests, how what was
 * observed becomes the row's result, and which of the result's numbers are metrics. It touches neither model nor disk.
 */
import type { z } from 'zod';
import type { Lexicon, LexiconMapping } from '../lexicon/index.ts';
import type { FinishReason, Measure, ObserveRequest } from '../observation.ts';

/** A JSON value: what a row result is made of, so that the journal holds it as it is. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type Fields = { readonly [key: string]: Json };

/** What every function of a suite may use besides its arguments. */
export interface SuiteContext {
  readonly lexicon: Lexicon;
  readonly mapping: LexiconMapping;
  /** K of the top-K form of a divergence. */
  readonly topK: number;
}

/** Who a row is, for the journal and the slices. An absent slice value is null. */
export interface RowIdentity {
  readonly id: string;
  readonly slices: Readonly<Record<string, string | null>>;
}

/** What is to be asked for a row, or why nothing is. `note` goes into the row's result. */
export type Plan =
  | { readonly kind: 'ask'; readonly requests: readonly ObserveRequest[]; readonly note: Fields }
  | { readonly kind: 'skip'; readonly reason: string; readonly message: string };

/** One text of a request as the model read it. */
export interface ObservedText {
  /** BOS in front included. */
  readonly tokenIds: readonly number[];
  /** A token would have spanned the join of prompt and continuation; the boundary was moved in front of it. */
  readonly backedOff: boolean;
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
  readonly tokenIds: readonly number[];
  readonly logProb: number;
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
  readonly embedding: Float32Array | null;
}

/** A number that is averaged over rows. */
export interface MetricDefinition {
  /** Its place in metrics.json; a dot goes one level down. */
  readonly name: string;
  /** What a table calls it. */
  readonly label: string;
  /** How many steps a row has. */
  readonly stepsPerRow: number;
  /** The row's value at each of its steps. */
  values(result: Fields): readonly number[];
}

export interface Suite<Row = unknown> {
  readonly name: string;
  readonly summary: string;
  readonly schema: z.ZodType<Row>;
  /** Columns whose values cut the data into slices. */
  readonly slices: readonly string[];
  metrics(context: SuiteContext): readonly MetricDefinition[];
  /** What must be said beside the metrics, by the same names as theirs (`jsdTopK.k`). */
  constants(context: SuiteContext): Readonly<Record<string, number>>;
  /** Throws `bad_argument` where this suite cannot work with this lexicon. */
  check(context: SuiteContext): void;
  /** What is computed of every observed step. */
  measure(context: SuiteContext): Measure;
  identify(row: Row): RowIdentity;
  plan(row: Row, context: SuiteContext): Plan;
  /** The row's result; `observed` has one entry per request of the plan. */
  score(observed: readonly ObservedRequest[], context: SuiteContext): Fields;
}
