/**
 * Requests, as many as there are, in windows: an async iterable with back-pressure. While the caller has a window,
 * the next one is decoded and the one after that is gathered; while the caller waits for one, the next is made ready.
 * Nothing is read ahead of that, so memory is that of a few windows, whatever the number of requests.
 */
import { AuditError } from '../../errors.ts';
import type { Observations, ObserveRequest } from '../../observation/observation.ts';
import { holdFault, sendAhead } from '../ahead.ts';

/** Requests in a window. Fixed, because what is decoded together may differ in the last digits. */
export const WINDOW_REQUESTS = 128;

/** What was done so far. */
export interface ObserveProgress {
  readonly requests: number;
  /** Tokens decoded. */
  readonly tokens: number;
}

export interface StreamOptions {
  /** Aborted, it ends the stream at the next batch with `cancelled`. */
  readonly signal?: AbortSignal;
  /** Called when a window was observed, before the caller gets it. */
  readonly onProgress?: (progress: ObserveProgress) => void;
}

/** Observes one window; `firstRequest` is the index of its first request in the stream. */
export type ObserveWindow = (
  window: readonly ObserveRequest[],
  firstRequest: number,
  signal: AbortSignal,
) => Promise<Observations>;

type Source = Iterable<ObserveRequest> | AsyncIterable<ObserveRequest>;

/**
 * Throws what `observeWindow` and the source throw, each at its turn: windows before it are given first. `windowsAtOnce`:
 * how many are observed at a time; default 2.
 */
export async function* observeStream(
  requests: Source,
  observeWindow: ObserveWindow,
  { signal, onProgress, windowsAtOnce }: StreamOptions & { readonly windowsAtOnce?: number },
): AsyncGenerator<Observations, void, undefined> {
  const stop = new AbortController();
  const onAbort = () => stop.abort();
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const gatherer = new Gatherer(requests, stop.signal);
  let gathering = holdFault(gatherer.next());
  const nextWindow = async () => {
    const window = await gathering;
    if (window.length === 0) return null;
    gathering = holdFault(gatherer.next());
    return window;
  };
  let firstRequest = 0;
  const send = (window: readonly ObserveRequest[]) => {
    const first = firstRequest;
    firstRequest += window.length;
    return observeWindow(window, first, stop.signal);
  };

  const answers = sendAhead(nextWindow, send, windowsAtOnce);
  const progress = { requests: 0, tokens: 0 };
  try {
    for (;;) {
      const { done, value } = await answers.next();
      // Whoever cancelled wants no window, be it there by now.
      if (signal?.aborted) throw new AuditError('cancelled', 'the observation was cancelled');
      if (done) return;
      const [, observed] = value;
      progress.requests += observed.requests;
      progress.tokens += observed.decodedTokens;
      onProgress?.({ ...progress });
      yield observed;
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
    // After a fault, or where the caller left early: the model is free again when this returns.
    stop.abort();
    await answers.return();
    await gatherer.close();
  }
}

/** Takes windows from the source, one at a time. */
class Gatherer {
  readonly #iterator: Iterator<ObserveRequest> | AsyncIterator<ObserveRequest>;
  readonly #signal: AbortSignal;
  #done = false;
  #waiting = false;

  constructor(requests: Source, signal: AbortSignal) {
    this.#iterator = iteratorOf(requests);
    this.#signal = signal;
  }

  /** The next window, empty at the end. A source that hangs does not hold up a cancellation. */
  next(): Promise<ObserveRequest[]> {
    return new Promise((resolve, reject) => {
      const onAbort = () => reject(new AuditError('cancelled', 'the observation was cancelled'));
      if (this.#signal.aborted) onAbort();
      this.#signal.addEventListener('abort', onAbort, { once: true });
      this.#gather()
        .then(resolve, reject)
        .finally(() => this.#signal.removeEventListener('abort', onAbort));
    });
  }

  async #gather(): Promise<ObserveRequest[]> {
    const window: ObserveRequest[] = [];
    while (!this.#done && !this.#signal.aborted && window.length < WINDOW_REQUESTS) {
      const step = this.#iterator.next();
      // A synchronous source is not slowed down by a turn a request.
      const { done, value } = 'then' in step ? await this.#awaited(step) : step;
      if (done) this.#done = true;
      else window.push(value);
    }
    return window;
  }

  async #awaited<T>(step: Promise<T>): Promise<T> {
    this.#waiting = true;
    try {
      return await step;
    } catch (thrown) {
      // A source that failed has ended.
      this.#done = true;
      throw thrown;
    } finally {
      this.#waiting = false;
    }
  }

  /** Tells the source that no more is wanted, without waiting for one that hangs in `next`. */
  async close(): Promise<void> {
    if (this.#done) return;
    this.#done = true;
    const returned = Promise.resolve(this.#iterator.return?.()).catch(() => undefined);
    if (!this.#waiting) await returned;
  }
}

function iteratorOf(requests: Source): Iterator<ObserveRequest> | AsyncIterator<ObserveRequest> {
  if (typeof requests === 'object' && requests !== null) {
    if (Symbol.asyncIterator in requests) return requests[Symbol.asyncIterator]();
    if (Symbol.iterator in requests) return requests[Symbol.iterator]();
  }
  throw new AuditError('bad_argument', 'observe takes an array or an iterable of requests');
}
