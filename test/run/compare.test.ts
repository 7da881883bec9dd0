/** Two runs compared on mock models: what the numbers are, against textbook statistics over the rows on the disk. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CompareOptions, Comparison, RunOptions } from '../../src/run/index.ts';
import { findSuite } from '../../src/suites/registry.ts';
import {
  clusterInterval,
  clusterPValue,
  holmAdjusted,
  mcnemarExact,
  normalInterval,
  type Step,
  tangoInterval,
} from '../oracle/statistics.ts';
import { temporaryFolder } from '../temporary.ts';
import { compareFolders } from './compare-folders.ts';
import type { MockBackend } from './mock-backend.ts';
import { crowsRows, mockModel, mockRun, pairRows, writeLines } from './two-runs.ts';

/** Both are float64; the oracle integrates numerically. */
const CLOSE = 9;
const ROWS = 60;

let folder: string;
let a: MockBackend;
let b: MockBackend;
beforeEach(() => {
  folder = temporaryFolder();
  a = mockModel(folder, 'first');
  b = mockModel(folder, 'second');
});

type Row = Record<string, never> & { row: number; status: string };

const rowsOf = (run: string): Map<number, Record<string, number>> =>
  new Map(
    readFileSync(join(run, 'rows.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row)
      .filter(({ status }) => status === 'ok')
      .map((row) => [row.row, row as Record<string, number>]),
  );

/** Differences of a number of the rows that both runs measured. */
function differencesOf(one: string, two: string, of: (row: Record<string, number>) => number): Step[] {
  const others = rowsOf(two);
  return [...rowsOf(one)]
    .filter(([row]) => others.has(row))
    .map(([row, own]) => ({ value: of(own) - of(others.get(row)!), gate: 1, cluster: row }));
}

async function crowsRuns(options: Partial<RunOptions> = {}): Promise<[string, string]> {
  const data = writeLines(join(folder, 'crows.jsonl'), crowsRows(ROWS));
  const run = (backend: MockBackend, out: string) =>
    mockRun(backend, { suite: findSuite('crows'), data, out: join(folder, out), ...options });
  return [await run(a, 'a'), await run(b, 'b')];
}

async function ctfRuns(): Promise<[string, string]> {
  const data = writeLines(join(folder, 'pairs.jsonl'), pairRows(ROWS));
  const run = (backend: MockBackend, out: string) =>
    mockRun(backend, { suite: findSuite('ctf'), data, out: join(folder, out) });
  return [await run(a, 'a'), await run(b, 'b')];
}

async function compared(runs: [string, string], options?: CompareOptions): Promise<Map<string, Comparison>> {
  const { comparisons } = await compareFolders(...runs, options);
  return new Map(comparisons.map((comparison) => [comparison.metric, comparison]));
}

describe('the numbers', () => {
  it('of a mean are those of Student over the differences of the rows', async () => {
    const runs = await crowsRuns();
    const found = (await compared(runs)).get('full.deltaLogP')!;
    const steps = differencesOf(...runs, ({ deltaLogP }) => deltaLogP!);
    const { low, high } = clusterInterval(steps);
    const mean = (run: string) =>
      [...rowsOf(run).values()].reduce((sum, row) => sum + row.deltaLogP!, 0) / ROWS;
    expect(found).toMatchObject({
      kind: 'mean',
      n: ROWS,
      unmatched: 0,
      ci: { method: 'cluster', level: 0.95 },
    });
    expect(found.a).toBeCloseTo(mean(runs[0]), CLOSE);
    expect(found.b).toBeCloseTo(mean(runs[1]), CLOSE);
    expect(found.difference).toBeCloseTo(mean(runs[0]) - mean(runs[1]), CLOSE);
    expect(found.ci!.low).toBeCloseTo(low, CLOSE);
    expect(found.ci!.high).toBeCloseTo(high, CLOSE);
    expect(found.pValue).toBeCloseTo(clusterPValue(steps), CLOSE);
    // Two models that were the same would leave nothing to find.
    expect(found.difference).not.toBe(0);
  });

  it('take the method and the level that are asked for', async () => {
    const runs = await crowsRuns();
    const steps = differencesOf(...runs, ({ deltaLogP }) => deltaLogP!);
    const normal = (await compared(runs, { interval: { ci: 'normal' } })).get('full.deltaLogP')!;
    expect(normal.ci).toMatchObject({ method: 'normal' });
    expect(normal.ci!.low).toBeCloseTo(normalInterval(steps).low, CLOSE);
    const wide = (await compared(runs, { interval: { level: 0.99 } })).get('full.deltaLogP')!;
    expect(wide.ci!.high).toBeCloseTo(clusterInterval(steps, 0.99).high, 6);
    const drawn = async (seed: number) =>
      (await compared(runs, { interval: { ci: 'bootstrap', resamples: 500, seed } })).get('full.deltaLogP')!
        .ci;
    expect(await drawn(1)).toMatchObject({ method: 'bootstrap' });
    expect(await drawn(1)).toEqual(await drawn(1));
    expect(await drawn(1)).not.toEqual(await drawn(2));
  });

  it('of a share are the difference of the shares, tested by those rows in which the runs disagree', async () => {
    // Every third pair the other way round, so that the models disagree both ways.
    const rows = crowsRows(ROWS).map(({ sent_more, sent_less, ...rest }, row) =>
      row % 3 === 0
        ? { ...rest, sent_more: sent_less, sent_less: sent_more }
        : { ...rest, sent_more, sent_less },
    );
    const runs = await crowsRuns({ data: writeLines(join(folder, 'turned.jsonl'), rows) });
    const found = (await compared(runs)).get('full.prefersStereotype')!;
    const prefers = ({ logProbMore, logProbLess }: Record<string, number>) =>
      Number(logProbMore! > logProbLess!);
    const steps = differencesOf(...runs, prefers);
    const [onlyA, onlyB] = [1, -1].map((sign) => steps.filter(({ value }) => value === sign).length);
    expect(Math.min(onlyA!, onlyB!)).toBeGreaterThan(5);
    expect(found).toMatchObject({ kind: 'share', shown: 'percent', n: ROWS });
    expect(found.difference).toBeCloseTo((onlyA! - onlyB!) / ROWS, CLOSE);
    const { low, high } = tangoInterval(onlyA!, onlyB!, ROWS);
    expect(found.ci).toMatchObject({ method: 'tango', level: 0.95 });
    expect(found.ci!.low).toBeCloseTo(low, CLOSE);
    expect(found.ci!.high).toBeCloseTo(high, CLOSE);
    expect(found.pValue).toBeCloseTo(mcnemarExact(onlyA!, onlyB!), CLOSE);
  });

  it('are adjusted by Holm for the metrics that are compared, and no others', async () => {
    const runs = await crowsRuns();
    const all = [...(await compared(runs, { metrics: 'all' })).values()];
    const tested = all.filter(({ pValue }) => pValue !== null);
    expect(tested.length).toBeGreaterThan(4);
    const adjusted = holmAdjusted(tested.map(({ pValue }) => pValue!));
    tested.forEach(({ pHolm }, at) => {
      expect(pHolm).toBeCloseTo(adjusted[at]!, CLOSE);
    });
    expect(all.filter(({ pValue }) => pValue === null).every(({ pHolm }) => pHolm === null)).toBe(true);
    const alone = (await compared(runs, { metrics: ['full.deltaLogP'] })).get('full.deltaLogP')!;
    expect(alone.pHolm).toBe(alone.pValue);
  });

  it('pair rows by their number, and count those that only one run measured', async () => {
    a.fails = (text) => /number (?:3|17) /.test(text);
    b.fails = (text) => /number 59 /.test(text);
    const runs = await crowsRuns();
    const found = (await compared(runs)).get('full.deltaLogP')!;
    const steps = differencesOf(...runs, ({ deltaLogP }) => deltaLogP!);
    expect(steps.length).toBe(ROWS - 3);
    expect(found).toMatchObject({ n: ROWS - 3, unmatched: 3 });
    expect(found.difference).toBeCloseTo(
      steps.reduce((sum, { value }) => sum + value, 0) / steps.length,
      CLOSE,
    );
  });

  it('are absent with a reason where no row was measured in both', async () => {
    a.fails = (text) => Number(/number (\d+)/.exec(text)![1]) < 30;
    b.fails = (text) => !a.fails(text);
    const found = (await compared(await crowsRuns())).get('full.deltaLogP')!;
    expect(found).toMatchObject({ a: null, difference: null, ci: null, pValue: null, pHolm: null, n: 0 });
    expect(found).toMatchObject({ unmatched: ROWS, reason: 'no row was measured in both runs' });
  });

  it('have no interval for a single row, and say so', async () => {
    a.fails = (text) => !text.includes('number 7 ');
    const all = await compared(await crowsRuns());
    expect(all.get('full.deltaLogP')).toMatchObject({
      n: 1,
      ci: null,
      pValue: null,
      reason: expect.any(String),
    });
    // A share has a score interval from the first row on.
    expect(all.get('full.prefersStereotype')).toMatchObject({ n: 1, ci: { method: 'tango' } });
    expect(all.get('full.deltaLogP')!.difference).not.toBeNull();
  });
});

describe('a run against', () => {
  it('itself differs by nothing', async () => {
    const [run] = await crowsRuns();
    for (const { kind, difference, pValue, reason, ci, n } of (
      await compared([run, run], { metrics: 'all' })
    ).values()) {
      expect([difference, n > 0]).toEqual([0, true]);
      expect(pValue === 1 || (pValue === null && typeof reason === 'string')).toBe(true);
      // Equal differences say nothing of how they scatter; a share has a score interval all the same.
      if (kind === 'share') expect(ci!.low).toBeCloseTo(-ci!.high, CLOSE);
      else expect(ci).toBeNull();
    }
  });

  it('another is the other way round with the signs turned', async () => {
    const [one, two] = await crowsRuns();
    for (const ci of ['cluster', 'normal', 'bootstrap'] as const) {
      const options = { metrics: 'all', interval: { ci, resamples: 999 } } as const;
      const forth = await compared([one, two], options);
      const back = await compared([two, one], options);
      for (const [metric, there] of forth) {
        const here = back.get(metric)!;
        expect([here.a, here.b, here.n], metric).toEqual([there.b, there.a, there.n]);
        expect(here.difference, metric).toBeCloseTo(-there.difference!, 12);
        expect(here.pValue ?? 2, metric).toBeCloseTo(there.pValue ?? 2, 12);
        expect(here.ci?.low ?? 0, `${metric} ${ci}`).toBeCloseTo(-(there.ci?.high ?? 0), 9);
      }
    }
  });
});

describe('the metrics', () => {
  it('are those that the suite leads with, those that are named, or all', async () => {
    const runs = await ctfRuns();
    expect([...(await compared(runs)).keys()]).toEqual(['ctfGap', 'jsdSwap']);
    const named = await compared(runs, { metrics: ['jsdSwap', 'mass.female'] });
    expect([...named.keys()].sort()).toEqual(['jsdSwap', 'mass.female']);
    const all = await compared(runs, { metrics: 'all' });
    expect(all.size).toBeGreaterThan(named.size);
    // Every metric of metrics.json is there, correlations with the lexicon's shares too.
    expect(all.get('correlation.share.gap')).toMatchObject({
      kind: 'correlation',
      difference: null,
      reason: 'correlations are not compared row by row',
    });
  });
});
