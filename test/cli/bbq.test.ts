/** The commands over MultiBBQ's result files, as a user runs them; docs/extending.md taken at its word. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import {
  alwaysUnknown,
  balancedRows,
  letter,
  noAnswer,
  type Policy,
  write,
  writeModel,
} from '../suites/bbq/made.ts';
import {
  expectedPath,
  HAS_VECTORS,
  MAIN,
  namesIn,
  RESULTS,
  readJson,
  VECTORS,
} from '../suites/bbq/vectors.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

function place(policy?: Policy, categories?: readonly string[]) {
  const cwd = temporaryFolder();
  if (policy) writeModel(join(cwd, 'results', 'org', 'M-1B'), policy, categories);
  return {
    cwd,
    run: (...args: string[]) => runCli(args, { cwd }),
    text: (name: string) => readFileSync(join(cwd, name), 'utf8'),
    csv: (name: string) =>
      parse(readFileSync(join(cwd, name), 'utf8'), { columns: true }) as Record<string, string>[],
  };
}

const rightAnswer: Policy = (row) => letter(row.correct_option_idx!);

describe.skipIf(!HAS_VECTORS)('in the mode of the original', () => {
  const stdout = HAS_VECTORS ? readJson(expectedPath('score_stdout.json')) : {};

  it.each(['all', 'fairness', 'bias', 'unk'])('score prints its JSON: %s', async (score) => {
    const { cwd, run } = place();
    const file = join(VECTORS, stdout.file);
    const { code, stdout: printed } = await run(
      ...['score', 'bbq', '--results', file, '--compat', 'multibbq', '--score', score],
    );
    expect(code).toBe(0);
    expect(printed).toBe(stdout[score]);
    expect(namesIn(cwd)).toEqual([]);
  });

  it('the stages one by one write what the pipeline writes', async () => {
    const { run, cwd } = place();
    const compat = ['--compat', 'multibbq'];
    await run('score', 'bbq', '--results', MAIN, '--out', 'a/analysis', ...compat);
    await run('combine', 'bbq', '--results', 'a/analysis', '--out', 'a', ...compat);
    const { code, stderr } = await run('aggregate', 'bbq', '--results', 'a', '--out', 'a', ...compat);
    expect(code).toBe(0);
    expect(stderr).toContain('no column "overall"');
    const all = await run('pipeline', 'bbq', '--results', MAIN, '--out', 'b', ...compat);
    expect(all.code).toBe(0);
    expect(all.stderr).toMatch(/119 of 720 answers unparsed .*written as 0\.0/);
    for (const folder of ['.', 'csv_files', 'metrics_details', 'analysis/org-a/Alpha-7B']) {
      const names = namesIn(join(cwd, 'b', folder));
      expect(namesIn(join(cwd, 'a', folder))).toEqual(names);
      for (const name of names.filter((one) => one.includes('.'))) {
        expect(readFileSync(join(cwd, 'a', folder, name)), name).toEqual(
          readFileSync(join(cwd, 'b', folder, name)),
        );
      }
    }
  });

  it('files in no folder get tables where the user names their model', async () => {
    const { run, text } = place();
    const flat = join(RESULTS, 'gpt_image_gen_main', 'org-a', 'Alpha-7B');
    const args = ['pipeline', 'bbq', '--results', flat, '--out', 'out', '--compat', 'multibbq'];
    const { stderr } = await run(...args, '--model-name', 'org-a/Alpha-7B');
    expect(stderr).not.toContain('no folder');
    const row = (path: string) => path.split('\n').find((line) => line.startsWith('org-a/Alpha-7B'));
    const name = 'csv_files/gender_metrics_summary_sorted.csv';
    expect(row(text(`out/${name}`))).toBe(row(readFileSync(expectedPath('main', name), 'utf8')));
  });

  it('aggregate reads a combined file of the original: values, but no counts', async () => {
    const { run, csv } = place();
    const combined = expectedPath('main', 'combined_metrics.json');
    expect((await run('aggregate', 'bbq', '--results', combined, '--out', 'out')).code).toBe(0);
    const row = csv('out/metrics.csv').find(({ metric }) => metric === 'fairness_score')!;
    expect(row).toMatchObject({ value: '0.7', n: '', ciLow: '', rows: '' });
  });
});

describe('by default', () => {
  it('writes one long table with totals, and keeps files in no folder', async () => {
    const { cwd, run, csv, text } = place();
    writeModel(join(cwd, 'flat'), rightAnswer, ['gender', 'caste']);
    const { code, stdout, stderr } = await run('pipeline', 'bbq', '--results', 'flat', '--out', 'out');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('0 of 144 answers unparsed (0.0 %)');
    const rows = csv('out/metrics.csv');
    expect(new Set(rows.map(({ model }) => model))).toEqual(new Set(['M_1B']));
    expect([...new Set(rows.map(({ category }) => category))]).toEqual(['overall', 'gender', 'caste']);
    // 6 files x 3 groups x 5 fields, and for each of 3 groups 2 totals of 3 parts.
    expect(rows.length).toBe(6 * 3 * 5 + 3 * 2 * (1 + 3));
    const total = rows.find(({ metric, category }) => metric === 'FS_total' && category === 'overall')!;
    expect(total).toMatchObject({ value: '1', scenarios: '3', split: '', polarity: '' });
    expect(JSON.parse(text('out/metrics.json')).metrics.length).toBe(rows.length);
    expect(existsSync(join(cwd, 'out', 'csv_files'))).toBe(false);
  });

  it('names the model of files in no folder as the user does', async () => {
    const { cwd, run, csv } = place();
    writeModel(join(cwd, 'flat'), rightAnswer);
    await run('pipeline', 'bbq', '--results', 'flat', '--out', 'out', '--model-name', 'org/Mine');
    expect(new Set(csv('out/metrics.csv').map(({ model }) => model))).toEqual(new Set(['org/Mine']));
  });

  it('shows the categories that are asked for, overall always, and tells one that no row has', async () => {
    const { run, csv } = place(rightAnswer, ['gender', 'caste']);
    const { stderr } = await run(
      ...['pipeline', 'bbq', '--results', 'results', '--out', 'out', '--categories', 'caste', 'age'],
    );
    expect(stderr).toContain('no row has the category "age"');
    expect(new Set(csv('out/metrics.csv').map(({ category }) => category))).toEqual(
      new Set(['overall', 'caste']),
    );
  });

  it('--score prunes to a field, with what is unparsed beside it', async () => {
    const { run, csv } = place(rightAnswer);
    await run('pipeline', 'bbq', '--results', 'results', '--out', 'out', '--score', 'bias');
    const metrics = new Set(csv('out/metrics.csv').map(({ metric }) => metric));
    expect(metrics).toEqual(new Set(['bias_score', 'unparsed_rate', 'refused_rate', 'BS_mid', 'BS_total']));
  });

  it('what could not be parsed at all is no fairness, and exit code 1', async () => {
    const { run, csv } = place(noAnswer);
    const { code, stdout } = await run('pipeline', 'bbq', '--results', 'results', '--out', 'out');
    expect(code).toBe(1);
    expect(stdout).toContain('100 % unparsed');
    for (const row of csv('out/metrics.csv')) {
      if (row.metric === 'unparsed_rate') expect(row.value).toBe('1');
      else if (row.metric === 'refused_rate') expect(row.value).toBe('0');
      else expect(row).toMatchObject({ value: '', reason: expect.stringContaining('unparsed') });
    }
  });

  it('replaces nothing without --force', async () => {
    const { run, text } = place(rightAnswer);
    const args = ['--results', 'results', '--out', 'out'];
    expect((await run('pipeline', 'bbq', ...args)).code).toBe(0);
    const before = text('out/metrics.csv');
    for (const command of [
      ['pipeline', 'bbq', ...args],
      ['score', 'bbq', '--results', 'results', '--out', 'out/analysis'],
      ['combine', 'bbq', '--results', 'out/analysis', '--out', 'out'],
      ['aggregate', 'bbq', '--results', 'out', '--out', 'out'],
    ]) {
      const { code, stderr } = await run(...command, '--json');
      expect(code, command[0]).toBe(2);
      expect(JSON.parse(stderr).error.code).toBe('output_exists');
      expect((await run(...command, '--force')).code, command[0]).toBe(0);
    }
    expect(text('out/metrics.csv')).toBe(before);
  });

  it('leaves nothing of what it replaces with --force, and all that is not its own', async () => {
    const { run, cwd } = place(rightAnswer, ['gender', 'age']);
    writeModel(join(cwd, 'results', 'org', 'N-1B'), rightAnswer, ['gender', 'age']);
    const files = () => readdirSync(join(cwd, 'out'), { recursive: true, encoding: 'utf8' }).sort();
    const args = ['--results', 'results', '--out', 'out', '--compat', 'multibbq', '--categories', 'gender'];
    expect((await run('pipeline', 'bbq', ...args)).code).toBe(0);
    writeFileSync(join(cwd, 'out/csv_files/notes.csv'), 'mine');
    const before = files();
    expect((await run('pipeline', 'bbq', ...args, '--force')).code).toBe(0);
    expect(files()).toEqual(before);
    rmSync(join(cwd, 'results/org/N-1B'), { recursive: true });
    rmSync(join(cwd, 'results/org/M-1B'), { recursive: true });
    writeModel(join(cwd, 'results', 'org', 'M-1B'), rightAnswer, ['gender']);
    expect((await run('pipeline', 'bbq', ...args, '--force')).code).toBe(0);
    const gone = before.filter((name) => !files().includes(name));
    expect(gone.filter((name) => !name.includes('N-1B'))).toEqual([
      'csv_files/age_metrics_summary_sorted.csv',
    ]);
    expect(gone.filter((name) => name.endsWith('_w_metrics.json'))).toHaveLength(6);
  });

  it('refuses what does not fit together', async () => {
    const { run } = place(rightAnswer);
    const args = ['--results', 'results', '--out', 'out'];
    const tail = await run('pipeline', 'bbq', ...args, '--tail-slice', '18');
    expect([tail.code, tail.stderr]).toEqual([2, expect.stringContaining('v1.0 and v1.1')]);
    expect((await run('pipeline', 'bbq', ...args, '--score', 'nothing')).code).toBe(2);
    expect((await run('score', 'bbq', '--results', 'results', 'more')).code).toBe(2);
    const none = await run('combine', 'bbq', '--results', 'results', '--out', 'out');
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('score the results first')]);
  });

  it('lets no category name a file elsewhere', async () => {
    const { run, cwd } = place(rightAnswer, ['../../age']);
    const { code, stderr } = await run(
      ...['pipeline', 'bbq', '--results', 'results', '--out', 'deep/out', '--compat', 'multibbq'],
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be part of the file name')]);
    expect(namesIn(join(cwd, 'deep', 'out'))).toEqual(['analysis', 'combined_metrics.json']);
  });
});

/** Code and commands of a page, by the heading that they stand below. */
function page(heading: string): string {
  const text = readFileSync(join(ROOT, 'docs', 'extending.md'), 'utf8');
  const from = text.indexOf(`\n## ${heading}\n`);
  expect(from).toBeGreaterThan(0);
  const to = text.indexOf('\n## ', from + 1);
  return text.slice(from, to === -1 ? undefined : to);
}

