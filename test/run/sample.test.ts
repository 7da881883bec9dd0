/** A random sample of a run's rows: shares of strata, pairs whole, the same rows for a seed, and what is refused. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { resolveOptions } from '../../src/contract/index.ts';
import { openDataset } from '../../src/dataset/index.ts';
import { type RunOptions, runSuite } from '../../src/run/index.ts';
import {
  allocate,
  drawNumber,
  drawSample,
  type Sample,
  type SampleChoice,
  sampleLine,
} from '../../src/run/sample.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { faultOf } from '../fault.ts';
import { sharedFile } from '../oracle/shared.ts';
import { temporaryFolder } from '../temporary.ts';
import { compareFolders } from './compare-folders.ts';
import { MOCK_ENGINE } from './mock-backend.ts';
import { LEXICON, mockModel, mockRun, pairRows, writeLines } from './two-runs.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

type Values = Readonly<Record<string, unknown>>;

/** The rows of a sample of `rows`, in order, and the sample. */
async function drawn(
  suite: string,
  rows: readonly unknown[],
  choice: SampleChoice,
): Promise<{ rows: Values[]; sample: Sample }> {
  const file = writeLines(join(folder, `${suite}-${rows.length}.jsonl`), rows);
  return drawnOf(suite, [file], choice);
}

async function drawnOf(suite: string, files: readonly string[], choice: SampleChoice) {
  const named = findSuite(suite);
  const options = resolveOptions(suite, named.options, {});
  const sample = await drawSample(named, options, () => openDataset(files).rows(), choice);
  const found: Values[] = [];
  for await (const { index, value } of openDataset(files).rows()) {
    if (sample.chosen.has(index)) found.push(value as Values);
  }
  return { rows: found, sample };
}

/** Rows of ctf in two categories, `a` of them in the first. */
const categories = (count: number, a: number) =>
  pairRows(count).map((row, index) => ({ ...row, occupation: null, category: index < a ? 'a' : 'b' }));

const countOf = (rows: readonly Values[], key: string, value: unknown) =>
  rows.filter((row) => row[key] === value).length;

describe('strata', () => {
  it('have the shares of the data, by the largest remainder', async () => {
    // 13.5 of 90 to 10, and 10 to 0.9: the larger remainder gets the one that is left.
    for (const seed of [0, 1, 2]) {
      const { rows, sample } = await drawn('ctf', categories(100, 91), { rows: 15, seed });
      expect(rows).toHaveLength(15);
      // 13.65 and 1.35
      expect([countOf(rows, 'category', 'a'), countOf(rows, 'category', 'b')]).toEqual([14, 1]);
      expect(sample.description).toMatchObject({ drawn: 15, of: 100, strata: 2, seed });
    }
  });

  it('of every slice together have them, within one row', async () => {
    const all = Array.from({ length: 600 }, (_, row) => ({
      ...pairRows(1)[0]!,
      id: row,
      occupation: ['nurse', 'plumber', 'teacher'][row % 3],
      category: row % 5 === 0 ? 'a' : 'b',
    }));
    const { rows } = await drawn('ctf', all, { rows: 77, seed: 4 });
    for (const occupation of ['nurse', 'plumber', 'teacher']) {
      for (const category of ['a', 'b']) {
        const is = (row: Values) => row.occupation === occupation && row.category === category;
        const expected = (77 * all.filter(is).length) / 600;
        expect(Math.abs(rows.filter(is).length - expected)).toBeLessThan(1);
      }
    }
  });

  it('are as many as the sample can follow, and slices of more values are named', async () => {
    const all = pairRows(60).map((row, index) => ({
      ...row,
      occupation: `occupation ${index}`,
      category: index < 30 ? 'a' : 'b',
    }));
    const { rows, sample } = await drawn('ctf', all, { rows: 10 });
    expect([countOf(rows, 'category', 'a'), countOf(rows, 'category', 'b')]).toEqual([5, 5]);
    expect(sample.description).toMatchObject({ by: ['category'], finer: ['occupation'], strata: 2 });
    expect(sampleLine(sample.description)).toBe(
      'a random sample of 10 of 60 rows in 2 strata (category, not by occupation, of too many values), seed 0',
    );
  });

  it('hold rows that cannot be read too, as far as they are a share', async () => {
    const { rows, sample } = await drawn('ctf', [...categories(90, 45), ...Array(10).fill({ x: '' })], {
      rows: 20,
    });
    expect(rows.filter(({ x }) => x === '')).toHaveLength(2);
    expect(sample.description.strata).toBe(3);
  });

  it('are allocated whole units, never more than are there, and all rows as far as units fit', () => {
    const stratum = fc.record({
      key: fc.uuid(),
      size: fc.integer({ min: 1, max: 4 }),
      units: fc.integer({ min: 1, max: 50 }),
    });
    fc.assert(
      fc.property(
        fc.array(stratum, { minLength: 1, maxLength: 12 }),
        fc.nat(400),
        fc.nat(9),
        (strata, rows, seed) => {
          const total = strata.reduce((sum, { size, units }) => sum + size * units, 0);
          const taken = allocate(strata, rows, seed);
          let sum = 0;
          for (const one of strata) {
            const units = taken.get(one)!;
            const share = (Math.min(rows, total) * one.units) / total;
            expect(Number.isInteger(units) && units >= 0 && units <= one.units).toBe(true);
            expect(Math.abs(units - share)).toBeLessThan(1 + 1e-9);
            sum += units * one.size;
          }
          expect(sum).toBeLessThanOrEqual(rows);
          if (rows >= total) expect(sum).toBe(total);
          if (strata.every(({ size }) => size === 1)) expect(sum).toBe(Math.min(rows, total));
        },
      ),
    );
  });
});

