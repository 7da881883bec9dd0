/** Scores and intervals against those of the original: the same counts, and on the same draws the same intervals. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { numpyIntegers } from '../../oracle/pcg64.ts';
import {
  DEFAULT_INTERVALS,
  type PairMetadata,
  type PairOutcome,
  pairOrder,
  performanceMetrics,
  pluruleScore,
  runIntervals,
  tallyPairs,
  tidyRows,
} from './outcomes.ts';
import { VECTORS, vector } from './vectors.ts';

interface Side {
  clean_answer_response: string;
  extracted_prediction: string;
  correct_answer: string;
  score: number;
}
interface RunVectors {
  runs: Record<
    string,
    { mod_comment_id: string; metadata: PairMetadata; violating: Side; compliant: Side }[]
  >;
}
type Numbers = { [key: string]: number | [number, number] };
interface PerformanceVectors {
  bootstrap: {
    seed: number;
    resamples: number;
    pairs: number;
    first_rows: number[][];
    last_row: number[];
    int32_le_sha256: string;
    order: string[];
  };
  performance: Record<string, { metrics: { overall: Numbers } & Record<string, Record<string, Numbers>> }>;
}

function outcomesOf(name: string): PairOutcome[] {
  return vector<RunVectors>('run.json').runs[name]!.map(
    ({ mod_comment_id: id, metadata, violating, compliant }) => {
      const [v, c] = [violating, compliant].map(pluruleScore);
      return {
        id,
        metadata,
        scores: { violating: v!.score, compliant: c!.score },
        unparsed: { violating: v!.unparsed, compliant: c!.unparsed },
      };
    },
  );
}

/** The original's means are of 32 bits. */
const SINGLE = 1e-6;

describe.skipIf(VECTORS === null)('performance', () => {
  it('is that of the original, intervals on its own draws', async () => {
    const { bootstrap, performance } = vector<PerformanceVectors>('performance.json');
    const { seed, resamples, pairs } = bootstrap;
    const draws = numpyIntegers(seed, pairs, resamples * pairs);
    expect([...draws.subarray(0, 3 * pairs)]).toEqual(bootstrap.first_rows.flat());
    expect([...draws.subarray(-pairs)]).toEqual(bootstrap.last_row);
    expect(createHash('sha256').update(draws).digest('hex')).toBe(bootstrap.int32_le_sha256);
    const runs = { main: outcomesOf('main'), partial: outcomesOf('partial') };
    const order = pairOrder(Object.values(runs));
    expect(order).toEqual(bootstrap.order);
    for (const [name, outcomes] of Object.entries(runs)) {
      const request = { ...DEFAULT_INTERVALS, draws };
      const intervals = await runIntervals(outcomes, order, request);
      const own = performanceMetrics(tallyPairs(outcomes), intervals, request);
      const { overall, bootstrap_ci: _, ...groups } = performance[name]!.metrics;
      expectNumbers(name, own.overall, overall);
      for (const [grouping, byGroup] of Object.entries(groups)) {
        const mine = own[grouping as 'per_language'];
        expect(Object.keys(mine)).toEqual(Object.keys(byGroup));
        for (const [group, numbers] of Object.entries(byGroup))
          expectNumbers(`${name} ${group}`, mine[group]!, numbers);
      }
    }
  }, 60_000);

  it('has nearly the same intervals on draws of its own', async () => {
    const outcomes = outcomesOf('main');
    const order = pairOrder([outcomes]);
    const { performance } = vector<PerformanceVectors>('performance.json');
    const intervals = await runIntervals(outcomes, order, DEFAULT_INTERVALS);
    const [low, high] = performance.main!.metrics.overall.overall_accuracy_ci as [number, number];
    // One step of the share: one thread of 32.
    expect(Math.abs(intervals.overall.overall!.low - low)).toBeLessThanOrEqual(1 / 32);
    expect(Math.abs(intervals.overall.overall!.high - high)).toBeLessThanOrEqual(1 / 32);
    expect(await runIntervals(outcomes, order, DEFAULT_INTERVALS)).toEqual(intervals);
  });
});

function expectNumbers(where: string, own: Readonly<Record<string, unknown>>, numbers: Numbers): void {
  for (const [key, value] of Object.entries(numbers)) {
    if (typeof value === 'number') {
      expect([where, key, own[key]]).toEqual([where, key, value]);
      continue;
    }
    const mine = own[key] as [number, number];
    value.forEach((end, at) => {
      expect(Math.abs(mine[at]! - end), `${where} ${key}`).toBeLessThan(SINGLE);
    });
  }
}

describe('the tidy table', () => {
  const metadata: PairMetadata = {
    rule: 'r',
    rule_cluster_id: 1,
    rule_cluster_label: 'one',
    subreddit_cluster_id: 2,
    subreddit_cluster_label: 'two',
    subreddit_language: 'en',
  };
  const outcome = (id: string, right: 0 | 1, label = 'one'): PairOutcome => ({
    id,
    metadata: { ...metadata, rule_cluster_label: label },
    scores: { violating: right, compliant: 1 },
    unparsed: { violating: right === 0, compliant: false },
  });

  it('withholds intervals that say nothing, with the reason', async () => {
    const outcomes = [
      outcome('a', 1),
      outcome('b', 0, 'few'),
      outcome('c', 1, 'few'),
      outcome('d', 1, 'lonely'),
    ];
    const request = { ...DEFAULT_INTERVALS, resamples: 2_000 };
    const intervals = await runIntervals(outcomes, pairOrder([outcomes]), request);
    const rows = tidyRows('x', tallyPairs(outcomes), intervals);
    const find = (grouping: string, group: string | null, metric: string) =>
      rows.find((row) => row.grouping === grouping && row.group === group && row.metric === metric)!;
    expect(find('overall', null, 'overall_accuracy')).toMatchObject({
      value: 7 / 8,
      hits: 7,
      n: 8,
      pairs: 4,
      unparsed: 1,
    });
    expect(find('overall', null, 'violating_accuracy')).toMatchObject({
      value: 3 / 4,
      n: 4,
      unparsed: 1,
      reason: null,
    });
    expect(find('overall', null, 'compliant_accuracy')).toMatchObject({
      value: 1,
      ciLow: null,
      reason: 'every resample gives the same value',
    });
    expect(find('per_rule_cluster', 'lonely', 'overall_accuracy')).toMatchObject({
      ciLow: null,
      reason: 'only 1 pair',
    });
    expect(find('per_rule_cluster', 'few', 'unparsed').reason).toMatch(
      /of 2000 resamples have no pair of the group/,
    );
  });
});
