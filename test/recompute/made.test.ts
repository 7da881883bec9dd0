/** What the product makes of rows that no model wrote, held against a program that shares nothing with it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { IntervalOptions } from '../../src/run/accumulate/index.ts';
import { compareRuns } from '../../src/run/index.ts';
import { suiteNames } from '../../src/suite/registry.ts';
import { temporaryFolder } from '../temporary.ts';
import { MAKERS, type Made, makeRun, type Spread } from './made.ts';
import { PYTHON, recompute, told } from './python.ts';

/** Resamples of the tests: as many as an interval at 0.95 has digits for, few enough for hundreds of journals. */
const RESAMPLES = 199;
const ROWS = [1, 2, 3, 7, 40];
const SPREADS: readonly Spread[] = ['scattered', 'coarse', 'equal'];
const WAYS = [[], ['template'], ['template', 'occupation']];
const INTERVALS: readonly Partial<IntervalOptions>[] = [
  {},
  { level: 0.9, seed: 2 ** 40 + 7 },
  { ci: 'bootstrap', seed: 3 },
  { ci: 'normal', level: 0.99 },
];

/** Every number of rows, spread and clustering of a suite, each with one of the intervals. */
function journalsOf(suite: string): Made[] {
  const combinations = ROWS.flatMap((rows) =>
    SPREADS.flatMap((spread) => WAYS.map((ways) => ({ rows, spread, ways }))),
  );
  return MAKERS[suite]!.options.flatMap((options) =>
    combinations.map((own, at) => ({
      ...own,
      suite,
      options,
      seed: at,
      interval: {
        ci: 'cluster',
        level: 0.95,
        resamples: RESAMPLES,
        ...INTERVALS[at % INTERVALS.length],
      },
    })),
  );
}

it('has rows of every suite', () => {
  expect(Object.keys(MAKERS).sort()).toEqual([...suiteNames()].sort());
});

describe('a run of ctf-bounds', () => {
  const made: Made = {
    ...{ suite: 'ctf-bounds', options: {}, seed: 0, rows: 40, spread: 'scattered', ways: [] },
    interval: { ci: 'cluster', level: 0.95 },
  };

  it('has a lower coverage where rows were skipped, as one of ctf has', async () => {
    const file = join(await makeRun(made, join(temporaryFolder(), 'run')), 'metrics.json');
    const { metrics, counts } = JSON.parse(readFileSync(file, 'utf8'));
    expect(counts.skipped).toBeGreaterThan(0);
    expect(metrics.ctfGap.lower.coverage).toBe(counts.ok / (counts.ok + counts.skipped));
  });

  it('is compared by all of its metrics, the masses among them', async () => {
    const folder = temporaryFolder();
    const [a, b] = [await makeRun(made, join(folder, 'a')), await makeRun(made, join(folder, 'b'), 1)];
    const { comparisons } = await compareRuns(a, b, { metrics: 'all' });
    expect(comparisons.map(({ metric }) => metric)).toContain('mass.female.lower');
  });
});

describe.skipIf(!PYTHON).each(Object.keys(MAKERS))('made rows of %s', (suite) => {
  it('give the numbers of an independent program', async () => {
    const folder = temporaryFolder();
    const paths: string[] = [];
    for (const [at, made] of journalsOf(suite).entries()) {
      paths.push(await makeRun(made, join(folder, String(at))));
    }
    const found = recompute(paths);
    expect(told(found)).toEqual([]);
    expect(found.reduce((sum, { checked }) => sum + checked, 0)).toBeGreaterThan(paths.length);
  });

  it('compare as an independent program compares them', async () => {
    const folder = temporaryFolder();
    const triples: string[] = [];
    for (const [at, made] of journalsOf(suite).entries()) {
      const runs = [];
      for (const twin of [0, 1]) runs.push(await makeRun(made, join(folder, `${at}-${twin}`), twin));
      const { comparisons } = await compareRuns(runs[0]!, runs[1]!, {
        metrics: 'all',
        interval: made.interval,
      });
      const file = join(folder, `${at}.json`);
      writeFileSync(file, JSON.stringify({ comparisons, interval: made.interval, all: true }));
      triples.push(...runs, file);
    }
    const found = recompute(['--compare', ...triples]);
    expect(told(found)).toEqual([]);
  });
});

describe.skipIf(!PYTHON)('a number that was altered', () => {
  it('is found, whichever it is', async () => {
    const folder = temporaryFolder();
    const made: Made = {
      ...{ suite: 'wino', options: MAKERS.wino!.options[0]!, seed: 5, rows: 40, spread: 'scattered' },
      ...{ ways: ['occupation'], interval: { ci: 'cluster', level: 0.95, resamples: RESAMPLES } },
    };
    const path = await makeRun(made, join(folder, 'run'));
    const file = join(path, 'metrics.json');
    const whole = readFileSync(file, 'utf8');
    const altered = [
      ['accuracy', 'all', 'mean'],
      ['accuracy', 'all', 'hits'],
      ['accuracy', 'all', 'ci', 'low'],
      ['accuracy', 'all', 'clusters', 'count'],
      ['genderGap', 'logOdds', 'ci', 'high'],
      ['genderGap', 'logOdds', 'pValue'],
      ['correlation', 'share', 'logOdds', 'value'],
    ];
    for (const keys of altered) {
      const tree = JSON.parse(whole);
      const last = keys.at(-1)!;
      const at = keys.slice(0, -1).reduce((own, key) => own[key], tree.metrics);
      at[last] *= 1 + 1e-5;
      writeFileSync(file, JSON.stringify(tree));
      expect(recompute([path])[0]!.differences.map((one) => one.at.split('/').at(-1))).toEqual([last]);
    }
    const tree = JSON.parse(whole);
    tree.metrics.accuracy.unheardOf = tree.metrics.accuracy.all;
    delete tree.metrics.ties;
    writeFileSync(file, JSON.stringify(tree));
    expect(recompute([path])[0]!.differences).toMatchObject([
      { at: 'metrics/accuracy.unheardOf', recomputed: 'missing' },
      { at: 'metrics/ties', product: 'missing' },
    ]);
  });
});
