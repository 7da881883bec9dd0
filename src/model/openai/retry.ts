/**
 * Attempts at one request, with waits that double and vary: a server that is overloaded is not asked by everyone again
 * at the same moment.
 */
import { AuditError } from '../../errors.ts';
import { AttemptFault } from './fault.ts';
import type { Runtime } from './runtime.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;
/** A server that wants a longer rest than this is reported as a fault instead. */
const LONGEST_ASKED_MS = 600_000;
/** A model is loaded for minutes, and ready at some moment of them. */
const LONGEST_LOADING_WAIT_MS = 15_000;

/** Half of the doubled wait, and up to as much again by chance. `failed` counts from 1. */
export function waitAfter(failed: number, random: number): number {
  const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failed - 1));
  return (most / 2) * (1 + random);
}

/** What becomes of a server that says that it is still loading its model. */
export interface LoadingOptions {
  /** How long it is waited for in all. */
  readonly limitMs: number;
  /** Called with what the server says, before each wait. */
  readonly onWait?: ((reason: string) => void) | undefined;
}

export interface Tried<T> {
  readonly value: T;
  readonly attempts: number;
}

/**
 * Calls `attempt` until it gives a value. Throws the last fault as an error that says how often it was tried, a fault
 * that another attempt would not mend at once, and `cancelled`.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  attempts: number,
  runtime: Pick<Runtime, 'sleep' | 'random'>,
  signal: AbortSignal,
  loading: LoadingOptions = { limitMs: 0 },
): Promise<Tried<T>> {
  const sleep = (ms: number) =>
    runtime.sleep(ms, signal).catch(() => {
      throw new AuditError('cancelled', 'the observation was cancelled');
    });
  let waited = 0;
  let loads = 0;
  for (let tried = 1; ; tried += 1) {
    if (signal.aborted) throw new AuditError('cancelled', 'the observation was cancelled');
    try {
      return { value: await attempt(), attempts: tried };
    } catch (thrown) {
      if (signal.aborted) throw new AuditError('cancelled', 'the observation was cancelled');
      if (!(thrown instanceof AttemptFault)) throw thrown;
      const { retryAfterMs } = thrown;
      if (thrown.loading && waited < loading.limitMs) {
        loading.onWait?.(thrown.message);
        loads += 1;
        const due = Math.max(waitAfter(loads + 1, runtime.random()), retryAfterMs ?? 0);
        const wait = Math.min(due, LONGEST_LOADING_WAIT_MS, loading.limitMs - waited);
        waited += wait;
        await sleep(wait);
        // It was not an attempt at an answer.
        tried -= 1;
        continue;
      }
      const tooLong = retryAfterMs !== null && retryAfterMs > LONGEST_ASKED_MS;
      if (thrown.loading && loading.limitMs > 0) {
        const limit = `it was waited for ${Math.round(waited / 1000)} s while it loaded (--loading-timeout)`;
        throw thrown.with(`${thrown.message}; ${limit}`, { mayPass: false }).toError(tried);
      }
      if (!thrown.mayPass || tried >= attempts || tooLong) throw thrown.toError(tried);
      // What the server asks for is the least; the rest is there so that not all come back at once.
      const wait = Math.max(waitAfter(tried, runtime.random()), retryAfterMs ?? 0);
      await sleep(wait);
    }
  }
}
