/** What the product makes of rows that no model wrote, held against a program that shares nothing with it. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { IntervalOptions } from '../../src/run/accumulate/index.ts';
import { suiteNames } from '../../src/suites/registry.ts';
import { compareFolders } from '../run/compare-folders.ts';
import { temporaryFolder } from '../temporary.ts';
import { MAKERS, type Made, makeRun, type Spread } from './made.ts';
import { PYTHON, recompute, told } from './python.ts';

/** Resamples of the tests: as many as an interval at 0.95 has digits for, few enough for hundreds of journals. */
const RESAMPLES = 199;
const ROWS = [0, 1, 2, 3, 7, 40];
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
    const { comparisons } = await compareFolders(a, b, { metrics: 'all' });
    expect(comparisons.map(({ metric }) => metric)).toContain('mass.female.lower');
  });
});

describe.skipIf(!PYTHON).each(Object.keys(MAKERS))('made rows of %s', (suite) => {
  // Minutes on a busy machine: hundreds of journals, each compared with another one.
  it('give the numbers of an independent program, and compare as it compares them', {
    timeout: 600_000,
  }, async () => {
    const folder = temporaryFolder();
    const [paths, triples]: [string[], string[]] = [[], []];
    for (const [at, made] of journalsOf(suite).entries()) {
      const [a, b] = [
        await makeRun(made, join(folder, `${at}`)),
        await makeRun(made, join(folder, `${at}b`), 1),
      ];
      const { interval } = made;
      const { comparisons } = await compareFolders(a, b, { metrics: 'all', interval });
      const file = join(folder, `${at}.json`);
      writeFileSync(file, JSON.stringify({ comparisons, interval, all: true }));
      paths.push(a);
      triples.push(a, b, file);
    }
    const found = [...recompute(paths), ...recompute(['--compare', ...triples])];
    expect(told(found)).toEqual([]);
    expect(found).toHaveLength(2 * paths.length);
    for (const { checked } of found) expect(checked).toBeGreaterThan(0);
  });
});

/** A change of a file's JSON. */
type Change = (tree: Tree) => void;
// biome-ignore lint/suspicious/noExplicitAny: whatever is in the file
type Tree = any;

/** Makes the number at the end of the keys a little larger. */
function larger(keys: readonly string[]): Change {
  return (tree) => {
    const at = keys.slice(0, -1).reduce((own, key) => own[key], tree);
    at[keys.at(-1)!] *= 1 + 1e-5;
  };
}

describe.skipIf(!PYTHON)('a number that was altered', () => {
  const made: Made = {
    ...{ suite: 'wino', options: MAKERS.wino!.options[0]!, seed: 5, rows: 40, spread: 'scattered' },
    ...{ ways: ['occupation'], interval: { ci: 'cluster', level: 0.95, resamples: RESAMPLES } },
  };

  it('is found, whichever it is', async () => {
    const folder = temporaryFolder();
    const altered = [
      ['accuracy', 'all', 'mean'],
      ['accuracy', 'all', 'hits'],
      ['accuracy', 'all', 'ci', 'low'],
      ['accuracy', 'all', 'ci', 'effectiveN'],
      ['accuracy', 'all', 'clusters', 'count'],
      ['genderGap', 'logOdds', 'ci', 'high'],
      ['genderGap', 'logOdds', 'pValue'],
      ['genderGap', 'logOdds', 'unbiased', 'pHolm'],
      ['genderGap', 'logOdds', 'unbiased', 'ci', 'high'],
      ['correlation', 'share', 'logOdds', 'value'],
    ];
    const changes: [Change, string[]][] = altered.map((keys) => [
      larger(['metrics', ...keys]),
      [keys.at(-1)!],
    ]);
    changes.push([
      ({ metrics }) => {
        metrics.accuracy.unheardOf = metrics.accuracy.all;
        metrics.genderGap.logOdds.ci = null;
        delete metrics.ties;
      },
      ['accuracy.unheardOf', 'ci', 'ties', 'reason'],
    ]);
    const paths: string[] = [];
    for (const [at, [change]] of changes.entries()) {
      const path = await makeRun(made, join(folder, `${at}`));
      const file = join(path, 'metrics.json');
      const tree = JSON.parse(readFileSync(file, 'utf8'));
      change(tree);
      writeFileSync(file, JSON.stringify(tree));
      paths.push(path);
    }
    const table = await makeRun(made, join(folder, 'table'));
    const summary = join(table, 'summary.csv');
    writeFileSync(summary, readFileSync(summary, 'utf8').replace(/clusterWilson,0\.95/, 'clusterWilson,0.9'));
    const found = recompute([...paths, table]).map(({ differences }) =>
      differences.map(({ at }) => at.split('/').at(-1)!),
    );
    expect(found).toEqual([...changes.map(([, names]) => names), ['level']]);
  });

  it('is found in a comparison', async () => {
    const folder = temporaryFolder();
    const runs = [await makeRun(made, join(folder, 'a')), await makeRun(made, join(folder, 'b'), 1)] as const;
    const { comparisons } = await compareFolders(...runs, { metrics: 'all' });
    const altered = [
      ...[['a'], ['difference'], ['n'], ['ci', 'low'], ['pValue'], ['pHolm'], ['mde']],
      ...[
        ['effects', 'dz', 'low'],
        ['distance', 'difference'],
        ['distance', 'pBH'],
      ],
    ];
    const triples = altered.flatMap((keys, at) => {
      const own = structuredClone(comparisons).filter(({ metric }) => metric === 'genderGap.logOdds');
      larger(keys)(own[0]);
      const file = join(folder, `${at}.json`);
      const interval = { resamples: 10_000 };
      writeFileSync(file, JSON.stringify({ comparisons: own, interval }));
      return [...runs, file];
    });
    const found = recompute(['--compare', ...triples]).map(({ differences }) =>
      differences.map(({ at }) => at.split('/').at(-1)!),
    );
    // One metric alone is adjusted for one test.
    for (const [at, names] of found.entries()) expect(names).toContain(altered[at]!.at(-1));
  });
});
