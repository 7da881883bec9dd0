/** Two streams read side by side, as long as both last; both are closed at the end, whatever ended it. */

export async function* inStep<A, B>(
  a: AsyncGenerator<A, void, undefined>,
  b: AsyncGenerator<B, void, undefined>,
): AsyncGenerator<[A, B], void, undefined> {
  try {
    for (;;) {
      const [left, right] = await Promise.all([a.next(), b.next()]);
      if (left.done || right.done) return;
      yield [left.value, right.value];
    }
  } finally {
    await Promise.all([a.return(), b.return()]);
  }
}
