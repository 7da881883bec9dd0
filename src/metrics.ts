/**
 * `logit-audit/metrics`: the numbers on logits that you already have, without llama.cpp. Inputs are typed arrays that
 * are not copied, results are columns. The Promise versions run off the event loop and must not see their inputs
 * change meanwhile; the `Sync` twins run on it. Definitions, shapes and errors stand with each function of the addon.
 */
import { callingAsync, callingSync, type MetricsAddon } from './native/metrics.ts';

type Inputs<Name extends keyof MetricsAddon> = Parameters<MetricsAddon[Name]>;
type Output<Name extends keyof MetricsAddon> = Awaited<ReturnType<MetricsAddon[Name]>>;

export type RowMetrics = Output<'rowMetrics'>;
export type PairMetrics = Output<'pairMetrics'>;
export type AggregateResult = Output<'aggregate'>;
export type GateResult = Output<'gate'>;
export type WilsonInterval = Output<'wilson'>;
export type IntervalMethod = NonNullable<NonNullable<Inputs<'aggregate'>[1]>['ci']>;

/** Row metrics of rows x vocab logits: logsumexp, entropy, group masses, targets, likeliest tokens. */
export function rowMetrics(...inputs: Inputs<'rowMetrics'>): Promise<RowMetrics> {
  return callingAsync((addon) => addon.rowMetrics(...inputs));
}

export function rowMetricsSync(...inputs: Inputs<'rowMetricsSync'>): RowMetrics {
  return callingSync((addon) => addon.rowMetricsSync(...inputs));
}

/** Pair metrics of two equally shaped sets of rows: JSD, KL both ways, total variation, top-K forms with bounds. */
export function pairMetrics(...inputs: Inputs<'pairMetrics'>): Promise<PairMetrics> {
  return callingAsync((addon) => addon.pairMetrics(...inputs));
}

export function pairMetricsSync(...inputs: Inputs<'pairMetricsSync'>): PairMetrics {
  return callingSync((addon) => addon.pairMetricsSync(...inputs));
}

/** Gated mean with coverage and interval. */
export function aggregate(...inputs: Inputs<'aggregate'>): Promise<AggregateResult> {
  return callingAsync((addon) => addon.aggregate(...inputs));
}

export function aggregateSync(...inputs: Inputs<'aggregateSync'>): AggregateResult {
  return callingSync((addon) => addon.aggregateSync(...inputs));
}

/** Which steps count: top-K trigger and occupation-with-pronoun window. */
export function gate(...inputs: Inputs<'gate'>): GateResult {
  return callingSync((addon) => addon.gate(...inputs));
}

/** Wilson's interval of a proportion. */
export function wilson(...inputs: Inputs<'wilson'>): WilsonInterval {
  return callingSync((addon) => addon.wilson(...inputs));
}

/** Which vector instructions the row and pair metrics use, and which this machine has. */
export function simd(): Output<'simd'> {
  return callingSync((addon) => addon.simd());
}
