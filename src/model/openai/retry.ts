/**
 * Attempts at one request, with waits that double and vary: a server that is overloaded is not asked by everyone again
 * at the same moment.
 */
import { AuditError } from '../../errors.ts';
import { AttemptFault } from './fault.ts';
import type { Runtime } from './runtime.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;
/** A server that wants a longer rest than this is told as a fault instead. */
const LONGEST_ASKED_MS = 600_000;

/** Half of the doubled wait, and up to as much again by chance. `failed` counts from 1. */
export function waitAfter(failed: number, random: number): number {
  const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failed - 1));
  return (most / 2) * (1 + random);
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
): Promise<Tried<T>> {
  for (let tried = 1; ; tried += 1) {
    if (signal.aborted) throw new AuditError('cancelled', 'the observation was cancelled');
    try {
      return { value: await attempt(), attempts: tried };
    } catch (thrown) {
      if (signal.aborted) throw new AuditError('cancelled', 'the observation was cancelled');
      if (!(thrown instanceof AttemptFault)) throw thrown;
      const { retryAfterMs } = thrown;
      const tooLong = retryAfterMs !== null && retryAfterMs > LONGEST_ASKED_MS;
      if (!thrown.mayPass || tried >= attempts || tooLong) throw thrown.toError(tried);
      // What the server asks for is the least; the rest is there so that not all come back at once.
      const wait = Math.max(waitAfter(tried, runtime.random()), retryAfterMs ?? 0);
      await runtime.sleep(wait, signal).catch(() => {
        throw new AuditError('cancelled', 'the observation was cancelled');
      });
    }
  }
}
