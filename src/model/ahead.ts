/**
 * Windows to the engine, as many at a time as it takes: while one is decoded the next is there already and made ready, so
 * that decoding never waits for tokens and plans. No more than that: a caller that is slow slows down the source.
 */

/** One that is decoded, and one that is made ready. */
export const WINDOWS_AT_ONCE = 2;

/**
 * Sends what `next` gives until it gives null, at most `atOnce` at a time, and yields it with its answers, in order. Throws
 * what `next` and `send` throw, each at its turn: what came before it is given first. Ends when nothing is on its way any
 * more: to leave early, the caller aborts what it sent.
 */
export async function* sendAhead<T, A>(
  next: () => Promise<T | null>,
  send: (item: T) => Promise<A>,
  atOnce: number = WINDOWS_AT_ONCE,
): AsyncGenerator<readonly [item: T, answer: A], void, undefined> {
  const sent: { readonly item: T; readonly answer: Promise<A> }[] = [];
  let ended = false;
  const faults: unknown[] = [];
  const sendNext = async () => {
    if (ended) return;
    try {
      const item = await next();
      if (item === null) ended = true;
      else sent.push({ item, answer: holdFault(send(item)) });
    } catch (fault) {
      ended = true;
      faults.push(fault);
    }
  };
  // Those that are being sent, one after the other; whoever waits for an item waits for its own sending alone.
  const sendings: Promise<void>[] = [];
  let last = Promise.resolve();
  const sendMore = () => {
    last = last.then(sendNext);
    sendings.push(last);
  };
  while (sendings.length < atOnce - 1) sendMore();
  let current: Promise<A> | undefined;
  try {
    for (;;) {
      await sendings.shift();
      const first = sent.shift();
      if (first === undefined) break;
      sendMore();
      current = first.answer;
      yield [first.item, await current];
    }
  } finally {
    ended = true;
    await last;
    await Promise.allSettled([current, ...sent.map(({ answer }) => answer)]);
  }
  if (faults.length > 0) throw faults[0];
}

/** A promise whose fault is thrown when its turn comes, and is no unhandled rejection before. */
export function holdFault<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
