/** `logit-audit experiment` as it is installed, in a folder of its own. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { AXES, AXIS_KEYS, shippedExperiments } from '../../src/suites/bbq/experiment/index.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
});
const experiment = (...args: string[]) => runCli(['experiment', ...args], { cwd });
const own = () => join(cwd, 'experiments/bbq.yaml');
function put(text: string): void {
  mkdirSync(join(cwd, 'experiments'));
  writeFileSync(own(), text);
}

describe('experiment', () => {
  it('makes, lists, shows, changes and deletes one of your own', async () => {
    const made = await experiment(
      'create',
      'gray_img',
      '--from',
      'main',
      '--set',
      'image=aug',
      '--set',
      'token=aug',
    );
    expect(made).toEqual({
      code: 0,
      stdout: 'made gray_img in experiments/bbq.yaml: image aug, token aug\n',
      stderr: '',
    });
    expect((await experiment('list')).stdout).toMatch(/^gray_img +yours +image aug, token aug +–$/m);
    const shown = (await experiment('show', 'gray_img')).stdout.split('\n');
    expect(shown[0]).toBe('gray_img (yours, experiments/bbq.yaml)');
    expect(shown.slice(3, 15).map((line) => line.split(/ +/, 2).join(' '))).toEqual([
      'mode default',
      'quant false',
      'fields masked',
      'image aug',
      'options plain',
      'disambig plain',
      'inject false',
      'vo true',
      'retry false',
      'token aug',
      'text_only false',
      'strip_image_ref false',
    ]);
    expect(shown[6]).toContain(AXES.image.values.aug);
    expect(shown[15]).toBe('results are named DATA_<augmentation>');
    const changed = await experiment('update', 'gray_img', '--set', 'vo=no', '--description', 'no colour');
    expect(changed.stdout.split('\n')).toEqual([
      'vo is now false',
      'description is now no colour',
      'changed gray_img in experiments/bbq.yaml: image aug, vo false, token aug',
      '',
    ]);
    const json = JSON.parse((await experiment('show', 'gray_img', '--json')).stdout);
    expect(json).toMatchObject({ name: 'gray_img', vo: false, textOnly: false, source: 'yours' });
    expect(await experiment('delete', 'gray_img')).toEqual({
      code: 0,
      stdout: 'deleted gray_img from experiments/bbq.yaml\n',
      stderr: '',
    });
    expect((await experiment('list')).stdout).not.toContain('gray_img');
  });

  it('says when a shipped one is overridden, and when it is back', async () => {
    const made = await experiment('create', 'llm', '--from', 'llm', '--set', 'quant=yes', '--json');
    expect(JSON.parse(made.stdout)).toMatchObject({
      overridesShipped: true,
      file: 'experiments/bbq.yaml',
      experiment: { quant: true, token: 'llm', textOnly: true },
      warnings: [],
    });
    expect((await experiment('list')).stdout).toMatch(
      /^llm +yours, overrides the shipped one +quant true, /m,
    );
    const { experiments } = JSON.parse((await experiment('list', '--json')).stdout);
    expect(experiments).toHaveLength(11);
    expect(experiments[10]).toMatchObject({
      name: 'llm',
      source: 'yours',
      overridesShipped: true,
      error: null,
    });
    const deleted = await experiment('delete', 'llm');
    expect(deleted.stdout).toContain('the shipped experiment llm is used from now on');
    expect((await experiment('show', 'llm')).stdout).toContain('llm (shipped): ');
  });

  it('lists a row with faults as one, and tells them', async () => {
    put('experiments:\n  bad: {image: gray}\n');
    const { code, stdout, stderr } = await experiment('list');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^bad +yours +– +has faults$/m);
    expect(stderr).toContain('line 2: bad.image is "gray"; give dataset, aug, blank, realworld or none');
  });

  it.each<[what: string, args: string[], says: string]>([
    [
      'an unknown key',
      ['create', 'x', '--set', 'imag=aug'],
      'imag is not a key of an experiment; the keys are mode, ',
    ],
    [
      'an unknown value',
      ['create', 'x', '--set', 'image=gray'],
      'give dataset, aug, blank, realworld or none',
    ],
    ['no value', ['create', 'x', '--set', 'image'], 'Give KEY=VALUE'],
    ['a key twice', ['create', 'x', '--set', 'vo=no', '--set', 'vo=yes'], 'vo is set twice'],
    ['no sense', ['create', 'x', '--set', 'image=none'], 'set vo=false (nothing was written)'],
    ['a path for a name', ['create', '../x'], 'is not the name of an experiment'],
    ['a shipped one changed', ['update', 'main', '--set', 'vo=no'], 'create NAME --from main'],
    ['a shipped one deleted', ['delete', 'main'], 'create NAME --from main'],
    ['one that is not there', ['show', 'nix'], 'shipped are: main, quant, '],
    ['nothing to do', [], 'Usage: logit-audit experiment'],
  ])('ends with 2 for %s', async (_what, args, says) => {
    const { code, stdout, stderr } = await experiment(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
    expect(existsSync(join(cwd, 'experiments'))).toBe(false);
  });

  it('tells faults to programs as JSON', async () => {
    const { code, stderr } = await experiment('create', 'x', '--set', 'vo=3', '--json');
    expect(code).toBe(2);
    expect(JSON.parse(stderr).error).toEqual({
      code: 'bad_argument',
      message: 'vo is "3"; give true or false',
      data: { key: 'vo' },
    });
  });

  it('has every key with its values under its help', async () => {
    const { code, stdout } = await experiment('create', '--help');
    expect([code, stdout]).toEqual([0, expect.stringContaining('Examples:')]);
    for (const key of AXIS_KEYS) expect(stdout).toMatch(new RegExp(`^  ${key} `, 'm'));
    expect(stdout).toContain('dataset (default), aug, blank, realworld, none\n');
  });
});

describe('experiment validate', () => {
  it('looks at the shipped table where there is no other, and at yours', async () => {
    expect((await experiment('validate')).stdout).toBe('the shipped table: right\n');
    put('# mine\nexperiments:\n  a: {vo: 3}\n  b:\n    image: none\n    vo: no\n');
    const { code, stdout } = await experiment('validate');
    expect(code).toBe(2);
    expect(stdout.split('\n')).toEqual([
      'experiments/bbq.yaml: NOT RIGHT (1 fault, 2 warnings)',
      '  fault: line 3: a.vo is 3; give true or false',
      expect.stringContaining('  warning: line 4: b: fields is masked and image is none'),
      expect.stringContaining('  warning: line 4: b: image is none, but questions keep " in the image"'),
      '',
    ]);
    const json = await experiment('validate', 'b', './none.yaml', '--json');
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject([
      { target: 'b', valid: true, faults: [], warnings: [{ line: 4 }, { line: 4 }] },
      { target: './none.yaml', valid: false, faults: [{ file: './none.yaml', line: null }] },
    ]);
    expect(readFileSync(own(), 'utf8')).toContain('# mine');
  });

  it('takes the name of every shipped experiment', async () => {
    const names = await shippedExperiments();
    const { code, stdout } = await experiment('validate', ...names);
    expect([code, stdout]).toEqual([0, names.map((name) => `${name}: right\n`).join('')]);
  });
});
