/**
 * What shared prefixes save on three public data sets. Tokens: decoded over naive, of the whole files, a figure that is the
 * same on every machine. Time: the first rows as a stream of requests, against a loop that asks for one continuation at
 * a time.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { LocalModel } from '../../src/model/index.ts';
import type { ScoreRequest } from '../../src/observation/observation.ts';
import { loud, round } from '../print.ts';
import { type Cost, costOf } from './cost.ts';
import { BENCHMARKS, type Benchmark, oneByOne, rowsOf } from './requests.ts';
import { alternate, ratio, seconds } from './rounds.ts';
import { engineOptions, type Setting, setAgainst } from './setting.ts';

const ROUNDS = 3;

/**
 * Mean difference of a token's log-probability between the two ways, in nats. Other work would be off by whole nats; the
 * same work on four-bit weights is off by a tenth (docs/design/benchmarks.md says why).
 */
const SAME_ON_AVERAGE = 0.3;

export interface PrefixLine {
  readonly bench: 'engine.prefix';
  readonly model: string;
  readonly threads: number;
  readonly dataset: string;
  readonly requests: number;
  readonly decodedTokens: number;
  readonly naiveTokens: number;
  readonly tokenRatio: number;
  /** Of the whole, the rows that were timed, and their own ratio of tokens. */
  readonly timedRows: number;
  readonly timedTokenRatio: number;
  /** One continuation at a time over the stream: quartiles over rounds. */
  readonly speedup: number;
  readonly speedupLow: number;
  readonly speedupHigh: number;
  readonly rowsPerSecond: number;
  /** Of a token's log-probability, between the two. */
  readonly meanDifference: number;
  readonly largestDifference: number;
}

export async function* prefix(setting: Setting): AsyncGenerator<PrefixLine> {
  for (const benchmark of BENCHMARKS) {
    const missing = benchmark.files.filter((file) => !existsSync(path.join(setting.data, file)));
    if (missing.length > 0) {
      loud(
        `SKIPPED: engine.prefix on ${benchmark.name}. ${setting.data} has no ${missing.join(', ')}; --data names another folder.`,
      );
      continue;
    }
    const whole = await wholeCost(setting, benchmark);
    yield { bench: 'engine.prefix', ...setAgainst(setting), ...whole, ...(await timed(setting, benchmark)) };
  }
}

async function wholeCost({ product, model, data, ...setting }: Setting, benchmark: Benchmark) {
  const raw = await product.engineAddon().openModel(model, { threads: setting.threads });
  try {
    const cost = await costOf(raw, rowsOf(benchmark, data));
    return { dataset: benchmark.name, ...cost, tokenRatio: tokenRatio(cost) };
  } finally {
    await raw.close();
  }
}

/** Times the first rows both ways. */
async function timed(setting: Setting, benchmark: Benchmark) {
  const { product, model, data, limit } = setting;
  const rows: ScoreRequest<string>[][] = [];
  for await (const requests of rowsOf(benchmark, data)) if (rows.push(requests) === limit) break;
  const requests = rows.flat();
  await using engine = await product.openModel(model, { ...engineOptions(setting), inProcess: true });
  const results = { stream: nothing(), loop: nothing() };
  const rounds = await alternate(
    {
      stream: async () => {
        results.stream = await asStream(engine, requests);
      },
      loop: async () => {
        results.loop = await asLoop(engine, oneByOne(requests));
      },
    },
    ROUNDS,
  );
  const faster = ratio(rounds, 'loop', 'stream');
  return {
    timedRows: rows.length,
    timedTokenRatio: tokenRatio(results.stream),
    speedup: round(faster.median),
    speedupLow: round(faster.low),
    speedupHigh: round(faster.high),
    rowsPerSecond: round(rows.length / seconds(rounds, 'stream').median),
    ...compared(results.stream, results.loop),
  };
}

interface Scored extends Omit<Cost, 'requests'> {
  readonly logProbs: number[];
}

function nothing() {
  return { logProbs: [] as number[], decodedTokens: 0, naiveTokens: 0 };
}

async function asStream(engine: LocalModel, requests: readonly ScoreRequest<string>[]): Promise<Scored> {
  const sum = nothing();
  for await (const observed of engine.observe(requests)) {
    if (observed.failures.length > 0) throw new Error(observed.failures[0]!.message);
    for (const logProb of observed.scores.logProb) sum.logProbs.push(logProb);
    sum.decodedTokens += observed.decodedTokens;
    sum.naiveTokens += observed.naiveTokens;
  }
  return sum;
}

async function asLoop(engine: LocalModel, requests: readonly ScoreRequest<string>[]): Promise<Scored> {
  const sum = nothing();
  for (const request of requests) {
    const observed = await engine.observeWindow([request], {});
    for (const logProb of observed.scores.logProb) sum.logProbs.push(logProb);
    sum.decodedTokens += observed.decodedTokens;
    sum.naiveTokens += observed.naiveTokens;
  }
  return sum;
}

/** How far the two ways' scores lie apart. Throws where they did not do the same work. */
function compared(stream: Scored, loop: Scored) {
  const differences = stream.logProbs.map((logProb, index) => Math.abs(logProb - loop.logProbs[index]!));
  const mean = differences.reduce((sum, difference) => sum + difference, 0) / differences.length;
  const alike =
    stream.logProbs.length === loop.logProbs.length &&
    stream.naiveTokens === loop.naiveTokens &&
    loop.decodedTokens === loop.naiveTokens &&
    mean <= SAME_ON_AVERAGE;
  if (!alike) throw new Error(`the stream and the loop do not find the same (scores differ by ${mean})`);
  return {
    meanDifference: round(mean),
    largestDifference: round(differences.reduce((largest, one) => Math.max(largest, one), 0)),
  };
}

function tokenRatio({ decodedTokens, naiveTokens }: Omit<Cost, 'requests'>): number {
  return Number((decodedTokens / naiveTokens).toFixed(4));
}
