/** Requests that belong together: all are on their way at a time, and one that fails for all ends the others. */
import { toAuditError } from '../../errors.ts';

/**
 * What `ask` gives for each, in order. What it throws stops what is still on its way, which would be asked in vain, and is
 * thrown once all of it has ended: the first fault, or that of `signal` where there is no other.
 */
export async function askTogether<T, A>(
  items: readonly T[],
  signal: AbortSignal | undefined,
  ask: (item: T, signal: AbortSignal, place: number) => Promise<A>,
): Promise<A[]> {
  const stop = new AbortController();
  const both = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const asked = items.map(async (item, place) => {
    try {
      return await ask(item, both, place);
    } catch (thrown) {
      stop.abort();
      throw thrown;
    }
  });
  const settled = await Promise.allSettled(asked);
  const faults = settled.flatMap((one) => (one.status === 'rejected' ? [toAuditError(one.reason)] : []));
  // Those that were stopped because of another's fault are cancelled; the fault is what is told.
  const fault = faults.find(({ code }) => code !== 'cancelled') ?? faults[0];
  if (fault) throw fault;
  return Promise.all(asked);
}