describe('the draw', () => {
  const all = categories(200, 120);
  const ids = (rows: readonly Values[]) => rows.map(({ id }) => id);

  it('is the same for a seed, and another for another seed', async () => {
    const first = await drawn('ctf', all, { rows: 40, seed: 7 });
    expect(ids((await drawn('ctf', all, { rows: 40, seed: 7 })).rows)).toEqual(ids(first.rows));
    const other = ids((await drawn('ctf', all, { rows: 40, seed: 8 })).rows);
    expect(other).not.toEqual(ids(first.rows));
    // Of two samples of 40 in 200, 8 in common are expected.
    expect(other.filter((id) => ids(first.rows).includes(id)).length).toBeLessThan(25);
  });

  it('hangs on ids alone: the same in whatever order and files the rows stand', async () => {
    const { rows } = await drawn('ctf', all, { rows: 40, seed: 7 });
    const files = [all.slice(90).reverse(), all.slice(0, 90)].map((part, at) =>
      writeLines(join(folder, `part-${at}.jsonl`), part),
    );
    const again = await drawnOf('ctf', files, { rows: 40, seed: 7 });
    expect(ids(again.rows).sort()).toEqual(ids(rows).sort());
  });

  it('is the same on every machine', () => {
    // From SHA-256, by another program.
    expect(drawNumber(0, 'row\nr1')).toBe(30050065137011);
  });

  it('takes each row as often as the others', async () => {
    const counts = new Map<unknown, number>();
    for (let seed = 0; seed < 200; seed += 1) {
      for (const id of ids((await drawn('ctf', categories(20, 20), { rows: 5, seed })).rows)) {
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
    }
    // 50 expected, standard deviation 6.1.
    expect(counts.size).toBe(20);
    for (const count of counts.values()) expect(Math.abs(count - 50)).toBeLessThan(30);
  });

  it('takes all rows where there are not more', async () => {
    const { rows, sample } = await drawn('ctf', categories(12, 5), { rows: 500 });
    expect(rows).toHaveLength(12);
    expect(sampleLine(sample.description)).toBe(
      '--sample 500: the data have 12 rows, and all of them are taken',
    );
  });
});

describe('rows that belong together', () => {
  it('stay whole: those with one pair_id, wherever they stand', async () => {
    const rows = categories(120, 120).map((row, index) => ({ ...row, pair_id: index % 40 }));
    const { rows: found, sample } = await drawn('ctf', rows, { rows: 31 });
    // 10 units of three rows; the 31st row would break one.
    expect(found).toHaveLength(30);
    for (const { pair_id } of found) expect(countOf(found, 'pair_id', pair_id)).toBe(3);
    expect(sampleLine(sample.description)).toContain(
      'a random sample of 30 of 120 rows, of the 31 asked for, seed 0',
    );
    expect(sampleLine(sample.description)).toContain('rows that belong together (up to 3) are whole');
  });

  it('are refused where not one unit fits', async () => {
    const rows = categories(12, 12).map((row, index) => ({ ...row, pair_id: `p${index % 3}` }));
    const { code, message } = await faultOf(drawn('ctf', rows, { rows: 2 }));
    expect(code).toBe('bad_argument');
    expect(message).toContain('give --sample 4 or more');
  });

  const winogender = sharedFile('datasets/winogender/data/all_sentences.tsv');
  it.skipIf(winogender === null)('of WinoGender: a sentence with its three pronouns', async () => {
    const { rows } = await drawnOf('wino', [winogender!], { rows: 60, seed: 1 });
    expect(rows).toHaveLength(60);
    const templates = rows.map(({ sentid }) => String(sentid).replace(/\.(male|female|neutral)\.txt$/, ''));
    expect(new Set(templates).size).toBe(20);
    expect(templates.filter((template) => template.endsWith('.1'))).toHaveLength(30);
  });

  const bbq = sharedFile('datasets/bbq/data/Age.jsonl');
  it.skipIf(bbq === null)('of BBQ: both contexts and both questions of two persons', async () => {
    const { rows } = await drawnOf('bbq', [bbq!], { rows: 40, seed: 1 });
    expect(rows).toHaveLength(40);
    const blocks = rows.map(({ example_id }) => Math.floor(Number(example_id) / 4));
    for (const block of blocks) expect(blocks.filter((other) => other === block)).toHaveLength(4);
    expect(countOf(rows, 'context_condition', 'ambig')).toBe(20);
  });
});

describe('a run', () => {
  const choice = { rows: 9, seed: 5 };
  const run = (out: string, options: Partial<RunOptions> = {}) =>
    mockRun(mockModel(folder, out), {
      suite: findSuite('ctf'),
      data: writeLines(join(folder, 'pairs.jsonl'), categories(30, 20)),
      out: join(folder, out),
      ...options,
    });
  const manifestOf = (path: string) => JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'));
  const journalIds = (path: string) =>
    readFileSync(join(path, 'rows.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id);

  it('asks the rows of its sample, and its manifest has it', async () => {
    const path = await run('a', { sample: choice });
    const { sample } = await drawn('ctf', categories(30, 20), choice);
    expect(manifestOf(path).experiment.sample).toEqual(sample.description);
    expect(manifestOf(path).data.rows).toBe(9);
    expect(journalIds(path)).toEqual([...sample.chosen].sort((a, b) => a - b).map((row) => `r${row}`));
    expect(manifestOf(await run('all')).experiment.sample).toBe(null);
  });

  it('is resumed with the same sample only', async () => {
    const path = await run('a', { sample: choice });
    await expect(run('a', { sample: choice, resume: true })).resolves.toBe(path);
    const { code, message } = await faultOf(run('a', { sample: { ...choice, seed: 6 }, resume: true }));
    expect([code, message]).toEqual(['bad_argument', expect.stringContaining('sample was')]);
  });

  it('is compared with one of the same sample only', async () => {
    const [a, b] = [await run('a', { sample: choice }), await run('b', { sample: choice })];
    const { comparisons, notes } = await compareFolders(a, b);
    expect(comparisons[0]!.n).toBeGreaterThan(0);
    expect(notes).toContain('a random sample of 9 of 30 rows in 2 strata (occupation, category), seed 5');
    const c = await run('c', { sample: { ...choice, seed: 6 } });
    expect((await faultOf(compareFolders(a, c))).message).toMatch(
      /their samples differ: a random sample of 9 .*seed 5, and .*seed 6/,
    );
  });

  it('takes no sample of the first rows, nor of no rows', async () => {
    for (const [options, what] of [
      [{ sample: choice, limit: 5 }, 'limit takes the first rows'],
      [{ sample: { rows: 0 } }, 'sample is 0; give a whole number from 1'],
      [{ sample: { rows: 5, seed: -1 } }, 'seed is -1; give a whole number from 0'],
    ] as const) {
      const { code, message } = await faultOf(
        runSuite({
          suite: findSuite('ctf'),
          backend: mockModel(folder, 'm'),
          engine: MOCK_ENGINE,
          lexicon: LEXICON,
          data: writeLines(join(folder, 'pairs.jsonl'), categories(8, 4)),
          out: join(folder, 'none'),
          ...options,
        }),
      );
      expect([code, message]).toEqual(['bad_argument', expect.stringContaining(what)]);
    }
  });
});
