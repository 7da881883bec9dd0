/** `logit-audit scale` and `run scale` as they are installed, killed runs among them. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { sharedFile } from '../oracle/shared.ts';
import { PEOPLE, TEA } from '../scale/tea.ts';
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
