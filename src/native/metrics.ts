/**
 * The metrics addon's face. Its types are generated from the Rust code (generated/metrics.ts); here it is only
 * loaded, and what it throws leaves as an AuditError.
 */
import { AuditError, toAuditError } from '../errors.ts';
import type * as Generated from './generated/metrics.ts';
import { loadAddon } from './load.ts';

export type MetricsAddon = typeof Generated;

let addon: MetricsAddon | undefined;

/** The metrics addon, loaded on first use. Throws `addon_missing`. */
export function metricsAddon(): MetricsAddon {
  addon ??= loadAddon('metrics') as MetricsAddon;
  return addon;
}

/** Codes with which Node-API refuses an argument of the wrong JavaScript type, before our code sees it. */
const WRONG_TYPE = new Set([
  'InvalidArg',
  'ObjectExpected',
  'StringExpected',
  'NameExpected',
  'FunctionExpected',
  'NumberExpected',
  'BooleanExpected',
  'ArrayExpected',
  'BigintExpected',
  'DateExpected',
  'ArrayBufferExpected',
]);

/** What the addon threw as an AuditError; an argument of the wrong type is the caller's fault, not ours. */
function fromAddon(thrown: unknown): AuditError {
  const code = thrown instanceof Error ? (thrown as { code?: unknown }).code : undefined;
  const refused = typeof code === 'string' ? WRONG_TYPE.has(code) : thrown instanceof TypeError;
  if (!refused) return toAuditError(thrown);
  const { message } = thrown as Error;
  return new AuditError(
    'bad_argument',
    `an argument is of the wrong type: ${message}`,
    {},
    { cause: thrown },
  );
}

/** Calls a synchronous function of the addon. */
export function callingSync<T>(call: (addon: MetricsAddon) => T): T {
  try {
    return call(metricsAddon());
  } catch (error) {
    throw fromAddon(error);
  }
}

/** Calls a function of the addon that gives a promise. */
export async function callingAsync<T>(call: (addon: MetricsAddon) => Promise<T>): Promise<T> {
  try {
    return await call(metricsAddon());
  } catch (error) {
    throw fromAddon(error);
  }
}
