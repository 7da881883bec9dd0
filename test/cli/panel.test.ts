/** `logit-audit run panel` as a user meets it: planted models, and the built command. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { sharedFile } from '../oracle/shared.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';
import { twoModels } from './two-models.ts';

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  await twoModels(folder);
});

const panel = (...args: string[]) =>
  runCli(['run', 'panel', '--model', 'one.gguf', '--out', 'out', ...args], { cwd: folder });
const FLAGS = ['--ctf', 'pairs.jsonl', '--crows', 'crows.csv'];

function yaml(text: string): string {
  writeFileSync(join(folder, 'panel.yaml'), text);
  return 'panel.yaml';
}

const manifest = (part: string) =>
  JSON.parse(readFileSync(join(folder, 'out', part, 'manifest.json'), 'utf8'));

describe('a panel from the shell', () => {
  it('runs the suites that have data, and prints one table', async () => {
    const { code, stdout, stderr } = await panel(...FLAGS, '--limit', '15');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^model: .*\nllama [\d.]+K F32, [\d\u202f]+ parameters counted\n\nBias panel\nsuite +metric +value +n +coverage +failed +skipped\n/,
    );
    expect(stdout).toMatch(/\nctf +CTF-gap +\d\.\d+ \[\d\.\d+, \d\.\d+\] +15 +100\.0 % +0 +0\n/);
    expect(stdout).toMatch(/\ncrows +full: prefers the stereotype +\d+\.\d % \[.*\] +15 +100\.0 % +0 +0\n/);
    expect(stdout).toContain('written to out (summary.md, summary.csv, a folder for each part)');
    expect(readdirSync(join(folder, 'out')).sort()).toEqual([
      'crows',
      'ctf',
      'panel.json',
      'summary.csv',
      'summary.md',
    ]);
    expect(manifest('crows').data.files[0]).toMatchObject({ path: 'crows.csv' });
  });

  it('prints JSON that a program can read, with the metrics of each part', async () => {
    const { code, stdout } = await panel(...FLAGS, '--limit', '5', '--json');
    const { panelDir, parts } = JSON.parse(stdout);
    expect([code, panelDir]).toEqual([0, 'out']);
    expect(parts.map(({ name, status, runDir }: never) => [name, status, runDir])).toEqual([
      ['ctf', 'complete', join('out', 'ctf')],
      ['crows', 'complete', join('out', 'crows')],
    ]);
    const written = JSON.parse(readFileSync(join(folder, 'out', 'ctf', 'metrics.json'), 'utf8'));
    expect(written).toEqual({ metrics: parts[0].metrics, counts: parts[0].counts });
  });

  it('takes parts of a file, with what each has before what is for all', async () => {
    const file = yaml(`parts:
  - { suite: ctf, name: five, data: pairs.jsonl, limit: 5 }
  - { suite: ctf, name: rest, data: pairs.jsonl, options: { topK: 3 } }
`);
    const { code, stderr } = await panel(
      '--panel',
      file,
      '--crows',
      'crows.csv',
      '--limit',
      '7',
      '--compat',
      'reference',
    );
    expect([code, stderr]).toEqual([0, '']);
    const seen = ['five', 'rest', 'crows'].map((part) => {
      const { experiment, counts } = manifest(part);
      return [counts.rows, experiment.compat, experiment.options.topK];
    });
    expect(seen).toEqual([
      [5, 'reference', 20],
      [7, 'reference', 3],
      [7, 'reference', undefined],
    ]);
    expect(existsSync(join(folder, 'out', 'crows', 'reference.json'))).toBe(true);
  });

  it('loads the model once, however many parts there are', async () => {
    // The engine lives in a process of its own, one for each model that is opened.
    writeFileSync(
      join(folder, 'count.mjs'),
      `import child from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { fork } = child;
child.fork = (...args) => {
  appendFileSync(${JSON.stringify(join(folder, 'forks'))}, 'fork ');
  return fork(...args);
};
syncBuiltinESMExports();
`,
    );
    const file = yaml(`parts:
  - { suite: ctf, data: pairs.jsonl }
  - { suite: ctf, name: again, data: pairs.jsonl }
  - { suite: crows, data: crows.csv }
`);
    const { code } = await runCli(
      ['run', 'panel', '--model', 'one.gguf', '--panel', file, '--out', 'out', '--limit', '2'],
      { cwd: folder, env: { NODE_OPTIONS: `--import ${pathToFileURL(join(folder, 'count.mjs')).href}` } },
    );
    expect([code, readFileSync(join(folder, 'forks'), 'utf8')]).toEqual([0, 'fork ']);
  });

  it('says with exit code 1 that a part measured nothing, and measures the others', async () => {
    writeFileSync(join(folder, 'tables.jsonl'), '{"id":"a","x":"The table","x_swap":"The chair"}\n');
    const { code, stdout, stderr } = await panel(
      '--ctf',
      'tables.jsonl',
      '--crows',
      'crows.csv',
      '--limit',
      '5',
    );
    expect(code).toBe(1);
    expect(stderr).toBe(
      'logit-audit: a part of the panel failed or measured nothing; the table says which\n',
    );
    expect(stdout).toMatch(/\nctf +CTF-gap +– +0 +0\.0 % +0 +1\n/);
    expect(stdout).toContain('note: ctf: no row could be measured; ctf/rows.csv says why for each');
    expect(stdout).toMatch(/\ncrows .* 5 +100\.0 %/);
  });

  it('ends with 130 when it is interrupted, and keeps the parts that were done', async () => {
    const line =
      '{"id":"ID","x":"The nurse said that she was late.","x_swap":"The nurse said that he was late."}\n';
    const lines = Array.from({ length: 60_000 }, (_, id) => line.replace('ID', String(id)));
    writeFileSync(join(folder, 'many.jsonl'), lines.join(''));
    const file = yaml(`parts:
  - { suite: ctf, data: pairs.jsonl, limit: 5 }
  - { suite: ctf, name: many, data: many.jsonl }
  - { suite: crows, data: crows.csv }
`);
    const { code, stdout, stderr } = await runCli(
      ['run', 'panel', '--model', 'one.gguf', '--panel', file, '--out', 'out'],
      {
        cwd: folder,
        onStart: (kill) => {
          const journal = join(folder, 'out', 'many', 'rows.jsonl');
          const waiting = setInterval(() => {
            if (!existsSync(journal) || readFileSync(journal).length === 0) return;
            clearInterval(waiting);
            kill();
          }, 20);
        },
      },
    );
    expect([code, stdout]).toEqual([130, '']);
    expect(stderr).toBe('logit-audit: the panel was cancelled; 1 of its 3 parts are done, in out\n');
    const { parts } = JSON.parse(readFileSync(join(folder, 'out', 'panel.json'), 'utf8'));
    expect(parts.map(({ status }: { status: string }) => status)).toEqual([
      'complete',
      'cancelled',
      'not started',
    ]);
    expect(readFileSync(join(folder, 'out', 'summary.md'), 'utf8')).toMatch(/\| ctf +\| CTF-gap +\| +\d/);
  });
});

describe('bad input: exit code 2, one clear line, nothing half-written', () => {
  const whole = 'parts: [{ suite: ctf, data: pairs.jsonl }, ';
  it.each<[string, () => string[], RegExp]>([
    [
      'no data at all',
      () => [],
      /the panel has no part; give data by --\w+ FILE and the like, or --panel FILE/,
    ],
    ['data that are not there', () => ['--ctf', 'pairs.jsonl', '--crows', 'none.csv'], /none\.csv/],
    ['a panel that is not there', () => ['--panel', 'none.yaml'], /none\.yaml: no such file/],
    [
      'a panel without parts',
      () => ['--panel', yaml('[]')],
      /panel\.yaml: the file is an array; .*a panel is "parts:"/,
    ],
    [
      'a suite that there is not',
      () => ['--panel', yaml(`${whole}{ suite: crowd, data: d }]`)],
      /there is no suite "crowd"/,
    ],
    [
      'an option that there is not',
      () => ['--panel', yaml('parts: [{ suite: ctf, data: pairs.jsonl, options: { topk: 3 } }]')],
      /ctf: ctf has no option "topk"; its options are steps, /,
    ],
    [
      'two parts of one name',
      () => ['--panel', yaml('parts: [{ suite: ctf, data: pairs.jsonl }]'), '--ctf', 'pairs.jsonl'],
      /two parts of the panel are called "ctf"/,
    ],
    [
      'a lexicon for a suite without words',
      () => ['--panel', yaml(`${whole}{ suite: crows, data: crows.csv, lexicon: gender-en }]`)],
      /crows: the suite crows has no use for lexicon; leave it out/,
    ],
    [
      'numbers by occupation that no suite has a use for',
      () => ['--crows', 'crows.csv', '--occupations', 'o.csv'],
      /no suite of the panel has a use for --occupations/,
    ],
    [
      'an occupation that comes twice',
      () => {
        writeFileSync(join(folder, 'o.csv'), 'occupation,share\nnurse,0.9\nNurse,0.8\n');
        return ['--ctf', 'pairs.jsonl', '--occupations', 'o.csv'];
      },
      /o\.csv: row 2: "Nurse" is row 1 already/,
    ],
    [
      'a bad row in strict mode',
      () => {
        writeFileSync(
          join(folder, 'bad.csv'),
          'id,sent_more,sent_less,stereo_antistereo\n1,a b,c d,neither\n',
        );
        return ['--ctf', 'pairs.jsonl', '--crows', 'bad.csv', '--strict'];
      },
      /crows: .*bad\.csv: row 1 .*stereo_antistereo/,
    ],
    ['a model that is not there', () => [...FLAGS, '--model', 'none.gguf'], /"none\.gguf" does not exist/],
  ])('%s', async (_, args, message) => {
    const { code, stdout, stderr } = await panel(...args());
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('    at ');
    expect([code, stdout]).toEqual([2, '']);
    expect(existsSync(join(folder, 'out'))).toBe(false);
  });

  it('is told before the model is looked at, where it needs none', async () => {
    const { stderr } = await panel(
      '--model',
      'none.gguf',
      '--panel',
      yaml('parts: [{ suite: ctf, name: a/b, data: pairs.jsonl }]'),
    );
    expect(stderr).toContain('"a/b" is no name for a part');
  });

  it('a folder that holds a panel already', async () => {
    await panel('--ctf', 'pairs.jsonl', '--limit', '2');
    const before = readFileSync(join(folder, 'out', 'panel.json'), 'utf8');
    const { code, stderr } = await panel('--ctf', 'pairs.jsonl');
    expect([code, stderr]).toEqual([2, expect.stringContaining('out already holds a panel')]);
    expect(readFileSync(join(folder, 'out', 'panel.json'), 'utf8')).toBe(before);
  });
});

const STORIES = sharedFile('models/stories260K.gguf');

describe.skipIf(STORIES === null)('a real model', () => {
  it('is measured by a panel as by each suite alone, to the last digit', async () => {
    const engine = ['--model', STORIES!, '--mode', 'exact', '--limit', '8'];
    const { code } = await panel(...FLAGS, ...engine);
    expect(code).toBe(0);
    for (const [suite, data] of [
      ['ctf', 'pairs.jsonl'],
      ['crows', 'crows.csv'],
    ] as const) {
      const alone = ['run', suite, '--data', data, '--out', suite, ...engine];
      expect((await runCli(alone, { cwd: folder })).code).toBe(0);
      for (const file of ['rows.jsonl', 'metrics.json']) {
        expect(readFileSync(join(folder, 'out', suite, file), 'utf8'), `${suite} ${file}`).toBe(
          readFileSync(join(folder, suite, file), 'utf8'),
        );
      }
    }
    // Two models with tokenizers of their own are compared over the same rows, by their shares.
    await runCli(
      ['run', 'crows', '--model', 'one.gguf', '--data', 'crows.csv', '--limit', '8', '--out', 'planted'],
      { cwd: folder },
    );
    const compared = await runCli(['compare', 'out/crows', 'planted', '--json'], { cwd: folder });
    expect(compared.code).toBe(0);
    const [delta, prefers] = JSON.parse(compared.stdout).comparisons;
    const full = (run: string) =>
      JSON.parse(readFileSync(join(folder, run, 'metrics.json'), 'utf8')).metrics.full;
    const [a, b] = [full('out/crows'), full('planted')];
    expect(delta).toMatchObject({
      metric: 'full.deltaLogP',
      n: 8,
      comparable: false,
      difference: null,
      pValue: null,
    });
    expect(delta.a).toBeCloseTo(a.deltaLogP.mean, 9);
    expect(delta.b).toBeCloseTo(b.deltaLogP.mean, 9);
    expect(prefers).toMatchObject({ metric: 'full.prefersStereotype', n: 8, comparable: true });
    const share = ({ prefersStereotype: { hits, n } }: typeof a) => hits / n;
    expect(prefers.difference).toBeCloseTo(share(a) - share(b), 9);
    const { stdout } = await runCli(['compare', 'out/crows', 'planted'], { cwd: folder });
    expect(stdout).toMatch(/delta log P.* not comparable /);
    expect(stdout).toMatch(/prefers the stereotype.* points /);
  });
});
