/**
 * `logit-audit/metrics`: the numbers on logits that you already have, without llama.cpp. Inputs are typed arrays, results
 * are columns. The Promise versions run off the event loop on a copy of their inputs, made when they are called, or on
 * the inputs themselves with `transfer: true`; the `Sync` twins run on it and read their inputs in place. Formulas, ranges, edge cases and accuracy: docs/metrics.md.
 *
 * Every function throws (or rejects with) an AuditError: `bad_argument` for an argument of the wrong type or value,
 * `empty_input`, `length_mismatch`, `out_of_range`, `not_finite`, `all_masked`; `data` says where (`input`, `row`,
 * `column`, `id`).
 */
import { checkArgument, checkObject, type Fields } from '../native/arguments.ts';
import { inPlace, withCopies } from '../native/memory.ts';
import { callingAsync, callingSync, type MetricsAddon } from '../native/metrics.ts';

export { Aggregator, type AggregatorState, type StepColumns } from './aggregator.ts';
export { LIST_ERROR, listedGroup, listedRows, TokenNumbers } from './bound-lists.ts';
export {
  type BoundColumns,
  type ListedPairMetrics,
  type ListedRowMetrics,
  type ListedRows,
  listedPairMetrics,
  listedPairMetricsSync,
  listedRowMetrics,
  listedRowMetricsSync,
} from './bounds.ts';
export {
  type CohenDOptions,
  cohenD,
  cohenH,
  type DetectableEffect,
  type Effect,
  type EffectOptions,
  type Equivalence,
  type EquivalenceOptions,
  meanEquivalence,
  minimumDetectableEffect,
  type OddsRatio,
  oddsRatio,
  type PowerOptions,
  pairedOddsRatio,
  type StandardisedDifference,
  shareEquivalence,
} from './effects.ts';
export {
  cronbachAlpha,
  type FeldtInterval,
  type ItemStatistics,
  type Reliability,
} from './reliability.ts';
export {
  type BootstrapGroupsResult,
  type BootstrapRatiosResult,
  bootstrapGroups,
  bootstrapGroupsSync,
  bootstrapRatios,
  bootstrapRatiosSync,
  type GroupOptions,
  type PercentileInterval,
  type PercentileOptions,
  type PercentileResult,
  percentileInterval,
  percentileIntervalSync,
  type RatioOptions,
} from './resampling.ts';
export {
  innerProducts,
  innerProductsHalf,
  innerProductsHalfSync,
  innerProductsSync,
  normalizeRows,
  normalizeRowsSync,
  type ProductOptions,
  type VectorOptions,
} from './similarity.ts';
export {
  type AggregateOptions,
  type AggregateResult,
  aggregate,
  aggregateSync,
  type BootstrapKind,
  type BootstrapSettings,
  benjaminiHochberg,
  type ConfidenceInterval,
  type CorrelationMethod,
  type CorrelationOptions,
  type CorrelationResult,
  checkInterval,
  correlation,
  correlationSync,
  type GateResult,
  gate,
  holm,
  type IntervalMethod,
  type IntervalOptions,
  type KruskalWallisResult,
  kruskalWallis,
  kruskalWallisSync,
  type McNemarResult,
  mcnemar,
  type PairedDifferenceResult,
  pairedDifference,
  pairedDifferenceSync,
  type ShareInterval,
  type ShareOptions,
  type ShareResult,
  type SharesDifference,
  type SignFlipOptions,
  type SignFlipResult,
  share,
  signFlip,
  signFlipSync,
  tango,
  type WilsonInterval,
  wilson,
} from './statistics.ts';

type Output<Name extends 'rowMetrics' | 'pairMetrics' | 'simd'> = Awaited<ReturnType<MetricsAddon[Name]>>;

/** What is computed of each row of logits. */
export type RowOptions = Parameters<MetricsAddon['rowMetrics']>[1];
/** Numbers of rows of logits, a column each. */
export type RowMetrics = Output<'rowMetrics'>;
/** What is computed of each pair of rows of logits. */
export type PairOptions = Parameters<MetricsAddon['pairMetrics']>[2];
/** Numbers of pairs of rows of logits, a column each. */
export type PairMetrics = Output<'pairMetrics'>;
/** Which instructions the metrics use. */
export type Simd = Output<'simd'>;

/** How logits reach the threads that measure them. */
export interface TransferOptions {
  /**
   * Hand the memory of the logits over instead of having it copied; false when left out. The buffers that hold them are
   * detached: every array that lies in them is empty afterwards.
   */
  readonly transfer?: boolean;
}

/**
 * Row metrics of rows x vocab logits (a Float32Array, row after row; -Infinity masks a token): logsumexp, entropy in
 * nats, group masses in [0, 1], log-probability and rank of a target, the likeliest tokens.
 */
export function rowMetrics(logits: Float32Array, options: RowOptions & TransferOptions): Promise<RowMetrics> {
  return callingAsync((addon) => {
    const read = rowInputs(logits, options);
    return withCopies(
      read,
      (inputs) => addon.rowMetrics(inputs.logits, inputs.options),
      read.options.transfer ? ['logits'] : [],
    );
  });
}

/** {@link rowMetrics} at once, on the event loop. */
export function rowMetricsSync(logits: Float32Array, options: RowOptions): RowMetrics {
  return callingSync((addon) => {
    const inputs = inPlace(rowInputs(logits, options));
    return addon.rowMetricsSync(inputs.logits, inputs.options);
  });
}

/**
 * Pair metrics of two equally shaped sets of rows, row by row: Jensen-Shannon divergence in [0, ln 2], KL both ways,
 * total variation in [0, 1], and the top-K forms of the divergence with bounds. Bits instead of nats with `base: 2`.
 */
export function pairMetrics(
  a: Float32Array,
  b: Float32Array,
  options: PairOptions & TransferOptions,
): Promise<PairMetrics> {
  return callingAsync((addon) => {
    const read = pairInputs(a, b, options);
    return withCopies(
      read,
      (inputs) => addon.pairMetrics(inputs.a, inputs.b, inputs.options),
      read.options.transfer ? ['a', 'b'] : [],
    );
  });
}

/** {@link pairMetrics} at once, on the event loop. */
export function pairMetricsSync(a: Float32Array, b: Float32Array, options: PairOptions): PairMetrics {
  return callingSync((addon) => {
    const inputs = inPlace(pairInputs(a, b, options));
    return addon.pairMetricsSync(inputs.a, inputs.b, inputs.options);
  });
}

const ROW_FIELDS: Fields = {
  groups: { listOf: Int32Array },
  targets: Int32Array,
  topK: 'number',
  threads: 'number',
  transfer: 'boolean',
};
const PAIR_FIELDS: Fields = {
  topK: { listOf: 'number' },
  base: 'number',
  threads: 'number',
  transfer: 'boolean',
};

function rowInputs(logits: Float32Array, options: RowOptions & TransferOptions) {
  return {
    logits: checkArgument('logits', logits, Float32Array),
    options: checkObject('options', options, { vocab: 'number' }, ROW_FIELDS),
  };
}

function pairInputs(a: Float32Array, b: Float32Array, options: PairOptions & TransferOptions) {
  return {
    a: checkArgument('a', a, Float32Array),
    b: checkArgument('b', b, Float32Array),
    options: checkObject('options', options, { vocab: 'number' }, PAIR_FIELDS),
  };
}

/** Which vector instructions the row and pair metrics use, and which this machine has. */
export function simd(): Simd {
  return callingSync((addon) => addon.simd());
}
