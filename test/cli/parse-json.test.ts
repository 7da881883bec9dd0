/** `logit-audit parse json` as it is installed. */
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

const parse = (...args: string[]) => runCli(['parse', 'json', '--data', 'a.jsonl', ...args], { cwd });
const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
const rows = (...values: unknown[]) =>
  write('a.jsonl', values.map((row) => `${JSON.stringify(row)}\n`).join(''));
const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const HARD = sharedFile('vectors/hard_outputs.jsonl');
const SCHEMA = `fields:
  group: {type: integer, min: 6, max: 30, required: false}
  interpersonal: {type: integer, min: 6, max: 30, required: false}
  band: {type: enum, values: [low, moderate, high], required: false, soft: true}
`;

describe('parse json', () => {
  it('writes a line for each row, and the counts beside', async () => {
    rows(
      { id: 'a', text: 'So: {"x": 1}' },
      { id: 2, text: "{'x': True,}" },
      { text: null },
      { id: 'd', text: '{"x": 1' },
      { id: 'e', text: '{"x":1,"x":2}' },
    );
    const { code, stdout, stderr } = await parse();
    expect(code).toBe(0);
    expect(lines(stdout)).toEqual([
      { id: 'a', status: 'ok', value: { x: 1 }, repaired: false },
      {
        ...{ id: 2, status: 'ok', value: { x: true }, repaired: true },
        repairs: ['single_quotes', 'python_literals', 'trailing_commas'],
      },
      { id: '3', status: 'no_json', repaired: false, message: expect.any(String) },
      { id: 'd', status: 'truncated', repaired: false, message: expect.any(String) },
      {
        ...{ id: 'e', status: 'ok', value: { x: 2 }, repaired: false },
        notes: [{ code: 'duplicate_keys', message: expect.any(String) }],
      },
    ]);
    expect(stderr).toBe('5 rows: 3 ok, 1 no_json, 1 truncated, 0 cannot be read\n');
  });

  it('reads fields by a schema, from a table with names of its own', async () => {
    write(
      'r.csv',
      'caseid,generated_text\nP1,"{""group"": ""17"", ""band"": ""medium""}"\nP2,"{""group"": 85}"\n',
    );
    write('s.yaml', SCHEMA);
    const args = [
      '--data',
      'r.csv',
      '--schema',
      's.yaml',
      '--id-column',
      'caseid',
      '--text-column',
      'generated_text',
    ];
    const { code, stdout, stderr } = await runCli(['parse', 'json', ...args, '--json'], { cwd });
    expect(code).toBe(0);
    expect(lines(stdout)).toEqual([
      {
        ...{ id: 'P1', status: 'ok', value: { group: 17, band: null }, repaired: false },
        notes: [{ code: 'field_dropped', key: 'band', message: expect.stringContaining('"medium"') }],
      },
      { id: 'P2', status: 'out_of_range', repaired: false, message: expect.any(String), key: 'group' },
    ]);
    expect(JSON.parse(stderr)).toEqual({ rows: 2, ok: 1, out_of_range: 1, bad: 0 });
  });

  it('reads as it is told to', async () => {
    rows({ id: 1, text: '{"x":1,}' }, { id: 2, text: '{"x":1} {"x":2}' }, { id: 3, text: '{y} {"x":1}' });
    const statuses = async (...args: string[]) =>
      lines((await parse(...args)).stdout).map(({ status }) => status);
    expect(await statuses()).toEqual(['ok', 'multiple_objects', 'ok']);
    expect(await statuses('--no-repair')).toEqual(['invalid_json', 'multiple_objects', 'ok']);
    expect(await statuses('--several', 'last')).toEqual(['ok', 'ok', 'ok']);
    expect(await statuses('--compat', 'psych755')).toEqual(['invalid_json', 'invalid_json', 'invalid_json']);
  });

  it('tells what cannot be read, and fails for what does not fit', async () => {
    rows({ id: 'x' }, { id: 'y', text: '{}' });
    const { code, stderr } = await parse();
    expect([code, stderr]).toEqual([0, expect.stringContaining('row 1 (line 1, id "x"): text is missing')]);
    write('s.yaml', 'fields:\n  a: {type: integer, min: 9,\n    max: 1}\n  b: {type: int}\n');
    const bad = await parse('--schema', 's.yaml', '--json');
    expect(bad.code).toBe(2);
    expect(JSON.parse(bad.stderr).error).toMatchObject({
      code: 'schema_invalid',
      data: { file: 's.yaml', key: 'fields.a.min', line: 2 },
    });
    expect((await parse('--schema', 'none.yaml')).code).toBe(2);
    expect((await parse('--compat', 'psych755', '--several', 'last')).code).toBe(2);
    rows({ id: 'x' });
    expect((await parse()).code).toBe(1);
  });

  it.skipIf(HARD === null)('reads the shared hard cases', async () => {
    write('s.yaml', SCHEMA);
    const { stdout } = await runCli(['parse', 'json', '--data', HARD!, '--schema', 's.yaml'], { cwd });
    const expected = lines(readFileSync(HARD!, 'utf8')).map(({ id, expect: { object, error } }) => [
      id,
      error ?? 'ok',
      object,
    ]);
    expect(lines(stdout).map(({ id, status, value }) => [id, status, value])).toEqual(expected);
  });
});
