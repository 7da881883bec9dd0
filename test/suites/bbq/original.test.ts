/** The compatibility mode against what MultiBBQ's own program wrote for the same results. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type PipelineOptions, runPipeline } from '../../../src/suites/bbq/score/index.ts';
import { temporaryFolder } from '../../temporary.ts';
import {
  ALPHA,
  expectedPath,
  HAS_VECTORS,
  MAIN,
  namesIn,
  partialResults,
  RESULTS,
  readJson,
  records,
} from './vectors.ts';

/** The original reads its own CSVs back with some loss before it makes the next, so its last digits vary. */
const LOSS = 1e-9;
/** Rounding of a few operations in float64. */
const ROUNDING = 1e-12;

const RUNS: Readonly<Record<string, { results: (folder: string) => string; options?: PipelineOptions }>> = {
  main: { results: () => MAIN },
  llm: { results: () => join(RESULTS, 'gpt_image_gen_llm') },
  all: { results: () => RESULTS },
  all_tail18_mid: {
    results: () => RESULTS,
    options: {
      tailSlice: 18,
      includeMid: true,
      categories: ['overall', 'gender', 'race', 'religion', 'age'],
    },
  },
  partial: { results: partialResults },
  flat: { results: () => ALPHA },
};

async function run(name: string): Promise<{ out: string; notes: readonly string[] }> {
  const folder = temporaryFolder();
  const out = join(folder, 'out');
  const { results, options = {} } = RUNS[name]!;
  const { aggregated } = await runPipeline(results(folder), out, { ...options, compat: 'multibbq' });
  return { out, notes: aggregated.notes };
}

const isNumber = (text: string) => /^-?\d+\.\d+(e-\d\d)?$/.test(text);

describe.skipIf(!HAS_VECTORS).each(Object.keys(RUNS))('the run %s', (name) => {
  it('has the metrics of every scored copy and the combined file to the byte', async () => {
    const { out } = await run(name);
    const metrics = readJson(expectedPath(name, 'metrics.json')) as Record<string, unknown>;
    expect(Object.keys(metrics).length).toBeGreaterThan(0);
    for (const [file, block] of Object.entries(metrics)) {
      expect(readJson(join(out, 'analysis', file)).metrics, file).toEqual(block);
    }
    expect(readFileSync(join(out, 'combined_metrics.json'), 'utf8')).toBe(
      readFileSync(expectedPath(name, 'combined_metrics.json'), 'utf8'),
    );
  });

  it.each(['csv_files', 'metrics_details'])('has the tables of %s, layout and numbers', async (folder) => {
    const { out } = await run(name);
    const tables = namesIn(expectedPath(name, folder));
    expect(namesIn(join(out, folder))).toEqual(tables);
    expect(tables.length).toBe(name === 'flat' ? 0 : 6);
    for (const table of tables) {
      const ours = records(join(out, folder, table));
      const theirs = records(expectedPath(name, folder, table));
      expect(ours.length, table).toBe(theirs.length);
      for (const [row, fields] of theirs.entries()) {
        expect(ours[row]!.length).toBe(fields.length);
        for (const [column, field] of fields.entries()) {
          const own = ours[row]![column]!;
          const place = `${table} ${row}:${column}`;
          if (!isNumber(field)) expect(own, place).toBe(field);
          else {
            expect(own, place).toMatch(/^-?\d+\.\d+(e-\d\d)?$/);
            expect(Math.abs(Number(own) - Number(field)), place).toBeLessThan(LOSS);
          }
        }
      }
    }
  });
});

it.skipIf(!HAS_VECTORS)(
  'writes summaries byte for byte: they are made before the original loses digits',
  async () => {
    const { out } = await run('all_tail18_mid');
    for (const category of ['overall', 'gender', 'race', 'religion', 'age']) {
      const name = `csv_files/${category}_metrics_summary_sorted.csv`;
      expect(readFileSync(join(out, name), 'utf8')).toBe(
        readFileSync(expectedPath('all_tail18_mid', name), 'utf8'),
      );
    }
  },
);

it.skipIf(!HAS_VECTORS)('has totals within rounding of their formula over the summaries', async () => {
  const { out } = await run('all');
  const EPSILON = 1e-10;
  for (const category of ['overall', 'gender', 'race', 'religion', 'age']) {
    const summary = records(expectedPath('all', `csv_files/${category}_metrics_summary_sorted.csv`)).slice(3);
    const details = records(join(out, `metrics_details/${category}_metrics_details.csv`)).slice(3);
    expect(details.length).toBe(3);
    for (const [at, [model, ...fields]] of summary.entries()) {
      const total = (offset: number, turn: (x: number) => number) => {
        const means = [0, 4, 8]
          .filter((from) => fields[from] !== '')
          .map((from) => turn((Number(fields[from + offset]) + Number(fields[from + offset + 2])) / 2));
        const [a = 0, b = 0, c] = means;
        return c === undefined
          ? (2 * a * b) / (a + b + EPSILON)
          : (3 * a * b * c) / (a * b + b * c + a * c + EPSILON);
      };
      expect(details[at]![0]).toBe(model);
      expect(Math.abs(Number(details[at]![7]) - total(0, (x) => x))).toBeLessThan(ROUNDING);
      expect(Math.abs(Number(details[at]![14]) - (1 - total(1, (x) => 1 - x)))).toBeLessThan(ROUNDING);
    }
  }
});

it.skipIf(!HAS_VECTORS)('says which quirks cost something', async () => {
  expect((await run('main')).notes).toEqual([expect.stringContaining('no column "overall"')]);
  expect((await run('all_tail18_mid')).notes).toEqual([]);
  expect((await run('flat')).notes[0]).toMatch(/6 files in no folder are left out/);
});
