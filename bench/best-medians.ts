/** Times of contenders that take turns. */
import { Bench } from 'tinybench';

export type Contender = { readonly run: () => unknown; readonly rows: number };

const ROUNDS = 5;

/**
 * Seconds a row of each contender: the best of the medians of several rounds, in each of which every contender has its turn.
 * A burst of other work hits whoever is at work; it only ever adds time, and never in every round.
 */
export async function bestMedians<Name extends string>(
  contenders: Record<Name, Contender>,
): Promise<Record<Name, number>> {
  const names = Object.keys(contenders) as Name[];
  const best = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY])) as Record<
    Name,
    number
  >;
  for (let round = 0; round < ROUNDS; round += 1) {
    const bench = new Bench({ time: 150, iterations: 4, warmupTime: 20, warmupIterations: 1 });
    for (const name of names) bench.add(name, contenders[name].run);
    await bench.run();
    for (const name of names) {
      const result = bench.getTask(name)?.result;
      if (result?.state !== 'completed') throw new Error(`the benchmark "${name}" did not complete`);
      best[name] = Math.min(best[name], result.latency.p50 / 1000 / contenders[name].rows);
    }
  }
  return best;
}
