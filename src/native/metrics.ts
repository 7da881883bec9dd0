/**
 * The metrics addon's face. Its types are generated from the Rust code (generated/metrics.ts); here it is only
 * loaded, and what it throws leaves as an AuditError.
 */
import { toAuditError } from '../errors.ts';
import type * as Generated from './generated/metrics.ts';
import { loadAddon } from './load.ts';

export type MetricsAddon = typeof Generated;

let addon: MetricsAddon | undefined;

/** The metrics addon, loaded on first use. Throws `addon_missing`. */
export function metricsAddon(): MetricsAddon {
  addon ??= loadAddon('metrics') as MetricsAddon;
  return addon;
}

/** Calls a synchronous function of the addon. */
export function callingSync<T>(call: (addon: MetricsAddon) => T): T {
  try {
    return call(metricsAddon());
  } catch (error) {
    throw toAuditError(error);
  }
}

/** Calls a function of the addon that gives a promise. */
export async function callingAsync<T>(call: (addon: MetricsAddon) => Promise<T>): Promise<T> {
  try {
    return await call(metricsAddon());
  } catch (error) {
    throw toAuditError(error);
  }
}
