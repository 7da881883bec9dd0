/** docs/scales.md followed word for word: its example is written, checked and run as it says, and gives what it says. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { loadScale, subscaleScore } from '../../../src/suites/scale/data/index.ts';
import { scaleSchema } from '../../../src/suites/scale/data/schema.ts';
import { runCli } from '../../cli/run-cli.ts';
import { temporaryFolder } from '../../temporary.ts';
import { PEOPLE, TEA } from './tea.ts';

const DOCS = readFileSync(new URL('../../../docs/scales.md', import.meta.url), 'utf8');

function section(title: string): string {
  const from = DOCS.indexOf(`\n${title}\n`);
  expect(from).toBeGreaterThan(-1);
  const level = title.split(' ')[0]!;
  const rest = DOCS.slice(from + title.length + 2);
  const next = rest.search(new RegExp(`^#{1,${level.length}} `, 'm'));
  return next === -1 ? rest : rest.slice(0, next);
}

function blocks(text: string, kind: string): string[] {
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, of, body]) =>
    of === kind ? [body!] : [],
  );
}

const commands = (text: string) => blocks(text, '').flatMap((block) => block.trim().split('\n'));

test('the example is checked and run, and writes what the page says', async () => {
  const cwd = temporaryFolder();
  const example = section('## An example');
  const [, results] = blocks(example, 'csv');
  mkdirSync(join(cwd, 'scales'));
  writeFileSync(join(cwd, 'scales/tea.yaml'), TEA);
  writeFileSync(join(cwd, 'people.csv'), PEOPLE);
  const lines = commands(example);
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    const [program, ...args] = line.split(' ');
    expect(program).toBe('logit-audit');
    const { code, stderr } = await runCli(args, { cwd });
    expect([code, stderr]).toEqual([0, '']);
  }
  const written = readFileSync(join(cwd, 'runs/tea/results.csv'), 'utf8');
  expect(written.replace(/\r\n/g, '\n')).toBe(results);

  const scale = await loadScale(join(cwd, 'scales/tea.yaml'));
  const { home, work } = scale.subscales;
  const scores = (parse(PEOPLE, { columns: true }) as Record<string, string>[]).map((row) =>
    [home!, work!].map((subscale) => subscaleScore(scale, subscale, row)),
  );
  expect(scores).toEqual([
    [4, 1],
    [1, 0],
  ]);
});

test('the commands of "Where" do what they say, one after the other', async () => {
  const cwd = temporaryFolder();
  const lines = commands(section('### Where'));
  expect(lines.length).toBeGreaterThan(4);
  for (const line of lines) {
    const { code, stderr } = await runCli(line.split(' ').slice(1), { cwd });
    expect([line, code, stderr]).toEqual([line, 0, '']);
  }
});

test('every key of a scale and of personas is told', () => {
  const contract = section('### The contract');
  const told = [...contract.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`(\w+)`/g)].map(([, key]) => key!),
  );
  const { shape } = scaleSchema;
  const keys = [...Object.keys(shape), ...Object.keys(shape.personas.unwrap().shape)];
  expect(told.sort()).toEqual(keys.sort());
});
