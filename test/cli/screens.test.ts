/** What commands say: nothing steers the terminal, unknown commands are found, CSV files can be for spreadsheets. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatCsv, guardSpreadsheets } from '../../src/report/index.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

const EVIL = '\u001b]52;c;QQ==\u0007\u202e\u009b31m';
const SHOWN = '\\u001b]52;c;QQ==\\u0007\\u202e\\u009b31m';

describe('what came from outside is shown', () => {
  test.for([
    ['a command', [EVIL]],
    ['an option', ['doctor', `--${EVIL}`]],
    ['a value', ['compare', 'a', 'b', '--level', EVIL]],
    ['a file name', ['model', 'info', `${EVIL}.gguf`]],
    ['a lexicon', ['lexicon', 'show', EVIL]],
    ['an experiment', ['experiment', 'show', EVIL]],
    ['a scale', ['scale', 'show', EVIL]],
    ['a model', ['run', 'ppl', '--model', EVIL, '--data', 'text.txt']],
    ['a fault as JSON', ['model', 'info', `${EVIL}.gguf`, '--json']],
  ] as const)('%s', async ([, args]) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'text.txt'), 'A text.\n');
    const { code, stdout, stderr } = await runCli(args, { cwd: folder });
    expect(code).toBe(2);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(stderr).toContain(SHOWN);
  });

  test('what a data file holds', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'bad.jsonl'), `{"text": "${'\u009b'}31m${'\u202e'}" x\n`);
    const { stderr } = await runCli(['parse', 'letter', '--data', 'bad.jsonl'], { cwd: folder });
    expect(stderr).toContain('\\u009b31m\\u202e');
  });
});

describe('an unknown command', () => {
  test.for([
    [['crows'], ['run crows']],
    [['crows', '--model', 'x'], ['run crows']],
    [['ppl'], ['run ppl']],
    [['winobais'], ['run winobias']],
    [['crows-pairs'], ['run crows']],
    [['run', 'lexicon'], ['lexicon']],
    [['run', 'bqq'], ['run bbq']],
    [['score', 'crows'], ['run crows']],
    [['letter'], ['parse letter']],
    [['bbq'], ['run bbq', 'score bbq', 'combine bbq', 'aggregate bbq']],
    [['doctr'], ['doctor']],
    [['zzz'], []],
  ] as const)('%s', async ([args, meant]) => {
    const { code, stderr } = await runCli(args, { cwd: temporaryFolder() });
    expect(code).toBe(2);
    expect(stderr).toContain('unknown command');
    const suggested = [...stderr.matchAll(/^ {2}logit-audit (.*)$/gm)].map(([, command]) => command);
    expect(suggested).toEqual(meant);
  });
});

describe('--spreadsheet-safe', () => {
  const columns = [{ key: 'a' }];
  test.for([
    ['=1+1', "'=1+1"],
    ['+cmd|x', "'+cmd|x"],
    ['-1+2', "'-1+2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\uff1d1', "'\uff1d1"],
    ['-0.5', '-0.5'],
    ['+3e-7', '+3e-7'],
    [-0.5, '-0.5'],
    ['a=1', 'a=1'],
  ] as const)('%s', ([value, cell]) => {
    guardSpreadsheets(true);
    expect(formatCsv(columns, [{ a: value }])).toBe(`a\r\n${cell}\r\n`);
    guardSpreadsheets(false);
    expect(formatCsv(columns, [{ a: value }])).toBe(`a\r\n${value}\r\n`);
  });

  test('of a command', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'texts.csv'), 'id,text\n=1+1,The nurse said she was late\n-5,He is here\n');
    const swap = (...more: string[]) =>
      runCli(['swap', '--data', 'texts.csv', '--out', 'pairs.csv', ...more], { cwd: folder });
    expect((await swap('--spreadsheet-safe')).code).toBe(0);
    const guarded = readFileSync(join(folder, 'pairs.csv'), 'utf8');
    expect(guarded).toContain("\n'=1+1,");
    expect(guarded).toContain('\n-5,');
  });
});
