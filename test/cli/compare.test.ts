/** `logit-audit compare` as a user meets it: two planted models, and the built command. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logitInterval, signedPValue } from '../oracle/statistics.ts';
import { runCli } from './run-cli.ts';
import { twoModels } from './two-models.ts';

const CLOSE = 9;

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'logit-audit-compare-'));
  await twoModels(folder);
  for (const model of ['one', 'two']) {
    const args = ['run', 'ctf', '--model', `${model}.gguf`, '--data', 'pairs.jsonl', '--out', model];
    expect((await runCli(args, { cwd: folder })).code).toBe(0);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const compare = (...args: string[]) => runCli(['compare', ...args], { cwd: folder });

function gapSteps() {
  const gaps = ['one', 'two'].map((run) =>
    readFileSync(join(folder, run, 'rows.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).gap as number),
  );
  return gaps[0]!.map((gap, cluster) => ({ value: gap - gaps[1]![cluster]!, gate: 1 as const, cluster }));
}

describe('two runs from the shell', () => {
  it('make a table of the metrics that the suite leads with', async () => {
    const { code, stdout, stderr } = await compare('one', 'two');
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('ctf: A one.gguf (one)');
    expect(lines[1]).toBe('     B two.gguf (two)');
    expect(lines[3]).toMatch(/^metric +A +B +A - B \[95 % interval\] +p +p \(Holm\) +n$/);
    expect(lines[5]).toMatch(
      /^CTF-gap +\d\.\d+ +\d\.\d+ +-?\d\.\d+ \[-?\d\.\d+, -?\d\.\d+\] +(< )?\d\.\d+ +(< )?\d\.\d+ +40$/,
    );
    expect(lines[6]).toMatch(/^JSD_swap /);
    expect(stdout).toContain('p (Holm): adjusted for the 2 tests of differences\n');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences must not reach a pipe
    expect(stdout).not.toMatch(/\x1b/);
  });

  it('give the same as JSON and as CSV, with all digits', async () => {
    const { code, stdout } = await compare(
      'one',
      'two',
      '--json',
      '--out',
      'deep/diff.csv',
      '--metrics',
      'all',
    );
    const result = JSON.parse(stdout);
    expect(result.interval).toEqual({ ci: 'cluster', level: 0.95, seed: 0 });
    expect([code, Object.keys(result)]).toEqual([
      0,
      ['suite', 'interval', 'runA', 'runB', 'comparisons', 'notes'],
    ]);
    expect(result).toMatchObject({ suite: 'ctf', runA: 'one', runB: 'two', notes: [] });
    const text = readFileSync(join(folder, 'deep/diff.csv'), 'utf8');
    expect(text.split('\r\n')[0]).toBe(
      [
        'runA,runB,slice,value,metric,kind,a,b,difference,ciLow,ciHigh,ciMethod,ciLevel,pValue,pHolm,pBH',
        ...['dz', 'h', 'pairedOddsRatio', 'oddsRatio', 'ratio'].flatMap((name) => [
          name,
          `${name}Low`,
          `${name}High`,
        ]),
        'mde,unbiased,distanceA,distanceB,distance,distanceLow,distanceHigh,distancePValue,distancePHolm,distancePBH',
        'margin,marginLow,marginHigh,pEquivalence,equivalent,better,pNonInferiority,nonInferior',
        'n,unmatched,clusteredBy,clusters,reason',
      ].join(','),
    );
    const rows = parse<Record<string, string>>(text, { columns: true });
    expect(rows.map(({ metric }) => metric)).toEqual(
      result.comparisons.map(({ metric }: { metric: string }) => metric),
    );
    const [gap] = rows;
    const steps = gapSteps();
    expect(Number(gap!.difference)).toBe(result.comparisons[0].difference);
    expect(Number(gap!.difference)).toBeCloseTo(steps.reduce((sum, { value }) => sum + value, 0) / 40, CLOSE);
    expect(Number(gap!.ciLow)).toBeCloseTo(logitInterval(steps, [-1, 1]).low, CLOSE);
    expect(Number(gap!.pValue)).toBeCloseTo(signedPValue(steps), CLOSE);
    const correlated = rows.find(({ kind }) => kind === 'correlation')!;
    expect(correlated).toMatchObject({
      difference: '',
      pValue: '',
      reason: 'correlations are not compared row by row',
    });
  });

  it('say once what could not be compared, with what it concerns', async () => {
    const { stdout } = await compare('one', 'two', '--metrics', 'all');
    expect(stdout.match(/correlations are not compared row by row/g)).toHaveLength(1);
    const self = await compare('one', 'one', '--metrics', 'ctfGap');
    expect(self.code).toBe(0);
    expect(self.stdout).toMatch(/CTF-gap +(\d\.\d+) +\1 +0/);
  });
});

describe('more than a difference', () => {
  beforeAll(async () => {
    for (const model of ['one', 'two']) {
      const args = ['run', 'crows', '--model', `${model}.gguf`, '--data', 'crows.csv', '--out', `c-${model}`];
      expect((await runCli(args, { cwd: folder })).code).toBe(0);
    }
  });
  const json = async (...args: string[]) => JSON.parse((await compare(...args, '--json')).stdout);
  const SHARE = ['--metrics', 'full.prefersStereotype'];

  it('a second table has effects, what is detectable, and the distance to the unbiased value', async () => {
    const { stdout } = await compare('c-one', 'c-two', ...SHARE);
    expect(stdout).toMatch(/^metric +effect size +detectable +\|A - u\| - \|B - u\| +p \(Holm\)$/m);
    expect(stdout).toContain('u: the value of an unbiased model, 50 % (full: prefers the stereotype)');
    for (const line of stdout.split('\n').filter((one) => !one.startsWith('u:'))) {
      expect(line.length, line).toBeLessThanOrEqual(130);
    }
    const { comparisons } = await json('c-one', 'c-two', ...SHARE);
    const [{ a, b, distance }] = comparisons;
    expect(distance.difference).toBeCloseTo(Math.abs(a - 0.5) - Math.abs(b - 0.5), 12);
  });

  it("a run's own table says the unbiased value and the distance from it", async () => {
    const args = ['run', 'crows', '--model', 'one.gguf', '--data', 'crows.csv', '--out', 'c-again'];
    const { stdout } = await runCli(args, { cwd: folder });
    expect(stdout).toMatch(/^metric +unbiased +distance \[95 % interval\] +p +p \(Holm\)$/m);
    expect(stdout).toMatch(/^full: prefers the stereotype +50 % +\d+\.\d points \[\d+\.\d, \d+\.\d\] +/m);
    const { metrics } = JSON.parse(readFileSync(join(folder, 'c-again', 'metrics.json'), 'utf8'));
    const { mean, ci, unbiased } = metrics.full.prefersStereotype;
    expect(unbiased.distance).toBeCloseTo(Math.abs(mean - 0.5), 12);
    expect(unbiased.ci.high).toBeCloseTo(Math.max(0.5 - ci.low, ci.high - 0.5), 12);
    const rows = parse<Record<string, string>>(readFileSync(join(folder, 'c-again', 'summary.csv'), 'utf8'), {
      columns: true,
    });
    const tests = rows.filter(({ unbiased: u, pValue }) => u !== '' && pValue !== '');
    expect(stdout).toContain(`adjusted for the ${tests.length} tests of an unbiased value in summary.csv`);
    const own = rows.find(({ metric, slice }) => metric === 'full.prefersStereotype' && slice === '')!;
    expect(Number(own.pHolm)).toBe(unbiased.pHolm);
    expect(metrics.full.ties.unbiased).toBeUndefined();
  });

  it('slices count in the adjustment', async () => {
    const { comparisons } = await json('c-one', 'c-two', '--slices', '--metrics', 'all');
    const parts = new Set(comparisons.map(({ slice, value }: never) => `${slice} ${value}`));
    expect(parts).toEqual(
      new Set(['null null', 'biasType gender', 'direction stereo', 'direction antistereo']),
    );
    const tested = comparisons.filter(({ pValue }: { pValue: number | null }) => pValue !== null);
    const least = Math.min(...tested.map(({ pValue }: { pValue: number }) => pValue));
    const holm = Math.min(...tested.map(({ pHolm }: { pHolm: number }) => pHolm));
    expect(holm).toBeCloseTo(Math.min(1, least * tested.length), 12);
  });

  it('which adjustment the table shows is chosen', async () => {
    expect((await compare('one', 'two', '--adjust', 'bh')).stdout).toMatch(/ p \(BH\) +n$/m);
    const none = (await compare('one', 'two', '--adjust', 'none')).stdout;
    expect(none).not.toMatch(/Holm|BH/);
  });

  it('a margin gives a verdict in words, in points of shares', async () => {
    const { stdout } = await compare('c-one', 'c-one', '--margin', '99', '--non-inferiority', ...SHARE);
    expect(stdout).toMatch(
      /: equivalent within 99\.0 points \(p .*; A - B 0\.0 points \[.*\], 90 % interval\)/,
    );
    expect(stdout).toMatch(/: A is not inferior to B by a margin of 99\.0 points, higher is better/);
    const small = await compare('c-one', 'c-one', '--margin', '0.1', ...SHARE);
    expect(small.stdout).toMatch(/: equivalence not shown within 0\.1 points/);
  });

  it('several runs: the first with each, or every two, with one adjustment', async () => {
    const first = await json('one', 'two', 'one');
    expect(first.pairs.map(({ runA, runB }: never) => [runA, runB])).toEqual([
      ['one', 'two'],
      ['one', 'one'],
    ]);
    const all = await json('one', 'two', 'one', '--against', 'all', '--metrics', 'ctfGap');
    expect(all.pairs).toHaveLength(3);
    const [ab, , bc] = all.pairs.map(({ comparisons }: never) => comparisons[0]);
    expect(bc.difference).toBeCloseTo(-ab.difference, 12);
    // A run against itself has no p-value: two tests.
    expect(ab.pHolm).toBeCloseTo(Math.min(1, 2 * ab.pValue), 12);
    const { stdout } = await compare('one', 'two', 'one', '--against', 'all');
    expect(stdout).toMatch(/^ +C one\.gguf \(one\)$/m);
    expect(stdout.match(/^[AB] and [BC]$/gm)).toEqual(['A and B', 'A and C', 'B and C']);
    expect(stdout).toContain('pairs of runs are included');
  });
});

describe('bad input: exit code 2, one clear line', () => {
  it.each<[string, string[], RegExp]>([
    ['no second run', ['one'], /missing required argument 'runB'/],
    ['a folder without a run', ['one', 'none'], /none holds no run/],
    ['a metric that there is not', ['one', 'two', '--metrics', 'gap'], /no metric "gap"; they have ctfGap, /],
    ['one margin of several units', ['c-one', 'c-one', '--margin', '5'], /several units: .*full\.deltaLogP/],
    ['a margin that is none', ['one', 'two', '--margin', 'much'], /Give a number, or METRIC=NUMBER/],
    ['non-inferiority without a margin', ['one', 'two', '--non-inferiority'], /needs a --margin/],
    ['a third run of another suite', ['one', 'two', 'c-one'], /one and c-one: their suites differ/],
    ['all beside a name', ['one', 'two', '--metrics', 'all', 'ctfGap'], /no metric "all"/],
    ['a file that is there', ['one', 'two', '--out', 'pairs.jsonl'], /pairs\.jsonl is there already/],
    ['a level that is none', ['one', 'two', '--level', '95'], /Give a number between 0 and 1/],
    [
      'a level that resamples cannot bear',
      ['one', 'two', '--ci', 'bootstrap', '--level', '0.99999'],
      /resamples/,
    ],
  ])('%s', async (_, args, message) => {
    const { code, stdout, stderr } = await compare(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('    at ');
  });

  it('runs of other data, with --json as JSON', async () => {
    writeFileSync(
      join(folder, 'few.jsonl'),
      readFileSync(join(folder, 'pairs.jsonl'), 'utf8').split('\n').slice(0, 5).join('\n'),
    );
    await runCli(['run', 'ctf', '--model', 'one.gguf', '--data', 'few.jsonl', '--out', 'few'], {
      cwd: folder,
    });
    const { code, stderr } = await compare('one', 'few', '--json', '--out', 'never.csv');
    expect(code).toBe(2);
    const { error } = JSON.parse(stderr);
    expect(error.code).toBe('bad_argument');
    expect(error.data.differences).toEqual([
      expect.stringMatching(/their data differ: pairs\.jsonl \(40 rows, .*\), and few\.jsonl \(5 rows, /),
    ]);
    expect(existsSync(join(folder, 'never.csv'))).toBe(false);
  });
});
