/** `logit-audit score bbq --format bbq`, as a user runs it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeRows } from '../suites/bbq/paper-rows.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

function folderWith(files: Record<string, readonly object[]>): string {
  const cwd = temporaryFolder();
  for (const [name, rows] of Object.entries(files))
    writeFileSync(join(cwd, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return cwd;
}

const score = ['score', 'bbq', '--format', 'bbq'];
const stereotype = makeRows({ category: 'Craft' }, ({ roles, negative, at }) =>
  at === 0 ? 'mumble' : at % 3 === 0 ? roles.unknown : negative ? roles.target : roles.other,
);
const texts = makeRows({ category: 'Glass', repeats: 4 }, ({ label }) => ['A', 'B', 'C'][label]);

describe('logit-audit score bbq', () => {
  it('prints JSON, and writes the same with every row', async () => {
    const cwd = folderWith({ 'a.jsonl': stereotype, 'b.jsonl': texts });
    const args = [...score, '--results', 'a.jsonl', 'b.jsonl', '--prediction-field', 'answer', '--seed', '3'];
    const { code, stdout, stderr } = await runCli([...args, '--out', 'out', '--json'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const printed = JSON.parse(stdout);
    expect(printed).toMatchObject({
      mode: 'paper',
      predictionField: 'answer',
      categories: [
        { category: 'Craft', rows: 48, unparsed: 1, noTarget: 0, sDis: 1 },
        { category: 'Glass', rows: 64, unparsed: 0, accuracyAmbiguous: 1, sAmb: null, sDis: 0 },
      ],
    });
    expect(printed.categories[0].ci.accuracyAmbiguous).toMatchObject({ level: 0.95, method: 'percentile' });
    expect(readdirSync(join(cwd, 'out')).sort()).toEqual(['rows.csv', 'scores.csv', 'scores.json']);
    expect(readFileSync(join(cwd, 'out/scores.json'), 'utf8')).toBe(stdout);
    const rows = readFileSync(join(cwd, 'out/rows.csv'), 'utf8').trimEnd().split('\r\n');
    expect(rows).toHaveLength(1 + 48 + 64);
    expect(rows[1]).toMatch(/^a\.jsonl,1,0,Craft,1,ambiguous,negative,mumble,,\d,,\d,\d,$/);
    const scores = readFileSync(join(cwd, 'out/scores.csv'), 'utf8').trimEnd().split('\r\n');
    expect(scores[0]).toBe('category,condition,metric,value,ciLow,ciHigh,n,reason');
    expect(scores).toHaveLength(1 + 2 * 6);
    expect(scores).toContain(`Craft,ambiguous,unparsedRate,${1 / 24},,,24,`);
    // What is there is not replaced unasked.
    const again = await runCli([...args, '--out', 'out'], { cwd });
    expect(again).toMatchObject({ code: 2, stdout: '' });
    expect(again.stderr).toContain('--force');
  });

  it('prints a table, with what is absent and why', async () => {
    const cwd = folderWith({ 'a.jsonl': [...texts, { nothing: 1 }] });
    const args = [
      ...score,
      '--results',
      'a.jsonl',
      '--policy',
      'unknown',
      '--mode',
      'helm',
      '--level',
      '0.9',
    ];
    const { code, stdout, stderr } = await runCli(args, { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('BBQ scores (helm) [90 % interval]');
    expect(stdout).toMatch(/^Glass +64 +0\.0 % +0 +0 +100\.0 % +0\.0 %/m);
    expect(stderr).toContain('left out, as no rows of BBQ: 1; the first: a.jsonl: row 65');
  });

  it('gives of the result files of a run what the run gives', async () => {
    const cwd = folderWith({ 'a.jsonl': stereotype });
    const run = ['run', 'bbq', '--experiment', 'llm', '--model', 'policy:random', '--data', 'a.jsonl'];
    for (const [out, id] of [
      ['one', 'first'],
      ['two', 'second'],
    ]) {
      const { code, stderr } = await runCli([...run, '--out', out!, '--model-id', id!], { cwd });
      expect({ code, stderr }).toMatchObject({ code: 0 });
    }
    const again = await runCli([...score, '--results', 'one/results', '--out', 'scores'], { cwd });
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain('text: BBQ scores (paper) [95 % interval]');
    for (const name of ['scores.csv', 'scores.json']) {
      const own = readFileSync(join(cwd, 'one', name), 'utf8');
      expect(own).toContain('sAmb');
      expect(readFileSync(join(cwd, 'scores', name), 'utf8')).toBe(own);
    }
    // Answers of two models are not one model's.
    const both = await runCli([...score, '--results', 'one/results', 'two/results'], { cwd });
    expect(both).toMatchObject({ code: 2, stdout: '' });
    expect(both.stderr).toContain('of 2 folders or models');
  });

  it('says once what holds of several categories', async () => {
    const cwd = folderWith({ 'a.jsonl': [...stereotype, ...texts] });
    const { stdout } = await runCli([...score, '--results', 'a.jsonl', '--policy', 'unknown'], { cwd });
    const line = 'Craft, Glass, sDis: no answer to disambiguated rows names a group: all are "unknown"';
    expect(stdout.split('\n').filter((one) => one.includes('sDis: '))).toEqual([line]);
  });

  it('ends with 1 where nothing could be read, with 2 where it was asked wrongly', async () => {
    const cwd = folderWith({ 'a.jsonl': texts.map((row) => ({ ...row, answer: 'hm' })) });
    const nothing = await runCli([...score, '--results', 'a.jsonl', '--prediction-field', 'answer'], { cwd });
    expect(nothing.code).toBe(1);
    expect(nothing.stdout).toMatch(/^Glass +64 +100\.0 % /m);
    expect(nothing.stdout).toContain('no answer of the 32 ambiguous rows could be read');
    const neither = await runCli([...score, '--results', 'a.jsonl'], { cwd });
    expect(neither).toMatchObject({ code: 2 });
    expect(neither.stderr).toContain('--prediction-field FIELD or --policy NAME');
    const field = await runCli([...score, '--results', 'a.jsonl', '--prediction-field', 'x', '--json'], {
      cwd,
    });
    expect(field.code).toBe(2);
    expect(JSON.parse(field.stderr).error).toMatchObject({ code: 'bad_argument', data: { field: 'x' } });
  });
});
