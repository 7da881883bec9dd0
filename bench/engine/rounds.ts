/** Contenders that take turns: what a busy moment costs one, it costs its neighbours, and ratios within a round stay. */
import { Bench } from 'tinybench';

/** Seconds of each contender in one round. */
export type Round<Name extends string> = Readonly<Record<Name, number>>;

/**
 * Runs every contender `rounds` times in turn. Every other round goes backwards, so that what grows or falls with time
 * favours none. Nothing is run to warm up: callers do that where they check what their contenders give.
 */
export async function alternate<Name extends string>(
  contenders: Readonly<Record<Name, () => Promise<void>>>,
  rounds: number,
): Promise<Round<Name>[]> {
  const names = Object.keys(contenders) as Name[];
  const measured: Round<Name>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const bench = new Bench({ iterations: 1, time: 0, warmup: false });
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      // Told, because tinybench would otherwise run it once to find out.
      bench.add(name, contenders[name], { async: true });
    }
    await bench.run();
    const seconds = (name: Name) => {
      const result = bench.getTask(name)?.result;
      if (result?.state === 'completed') return result.latency.mean / 1000;
      throw result?.state === 'errored'
        ? result.error
        : new Error(`the benchmark "${name}" did not complete`);
    };
    measured.push(Object.fromEntries(names.map((name) => [name, seconds(name)])) as Round<Name>);
  }
  return measured;
}

export interface Quartiles {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** Of `of / to`, over the rounds. */
export function ratio<Name extends string>(rounds: readonly Round<Name>[], of: Name, to: Name): Quartiles {
  return quartiles(rounds.map((round) => round[of] / round[to]));
}

/** Of the seconds that a contender took. */
export function seconds<Name extends string>(rounds: readonly Round<Name>[], name: Name): Quartiles {
  return quartiles(rounds.map((round) => round[name]));
}

function quartiles(values: readonly number[]): Quartiles {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (q: number) => {
    const place = (sorted.length - 1) * q;
    const below = sorted[Math.floor(place)]!;
    return below + (sorted[Math.ceil(place)]! - below) * (place % 1);
  };
  return { low: at(0.25), median: at(0.5), high: at(0.75) };
}
