/**
 * `logit-audit/metrics`: the numbers on logits that you already have, without llama.cpp. Inputs are typed arrays that
 * are not copied, results are columns. The Promise versions run off the event loop and must not see their inputs
 * change meanwhile; the `Sync` twins run on it. Formulas, ranges, edge cases and accuracy: docs/metrics.md.
 *
 * Every function throws (or rejects with) an AuditError: `bad_argument` for an argument of the wrong type or value,
 * `empty_input`, `length_mismatch`, `out_of_range`, `not_finite`, `all_masked`; `data` says where (`input`, `row`,
 * `column`, `id`).
 */
import { checkArgument, checkObject } from './native/arguments.ts';
import { callingAsync, callingSync, type MetricsAddon } from './native/metrics.ts';

export { Aggregator, type AggregatorState, type StepColumns } from './aggregator.ts';
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
  benjaminiHochberg,
  type ConfidenceInterval,
  type CorrelationMethod,
  type CorrelationOptions,
  type CorrelationResult,
  correlation,
  correlationSync,
  type GateResult,
  gate,
  holm,
  type IntervalMethod,
  type IntervalOptions,
  type McNemarResult,
  mcnemar,
  type PairedDifferenceResult,
  pairedDifference,
  pairedDifferenceSync,
  type WilsonInterval,
  wilson,
} from './statistics.ts';

type Inputs<Name extends 'rowMetrics' | 'pairMetrics'> = Parameters<MetricsAddon[Name]>;
type Output<Name extends 'rowMetrics' | 'pairMetrics' | 'simd'> = Awaited<ReturnType<MetricsAddon[Name]>>;

export type RowMetrics = Output<'rowMetrics'>;
export type PairMetrics = Output<'pairMetrics'>;
export type Simd = Output<'simd'>;

/**
 * Row metrics of rows x vocab logits (a Float32Array, row after row; -Infinity masks a token): logsumexp, entropy in
 * nats, group masses in [0, 1], log-probability and rank of a target, the likeliest tokens.
 */
export function rowMetrics(...inputs: Inputs<'rowMetrics'>): Promise<RowMetrics> {
  return callingAsync((addon) => addon.rowMetrics(...rowInputs(inputs)));
}

/** {@link rowMetrics} at once, on the event loop. */
export function rowMetricsSync(...inputs: Inputs<'rowMetrics'>): RowMetrics {
  return callingSync((addon) => addon.rowMetricsSync(...rowInputs(inputs)));
}

/**
 * Pair metrics of two equally shaped sets of rows, row by row: Jensen-Shannon divergence in [0, ln 2], KL both ways,
 * total variation in [0, 1], and the top-K forms of the divergence with bounds. Bits instead of nats with `base: 2`.
 */
export function pairMetrics(...inputs: Inputs<'pairMetrics'>): Promise<PairMetrics> {
  return callingAsync((addon) => addon.pairMetrics(...pairInputs(inputs)));
}

/** {@link pairMetrics} at once, on the event loop. */
export function pairMetricsSync(...inputs: Inputs<'pairMetrics'>): PairMetrics {
  return callingSync((addon) => addon.pairMetricsSync(...pairInputs(inputs)));
}

function rowInputs(inputs: Inputs<'rowMetrics'>): Inputs<'rowMetrics'> {
  const [logits, options] = inputs;
  checkArgument('logits', logits, Float32Array);
  checkObject(
    'options',
    options,
    { vocab: 'number' },
    { groups: { listOf: Int32Array }, targets: Int32Array, topK: 'number', threads: 'number' },
  );
  return inputs;
}

function pairInputs(inputs: Inputs<'pairMetrics'>): Inputs<'pairMetrics'> {
  const [a, b, options] = inputs;
  checkArgument('a', a, Float32Array);
  checkArgument('b', b, Float32Array);
  checkObject(
    'options',
    options,
    { vocab: 'number' },
    { topK: { listOf: 'number' }, base: 'number', threads: 'number' },
  );
  return inputs;
}

/** Which vector instructions the row and pair metrics use, and which this machine has. */
export function simd(): Simd {
  return callingSync((addon) => addon.simd());
}
