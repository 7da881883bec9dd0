/** What this room takes from the outside world, so that tests can have a world of their own. */
import { setTimeout } from 'node:timers/promises';

export interface Runtime {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** In ms. Rejects once the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** In [0, 1). */
  random(): number;
  /** Ms since 1970, for dates in a server's answers. */
  now(): number;
  /** A signal that is aborted after so many ms; `clear` where it is not needed any more. */
  deadline(ms: number): { readonly signal: AbortSignal; clear(): void };
}

export const REAL: Runtime = {
  env: process.env,
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
  random: Math.random,
  now: Date.now,
  deadline(ms) {
    const controller = new AbortController();
    const timer = globalThis.setTimeout(() => controller.abort(), ms);
    return { signal: controller.signal, clear: () => clearTimeout(timer) };
  },
};
