/**
 * Windows to the engine, two at a time: while one is decoded the next is there already and made ready, so that decoding
 * never waits for tokens and plans. No more than that: a caller that is slow slows down the source.
 */

/**
 * Sends what `next` gives until it gives null, and yields it with its answers, in order. Throws what `next` and `send`
 * throw, each at its turn: what came before it is given first. Ends when nothing is on its way any more: to leave early, the
 * caller aborts what it sent.
 */
export async function* oneAhead<T, A>(
  next: () => Promise<T | null>,
  send: (item: T) => Promise<A>,
): AsyncGenerator<readonly [item: T, answer: A], void, undefined> {
  const sent: { readonly item: T; readonly answer: Promise<A> }[] = [];
  let ended = false;
  const faults: unknown[] = [];
  const sendNext = async () => {
    if (ended) return;
    try {
      const item = await next();
      if (item === null) ended = true;
      else sent.push({ item, answer: told(send(item)) });
    } catch (fault) {
      ended = true;
      faults.push(fault);
    }
  };
  let sending = sendNext();
  let current: Promise<A> | undefined;
  try {
    for (;;) {
      if (sent.length === 0) await sending;
      const first = sent.shift();
      if (first === undefined) break;
      sending = sending.then(sendNext);
      current = first.answer;
      yield [first.item, await current];
    }
  } finally {
    ended = true;
    await sending;
    await Promise.allSettled([current, ...sent.map(({ answer }) => answer)]);
  }
  if (faults.length > 0) throw faults[0];
}

/** A promise whose fault is told when its turn comes, and is no unhandled rejection before. */
export function told<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
