/** Requests that belong together: all are on their way at a time, and one that fails for all ends the others. */
import { toAuditError } from '../../errors.ts';

/** So many tasks at a time, the others in the order in which they came. */
export class Limiter {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(concurrency: number) {
    this.#free = concurrency;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    // Whoever leaves hands the place on, so that nobody who comes meanwhile takes it.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}

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
  // Those that were stopped because of another's fault are cancelled; the fault is reported.
  const fault = faults.find(({ code }) => code !== 'cancelled') ?? faults[0];
  if (fault) throw fault;
  return Promise.all(asked);
}