describe('docs/extending.md', () => {
  it('a metric field takes the one entry that the page shows, and no other change', async () => {
    const entry = /```ts\n([\s\S]*?)```/.exec(page('A metric field'))?.[1];
    expect(entry).toContain("key: 'err_rate'");
    // The built program with the entry in its table, and nothing else changed.
    const { cwd, run } = place((row) => (row.unk_label_idx === 0 ? '?' : letter(row.unk_label_idx)));
    const copy = join(cwd, 'copy');
    cpSync(join(ROOT, 'dist'), join(copy, 'dist'), { recursive: true });
    for (const name of ['node_modules', 'build', 'assets', 'package.json'])
      symlinkSync(join(ROOT, name), join(copy, name));
    const table = join(copy, 'dist', 'suites', 'bbq', 'score', 'fields.js');
    const before = readFileSync(table, 'utf8');
    const after = before.replace(
      /(export const FIELDS = \[[\s\S]*?\n)(\];)/,
      (_, head, end) => `${head}${entry}${end}`,
    );
    expect(after.length).toBe(before.length + entry!.length);
    writeFileSync(table, after);

    const main = join(copy, 'dist', 'cli', 'main.js');
    const args = ['--results', 'results', '--out', 'out', '--score', 'err'];
    const { code, stderr, stdout } = await runCli(['pipeline', 'bbq', ...args], { cwd, main });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('unparsed');
    const rows = parse(readFileSync(join(cwd, 'out', 'metrics.csv'), 'utf8'), { columns: true }) as Record<
      string,
      string
    >[];
    const own = rows.filter(({ metric }) => metric === 'err_rate');
    // By hand: 4 of the 12 rows have "unknown" as their first option, and those were answered "?".
    expect(own.length).toBe(6 * 2);
    for (const row of own) expect(row).toMatchObject({ value: String(4 / 12), hits: '4', n: '12' });
    const file = 'results/org/M-1B/M_1B_visual_only_negative_ambiguous.json';
    const one = await runCli(['score', 'bbq', '--results', file, '--score', 'err'], { cwd, main });
    expect(one.stdout).toMatch(/category .*errors/);
    expect((await run('score', 'bbq', '--results', file, '--score', 'err')).code).toBe(2);
  });

  it('a category takes rows that name it, and in the mode of the original --categories', async () => {
    const command = page('A category').match(/--categories gender race religion age (\w+)\n/);
    expect(command?.[1]).toBe('disability');
    const { cwd, run, csv, text } = place(alwaysUnknown, ['gender', 'race', 'religion', 'age']);
    for (const context of ['ambiguous', 'disambiguous']) {
      for (const polarity of ['negative', 'nonnegative']) {
        const rows = balancedRows(context === 'disambiguous', 'disability').map((row) => ({
          ...row,
          pred: 'A',
        }));
        write(join(cwd, 'results', 'org', 'New', `New_1B_visual_language_${polarity}_${context}.json`), rows);
      }
    }
    expect((await run('pipeline', 'bbq', '--results', 'results', '--out', 'out')).code).toBe(0);
    const rows = csv('out/metrics.csv').filter(({ category }) => category === 'disability');
    expect(new Set(rows.map(({ metric }) => metric))).toContain('FS_total');

    const categories = ['gender', 'race', 'religion', 'age', 'disability'];
    const compat = ['--compat', 'multibbq', '--categories', ...categories];
    const titles = ['Gender', 'Race', 'Religion', 'Age', 'Disability'];
    const { code } = await run(
      ...[
        'pipeline',
        'bbq',
        '--results',
        'results',
        '--out',
        'orig',
        ...compat,
        '--subcategory-order',
        ...titles,
      ],
    );
    expect(code).toBe(0);
    expect(existsSync(join(cwd, 'orig/csv_files/disability_metrics_summary_sorted.csv'))).toBe(true);
    const [, head] = text('orig/metrics_details/category_total_scores_summary.csv').split('\n');
    expect(head).toBe(`Category,${categories.join(',')},${categories.join(',')}`);
    expect(text('orig/csv_files/model_category_average_scores.csv')).toContain(
      'FS_Age,FS_Disability,BS_Gender',
    );
  });
});
