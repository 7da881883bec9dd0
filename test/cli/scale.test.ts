/** `logit-audit scale` and `run scale` as they are installed, killed runs among them. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { sharedFile } from '../oracle/shared.ts';
import { PEOPLE, TEA } from '../suites/scale/tea.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
  mkdirSync(join(cwd, 'scales'));
  writeFileSync(join(cwd, 'scales/tea.yaml'), TEA);
  writeFileSync(join(cwd, 'people.csv'), PEOPLE);
});
const cli = (line: string, ...more: string[]) => runCli([...line.split(' '), ...more], { cwd });
const read = (name: string) => readFileSync(join(cwd, name), 'utf8');

test('one of your own is changed by values of YAML and by texts, listed and shown', async () => {
  const changed = await cli(
    'scale update tea --set items.T3.reversed=true --set',
    'asked=[work]',
    '--title',
    'Tea: 2',
  );
  expect(changed).toEqual({
    code: 0,
    stdout:
      'items.T3.reversed is now true\nasked is now ["work"]\ntitle is now "Tea: 2"\n' +
      'changed scales/tea.yaml: (home 0-4), work 0-2\n',
    stderr: '',
  });
  const listed = JSON.parse((await cli('scale list --json')).stdout);
  expect(listed.scales.map((scale: { name: string }) => scale.name)).toEqual(['mini-ipip', 'prca-24', 'tea']);
  expect(listed.scales[2]).toMatchObject({
    origin: 'own',
    summary: { title: 'Tea: 2', asked: ['work'], items: 3 },
  });
  expect((await cli('scale show tea')).stdout).toBe(read('scales/tea.yaml'));
  expect(JSON.parse((await cli('scale show tea --schema')).stdout)).toEqual({
    fields: { calm_at_work: { type: 'integer', min: 0, max: 2 } },
    others: 'drop',
  });
});

test('bad input is told before a model is opened, with exit code 2', async () => {
  const run = 'run scale --scale tea --model no.gguf --participants people.csv';
  for (const [line, told] of [
    [`${run} --tiers age,cups`, 'scale tea has no tier "cups"; the tiers are age, habits'],
    [`${run} --subscales tea`, 'has no subscale "tea"; the subscales are home, work'],
    [`${run.replace('tea', 'coffee')}`, 'no scale is called "coffee"; shipped are: mini-ipip, prca-24'],
    [`${run.replace('no.gguf', 'mock:scales')}`, 'there is no built-in mock "mock:scales"; give mock:scale'],
    [
      'scale update tea --set bands.calm.colour=1',
      '"colour" is not a key of bands[2]; the keys here are name, upTo, from',
    ],
    ['scale update tea --set title=[', 'is no value of YAML'],
    ['scale update tea --set title', 'Give KEY=VALUE'],
  ]) {
    const { code, stderr } = await cli(line!);
    expect([line, code, stderr]).toEqual([line, 2, expect.stringContaining(told!)]);
  }
});

test('a run where no case was answered fails, and says why', async () => {
  const stories = sharedFile('models/stories260K.gguf');
  if (stories === null) return;
  const run = `run scale --scale tea --participants people.csv --out r --threads 1 --max-tokens 5 --ctx 16 --model ${stories}`;
  const { code, stderr, stdout } = await cli(run);
  expect([code, stderr]).toEqual([1, expect.stringContaining('no case was answered: the text has')]);
  expect(stdout).toContain('0 of 4 cases answered, 4 failed');
  const again = JSON.parse((await cli(`${run.replace(' --ctx 16', '')} --resume --json`)).stdout);
  expect(again.counts).toEqual({ cases: 4, ok: 4, failed: 0, truncated: 4, takenOver: 0 });
});

const sleeps = sharedFile('models/stories260K.gguf') === null;
test.skipIf(sleeps)(
  'a run that is killed loses nothing that was on the disk, and asks nothing twice',
  async () => {
    const people = Array.from({ length: 40 }, (_, n) => `P${n},${20 + n},${n % 4},green`);
    writeFileSync(join(cwd, 'people.csv'), ['participant_id,Age,Cups a day,Tea', ...people, ''].join('\n'));
    const model = sharedFile('models/stories260K.gguf')!;
    const line = `run scale --scale tea --model ${model} --participants people.csv --out r --threads 1 --max-tokens 40 --mode exact`;
    const child = spawn(process.execPath, [MAIN, ...line.split(' ')], { cwd, stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('close', resolve));
    const journal = () => {
      try {
        return read('r/rows.jsonl').split('\n').slice(0, -1);
      } catch {
        return [];
      }
    };
    while (journal().length === 0 && child.exitCode === null) await setTimeout(20);
    child.kill('SIGKILL');
    await ended;
    const before = journal();
    expect(before.length).toBeGreaterThan(0);
    expect(before.length).toBeLessThan(80);
    expect(JSON.parse(read('r/manifest.json')).status).toBe('running');
    const { code, stdout } = await cli(`${line} --resume`);
    expect([code, stdout]).toEqual([0, expect.stringContaining('80 of 80 cases answered, 0 failed')]);
    const after = journal();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(new Set(after.map((entry) => JSON.parse(entry).id)).size).toBe(80);
    expect(after).toHaveLength(80);
    await cli(line.replace('--out r', '--out whole'));
    expect(read('r/results.csv')).toBe(read('whole/results.csv'));
  },
);

describe('run scale --administer', () => {
  const tea = 'run scale --scale tea --administer --model mock:scale';

  test('prints scores, alpha, effects of the order and items, and the same as JSON', async () => {
    const { code, stdout, stderr } = await cli(`${tea} --out runs/a --orders 4`);
    expect([code, stderr]).toEqual([0, '']);
    for (const said of [
      '3 items, each by itself, in 4 orders of the answers: 12 of 12 answered, 0 failed',
      'counted: the likeliest letter',
      'alpha [95 % interval]',
      'alpha of work: only 1 item; alpha needs at least 2',
      'no sample of people',
      "scale's order less its reverse",
      'T2 (reversed)',
      'written to runs/a',
    ]) {
      expect(stdout).toContain(said);
    }
    expect(stdout).not.toMatch(/NaN|Infinity|undefined|null/);
    const json = JSON.parse((await cli(`${tea} --out runs/b --orders 4 --json`)).stdout);
    expect(json).toMatchObject({ scale: 'tea', counts: { cases: 12, ok: 12 }, asking: { orders: 4 } });
    expect({ ...JSON.parse(read('runs/b/metrics.json')) }).toEqual(JSON.parse(read('runs/a/metrics.json')));
  });

  test('says which flags are of the other way to ask, and what is missing', async () => {
    const people = 'run scale --scale tea --model mock:scale';
    for (const [line, message] of [
      [`${tea} --tiers age`, '--tiers: with --administer the model answers as itself'],
      [`${tea} --participants people.csv`, '--participants: with --administer'],
      [`${people} --participants people.csv --in-context`, '--in-context: only with --administer'],
      [people, "error: required option '--participants <file>' not specified"],
      [tea.replace('tea', 'prca-24'), 'no wording of the items Q1'],
      [`${tea} --orders 0`, 'whole number from 1'],
    ] as const) {
      const { code, stderr } = await cli(line);
      expect([line, code, stderr]).toEqual([line, 2, expect.stringContaining(message)]);
    }
  });

  test('a run that was killed is resumed, and its files are those of one that was not', async () => {
    const line = 'run scale --scale mini-ipip --administer --model mock:scale --orders 60';
    await cli(`${line} --out runs/whole`);
    const child = spawn(process.execPath, [MAIN, ...`${line} --out runs/killed`.split(' ')], { cwd });
    const journal = join(cwd, 'runs/killed/rows.jsonl');
    const ended = new Promise((resolve) => child.once('exit', resolve));
    while (child.exitCode === null && !(existsSync(journal) && statSync(journal).size > 0))
      await setTimeout(1);
    child.kill('SIGKILL');
    await ended;
    const { code, stderr } = await cli(`${line} --out runs/killed --resume`);
    expect([code, stderr]).toEqual([0, '']);
    for (const name of [
      'rows.jsonl',
      'rows.csv',
      'scores.csv',
      'items.csv',
      'reliability.csv',
      'metrics.json',
    ]) {
      expect(read(`runs/killed/${name}`), name).toBe(read(`runs/whole/${name}`));
    }
  });
});
