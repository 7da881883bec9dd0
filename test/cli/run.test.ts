/** `logit-audit run ctf` as a user meets it: what it prints, what it writes, how it ends. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { plantedFiles } from '../e2e/planted.ts';
import { hostileModel } from '../native/hostile.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

let folder: string;
let model: string;
let data: string;
beforeEach(async () => {
  folder = temporaryFolder();
  ({ model, data } = await plantedFiles());
});

const write = (name: string, text: string | Uint8Array) => {
  writeFileSync(join(folder, name), text);
  return name;
};
const ctf = (...args: string[]) => runCli(['run', 'ctf', ...args], { cwd: folder });

const GOOD =
  '{"id":"a","x":"The nurse said that she was late.","x_swap":"The nurse said that he was late."}\n';

describe('a run from the shell', () => {
  it('prints a table, writes the run, is quiet on stderr', async () => {
    const { code, stdout, stderr } = await ctf('--model', model, '--data', data, '--out', 'first');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('240 rows: 240 measured, 0 skipped, 0 failed');
    expect(stdout).toMatch(/CTF-gap +\d\.\d+ \[\d\.\d+, \d\.\d+\] +240 +100\.0 %/);
    expect(stdout).toContain('JSD_swap, top-20 upper');
    expect(stdout).toContain('written to first');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences must not reach a pipe
    expect(stdout).not.toMatch(/\x1b/);
    expect(readdirSync(join(folder, 'first')).length).toBe(6);
  });

  it('prints JSON that a program can read, and nothing else', async () => {
    const { code, stdout } = await ctf(
      '--model',
      model,
      '--data',
      data,
      '--limit',
      '10',
      '--json',
      '--ci',
      'normal',
    );
    const result = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(Object.keys(result)).toEqual(['runDir', 'limit', 'metrics', 'counts', 'remarks']);
    expect(result.counts).toEqual({ rows: 10, ok: 10, failed: 0, skipped: 0 });
    expect(result.metrics.ctfGap.ci).toMatchObject({ method: 'normal', level: 0.95 });
    expect(result.runDir).toMatch(/^runs\/ctf-planted-\d{8}-\d{6}$/);
    const written = JSON.parse(readFileSync(join(folder, result.runDir, 'metrics.json'), 'utf8'));
    expect(written).toEqual({ metrics: result.metrics, counts: result.counts });
  });

  it('goes on after a bad row and counts it; --strict stops', async () => {
    write('d.jsonl', `${GOOD}{"id":"b","x":"The nurse said that she"}\n`);
    const lenient = await ctf('--model', model, '--data', 'd.jsonl', '--out', 'lenient');
    expect(lenient.code).toBe(0);
    expect(lenient.stdout).toContain('2 rows: 1 measured, 0 skipped, 1 failed (rows.csv says why)');
    const strict = await ctf('--model', model, '--data', 'd.jsonl', '--out', 'strict', '--strict');
    expect(strict.code).toBe(2);
    expect(strict.stderr).toContain('row 2 (line 2, id "b"): x_swap is missing');
    expect(existsSync(join(folder, 'strict'))).toBe(false);
  });

  it('measures the same in this process as in one of its own', async () => {
    const both = [];
    for (const place of [[], ['--in-process']]) {
      const out = `out${place.length}`;
      const args = ['--model', model, '--data', data, '--limit', '50', '--out', out, ...place];
      expect((await ctf(...args)).code).toBe(0);
      both.push(readFileSync(join(folder, out, 'rows.jsonl'), 'utf8'));
      const { engine } = JSON.parse(readFileSync(join(folder, out, 'manifest.json'), 'utf8'));
      expect(engine.options.inProcess === true).toBe(place.length > 0);
    }
    expect(both[1]).toBe(both[0]);
  });

  it('says with exit code 1 that nothing could be measured', async () => {
    write('d.jsonl', '{"id":"a","x":"The table","x_swap":"The chair"}\n');
    const { code, stdout, stderr } = await ctf('--model', model, '--data', 'd.jsonl', '--out', 'o');
    expect(code).toBe(1);
    expect(stderr).toContain('no row could be measured');
    expect(stdout).toContain('no step counts');
  });

  it('warns of ids that only begin a word', async () => {
    write('d.jsonl', GOOD);
    const { stdout } = await ctf('--model', model, '--data', 'd.jsonl', '--out', 'o', '--policy', 'first');
    expect(stdout).toMatch(/female: \d+ token ids from \d+ words; \d+ of them only begin a word/);
    const distinct = await ctf('--model', model, '--data', 'd.jsonl', '--out', 'q');
    expect(distinct.stdout).toMatch(/female: .*; \d+ beginnings of words left out/);
    const skip = await ctf('--model', model, '--data', 'd.jsonl', '--out', 'p', '--policy', 'skip');
    expect(skip.stdout).not.toContain('only begin');
  });

  it.each([
    ['the command', false],
    ['the terminal', true],
  ])('ends with 130 when %s is interrupted, and keeps what was finished', async (_, group) => {
    const line = (id: number) => GOOD.replace('"a"', `"${id}"`);
    write('d.jsonl', Array.from({ length: 60_000 }, (_, id) => line(id)).join(''));
    const { code, stderr } = await runCli(
      ['run', 'ctf', '--model', model, '--data', 'd.jsonl', '--out', 'o'],
      {
        cwd: folder,
        group,
        onStart: (kill) => {
          const waiting = setInterval(() => {
            const journal = join(folder, 'o', 'rows.jsonl');
            if (!existsSync(journal) || readFileSync(journal).length === 0) return;
            clearInterval(waiting);
            kill();
          }, 20);
        },
      },
    );
    // One line: nothing of the engine's process, and no stack.
    expect([code, stderr]).toEqual([
      130,
      expect.stringMatching(
        /^logit-audit: [^\n]*stopped; its whole windows of rows are kept: continue with --resume[^\n]*\n$/,
      ),
    ]);
    expect(JSON.parse(readFileSync(join(folder, 'o', 'manifest.json'), 'utf8')).status).toBe('cancelled');
    const rows = readFileSync(join(folder, 'o', 'rows.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const { length } = rows;
    expect(length >= 128 ? length % 128 : Math.log2(length / 8) % 1).toBe(0);
    expect(rows.length).toBeLessThan(60_000);
  });
});

describe('bad input: exit code 2, one clear line, nothing half-written', () => {
  const whole = async () => readFileSync(model);
  const cases: [string, () => Promise<string[]>, RegExp][] = [
    ['a model that is not there', async () => ['--model', 'none.gguf'], /"none.gguf" does not exist/],
    ['a model that is no GGUF', async () => ['--model', write('text.gguf', 'hello')], /not a GGUF file/],
    [
      'a model cut off in its tensors',
      async () => ['--model', write('cut.gguf', (await whole()).subarray(0, 900_000))],
      /truncated: 900000 bytes of at least/,
    ],
    [
      'a model cut off in its header',
      async () => ['--model', write('cut.gguf', (await whole()).subarray(0, 9_000))],
      /header is damaged or truncated/,
    ],
    ['data that is not there', async () => ['--data', 'none.jsonl'], /none.jsonl: no such file/],
    ['data without rows', async () => ['--data', write('empty.jsonl', '\n')], /empty.jsonl holds no rows/],
    ['data of no known format', async () => ['--data', write('rows.dat', GOOD)], /does not say the format/],
    [
      'a word list that maps to nothing',
      async () => [
        '--policy',
        'skip',
        '--lexicon',
        `./${write('odd.yaml', 'name: odd\nlanguage: en\ndescription: d\ngroups: {female: [xyzzy], male: [plugh]}\n')}`,
      ],
      /no word of group "female" of lexicon odd has a token id/,
    ],
    ['a lexicon that is not there', async () => ['--lexicon', 'gender-xx'], /shipped are: gender-en/],
    [
      'a lexicon that is broken',
      async () => ['--lexicon', `./${write('b.yaml', 'name: [')}`],
      /not valid YAML/,
    ],
    ['a context that the model does not have', async () => ['--ctx', '100000'], /trained on 256/],
    ['a number that is none', async () => ['--limit', 'ten'], /--limit <rows>' argument 'ten' is invalid/],
    ['an interval that is none', async () => ['--ci', 'magic'], /Allowed choices are cluster, normal/],
  ];
  for (const [name, args, message] of cases) {
    it(name, async () => {
      write('good.jsonl', GOOD);
      // Later options win, so that each case only says what is wrong.
      const given = await args();
      const { code, stdout, stderr } = await ctf(
        '--model',
        model,
        '--data',
        'good.jsonl',
        '--out',
        'out',
        ...given,
      );
      expect(stderr).toMatch(message);
      expect(stderr).not.toContain('    at ');
      expect([code, stdout]).toEqual([2, '']);
      expect(existsSync(join(folder, 'out'))).toBe(false);
    });
  }

  it('a model on which llama.cpp aborts is told in one line, with exit code 1', async () => {
    write('good.jsonl', GOOD);
    const hostile = await hostileModel();
    const { code, stdout, stderr } = await ctf('--model', hostile, '--data', 'good.jsonl', '--out', 'out');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^logit-audit: [^\n]*hostile.gguf: [^\n]*SIGABRT[^\n]*GGML_ASSERT[^\n]*\n$/);
    expect(existsSync(join(folder, 'out'))).toBe(false);
  });

  it('a folder that holds a run already', async () => {
    write('good.jsonl', GOOD);
    await ctf('--model', model, '--data', 'good.jsonl', '--out', 'out');
    const before = readFileSync(join(folder, 'out', 'rows.jsonl'), 'utf8');
    const { code, stderr } = await ctf('--model', model, '--data', 'good.jsonl', '--out', 'out');
    expect([code, stderr]).toEqual([2, expect.stringContaining('out already holds a run')]);
    expect(readFileSync(join(folder, 'out', 'rows.jsonl'), 'utf8')).toBe(before);
  });

  it('no suite, an unknown suite, an unknown command', async () => {
    for (const args of [['run'], ['run', 'none', '--model', 'm', '--data', 'd'], ['nothing'], []]) {
      expect((await runCli(args, { cwd: folder })).code).toBe(2);
    }
  });

  it('is JSON on stderr with --json', async () => {
    const { code, stdout, stderr } = await ctf('--model', model, '--data', 'none.jsonl', '--json');
    expect([code, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'file_not_found', data: { file: 'none.jsonl' } },
    });
  });
});
