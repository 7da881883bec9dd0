/**
 * What the row, pair and step metrics cost next to a plain read of the same memory, to the loops of native tools and to
 * plain JavaScript: all in one process, as ratios of the best rounds' medians, because seconds mean nothing on another machine.
 *
 * The logits are more than the caches hold, and every measurement goes on where the last one stopped, so that no row is in a
 * cache when its turn comes. LOGIT_AUDIT_SIMD chooses the kernels, as everywhere.
 */
import os from 'node:os';
import { benchAddon } from './addon.ts';
import { bestMedians } from './best-medians.ts';
import { someGroups } from './groups.ts';
import { fillRows, fillSwapped, plainAggregate, plainPair, plainRow, TOP_K } from './plain.ts';
import { round } from './print.ts';

const VOCABULARIES = [32_000, 128_256, 151_936, 262_144];

/** Logits of each side: 384 MiB, a pair of sides together more than any cache of today. */
const LOGITS = 96 * 1024 * 1024;

/** Logits a call, one thread and all: long enough that the call itself does not show. */
const A_CALL = 2 ** 21;
const A_THREADED_CALL = 2 ** 24;

/** Of which a call on pairs takes a part: calls that last as long are as likely to be interrupted by other programs. */
const PAIRS_A_ROW = 1 / 4;

const STEPS = 2 ** 20;
const CLUSTERS = 10_000;

export interface Line {
  readonly bench: string;
  readonly vocab: number | null;
  readonly threads: number;
  readonly simd: string;
  readonly ratioToRead: number;
  readonly speedupVsScalar: number | null;
  readonly speedupVsJs: number;
  readonly gbPerSecond: number;
}

export interface Options {
  readonly root: string;
  readonly vocabularies?: readonly number[];
}

/** Microseconds of one call of the addon on a row of one token: what Node-API and the result's typed arrays cost. */
export interface CallLine {
  readonly bench: 'metrics.call';
  readonly microseconds: number;
}

/** Hands out rows of a side one after another, and starts again when they are used up. */
function walk(vocab: number): (rows: number) => number {
  const total = Math.floor(LOGITS / vocab);
  let next = 0;
  return (rows) => {
    if (next + rows > total) next = 0;
    next += rows;
    return (next - rows) * vocab;
  };
}

export async function* metricsBench({ root, vocabularies }: Options): AsyncGenerator<Line | CallLine> {
  const addon = benchAddon(root);
  const simd = addon.simd().level;
  const a = new Float32Array(LOGITS);
  const b = new Float32Array(LOGITS);
  fillRows(a, 1);
  fillSwapped(b, a);
  const cores = os.availableParallelism();
  const line = (
    bench: string,
    vocab: number | null,
    threads: number,
    bytes: number,
    seconds: { read: number; native: number; scalar: number | null; js: number },
  ): Line => ({
    bench,
    vocab,
    threads,
    simd,
    ratioToRead: round(seconds.native / seconds.read),
    speedupVsScalar: seconds.scalar === null ? null : round(seconds.scalar / seconds.native),
    speedupVsJs: round(seconds.js / seconds.native),
    gbPerSecond: round(bytes / seconds.native / 1e9),
  });

  for (const vocab of vocabularies ?? VOCABULARIES) {
    const groups = someGroups(vocab);
    const ids = Int32Array.from(groups.flatMap((group) => [...group]));
    const target = Math.floor(vocab / 3);
    for (const threads of cores > 1 ? [1, cores] : [1]) {
      const rows = Math.max(1, Math.floor((threads === 1 ? A_CALL : A_THREADED_CALL) / vocab));
      const targets = new Int32Array(rows).fill(target);
      const take = walk(vocab);
      const side = (z: Float32Array, start: number, count: number) =>
        z.subarray(start, start + count * vocab);

      const row = await bestMedians({
        read: { rows, run: () => addon.benchRead(side(a, take(rows), rows), threads) },
        native: {
          rows,
          run: () =>
            addon.rowMetricsSync(side(a, take(rows), rows), { vocab, groups, targets, topK: TOP_K, threads }),
        },
        scalar: { rows: 1, run: () => addon.benchScalarRows(side(a, take(1), 1), vocab, ids, target) },
        js: { rows: 1, run: () => plainRow(side(a, take(1), 1), ids, target) },
      });
      yield line('metrics.row', vocab, threads, 4 * vocab, row);

      // A plain read of both rows: as many logits as the pair metrics read.
      const pairs = Math.max(1, Math.floor(rows * PAIRS_A_ROW));
      const read = (start: number) =>
        addon.benchRead(side(a, start, pairs), threads) + addon.benchRead(side(b, start, pairs), threads);
      const pair = await bestMedians({
        read: { rows: pairs, run: () => read(take(pairs)) },
        native: {
          rows: pairs,
          run: () => {
            const start = take(pairs);
            const options = { vocab, topK: [TOP_K], threads };
            return addon.pairMetricsSync(side(a, start, pairs), side(b, start, pairs), options);
          },
        },
        scalar: {
          rows: 1,
          run: () => {
            const start = take(1);
            return addon.benchScalarPairs(side(a, start, 1), side(b, start, 1), vocab);
          },
        },
        js: {
          rows: 1,
          run: () => {
            const start = take(1);
            return plainPair(side(a, start, 1), side(b, start, 1));
          },
        },
      });
      yield line('metrics.pair', vocab, threads, 8 * vocab, pair);
    }
  }

  const values = Float64Array.from(a.subarray(0, STEPS));
  const cluster = Uint32Array.from({ length: STEPS }, (_, i) => (i * 7919) % CLUSTERS);
  const memory = new Float32Array(values.buffer);
  const steps = await bestMedians({
    read: { rows: 1, run: () => addon.benchRead(memory, 1) },
    native: { rows: 1, run: () => addon.aggregateSync(values, { cluster, ci: 'cluster' }) },
    js: { rows: 1, run: () => plainAggregate(values, cluster, CLUSTERS) },
  });
  yield line('metrics.aggregate', null, 1, values.byteLength, { ...steps, scalar: null });

  const one = new Float32Array(1);
  const call = await bestMedians({ call: { rows: 1, run: () => addon.rowMetricsSync(one, { vocab: 1 }) } });
  yield { bench: 'metrics.call', microseconds: round(call.call * 1e6) };
}
