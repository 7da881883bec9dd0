/** `logit-audit parse letter` as it is installed. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { sharedFile } from '../oracle/shared.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
});

const parse = (...args: string[]) => runCli(['parse', 'letter', '--data', 'a.jsonl', ...args], { cwd });
const write = (...rows: unknown[]) =>
  writeFileSync(join(cwd, 'a.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const HARD = sharedFile('vectors/hard_letters.jsonl');

describe('parse letter', () => {
  it('writes a line for each row, and the counts beside', async () => {
    write(
      { id: 'a', text: 'B. The African American man', options: 'ABC' },
      { id: 2, text: 'Not enough information' },
      { text: null },
      { id: 'd', text: '(p)', options: 'ABCDEFGHIJKLMNOP' },
      { id: 'e', text: 'The woman', options: ['The man', 'The woman', 'Unknown'], unknownIndex: 2 },
      { id: 'f', text: 'unclear', unknownIndex: 2 },
      { id: 'g', text: 'A or B' },
    );
    const { code, stdout, stderr } = await parse();
    expect(code).toBe(0);
    expect(lines(stdout)).toEqual([
      { id: 'a', status: 'ok', value: 'B' },
      { id: 2, status: 'unknown', value: null },
      { id: '3', status: 'unparsed', value: null, reason: 'no_text' },
      { id: 'd', status: 'ok', value: 'P' },
      { id: 'e', status: 'ok', value: 'B' },
      { id: 'f', status: 'unknown', value: 'C' },
      { id: 'g', status: 'unparsed', value: null, reason: 'ambiguous' },
    ]);
    expect(stderr).toBe('7 rows: 3 ok, 2 unknown, 2 unparsed, 0 cannot be read\n');
  });

  it('reads with the parser and the letters that are asked for', async () => {
    write({ id: 1, text: 'I am not sure, but so be it.\nD. The American' });
    const values = async (...args: string[]) => lines((await parse(...args)).stdout)[0].value;
    expect(await values('--options', 'ABCD')).toBe('D');
    expect(await values('--options', 'abcd', '--parser', 'anchored')).toBe('d');
    expect(await values('--parser', 'v1.0')).toBe(null);
    expect(await values('--parser', 'v1.0', '--tail-slice', '18')).toBe('A');
    expect(await values('--parser', 'v1.1', '--tail-slice', '18', '--options', 'ABCD')).toBe('D');
  });

  it('reads the text and the id under other names', async () => {
    write({ caseid: 7, said: 'B it is.' }, { caseid: 8, said: 'As my friend said, "it is A".' });
    const { code, stdout } = await parse('--text-column', 'said', '--id-column', 'caseid');
    expect(code).toBe(0);
    expect(lines(stdout)).toEqual([
      { id: 7, status: 'ok', value: 'B' },
      { id: 8, status: 'unparsed', value: null, reason: 'ambiguous' },
    ]);
    const { stderr } = await parse();
    expect(stderr).toContain('text');
  });

  it('tells bad rows and goes on', async () => {
    write(
      { id: 'x' },
      { id: 'y', text: 'B', options: 'AA' },
      { id: 'z', text: 'B', options: 'AB', unknownIndex: 2 },
    );
    writeFileSync(join(cwd, 'a.jsonl'), `nope\n${readFileSync(join(cwd, 'a.jsonl'))}{"text":"B"}\n`);
    const { code, stdout, stderr } = await parse();
    expect([code, lines(stdout)]).toEqual([0, [{ id: '5', status: 'ok', value: 'B' }]]);
    expect(stderr).toMatch(/row 1 \(line 1\) is not valid JSON/);
    expect(stderr).toContain('row 2 (line 2, id "x"): text is missing');
    expect(stderr).toContain('row 3 (line 3, id "y"): options: give letters');
    expect(stderr).toContain('row 4 (line 4): unknownIndex is 2; give an index of the 2 options, from 0');
    expect(stderr).toContain('5 rows: 1 ok, 0 unknown, 0 unparsed, 4 cannot be read');
    const json = await parse('--json');
    expect(json.stdout).toBe(stdout);
    const told = lines(json.stderr);
    expect(told.slice(0, 4).map(({ error }) => [error.code, error.data.index])).toEqual([
      ['data_malformed', 0],
      ['row_invalid', 1],
      ['row_invalid', 2],
      ['row_invalid', 3],
    ]);
    expect(told[4]).toEqual({ rows: 5, ok: 1, unknown: 0, unparsed: 0, bad: 4 });
  });

  it('fails where no row can be read, and for arguments that do not fit', async () => {
    write({ id: 'x' });
    expect((await parse()).code).toBe(1);
    const tail = await parse('--tail-slice', '18');
    expect([tail.code, tail.stderr]).toEqual([
      2,
      expect.stringContaining('--tail-slice is for --parser v1.0'),
    ]);
    expect((await parse('--options', 'AAB')).code).toBe(2);
    expect((await parse('--parser', 'v2')).code).toBe(2);
    const missing = await runCli(['parse', 'letter', '--data', 'none.jsonl'], { cwd });
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('none.jsonl')]);
  });

  it.skipIf(HARD === null)('reads the shared hard cases', async () => {
    const { stdout } = await runCli(['parse', 'letter', '--data', HARD!], { cwd });
    const expected = lines(readFileSync(HARD!, 'utf8')).map(({ id, expect: value }) => [id, value]);
    expect(lines(stdout).map(({ id, value }) => [id, value])).toEqual(expected);
  });
});
