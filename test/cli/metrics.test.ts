/** `logit-audit metrics` as it is installed: vectors of independent programs in, their values out; faults told. */

import { readFileSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, it } from 'vitest';
import { float64, int64, logitsNpy, npy } from '../npy/write.ts';
import { sharedFile } from '../oracle/shared.ts';
import type { PairVector, RowVector, StoredLogit } from '../oracle/vectors.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

// The kernels sum in blocks of float32 exponentials; a part in a hundred thousand is far above their error.
const CLOSE = 1e-5;
// A folder for each test, and the command run in it.
let path: string;
beforeEach(() => {
  path = temporaryFolder();
});
const write = (name: string, content: string | Uint8Array) => writeFileSync(join(path, name), content);
const metrics = (...args: string[]) => runCli(['metrics', ...args], { cwd: path });

function load(stored: readonly StoredLogit[]): number[] {
  return stored.map((value) => (value === '-inf' ? Number.NEGATIVE_INFINITY : value));
}

function vectors<T>(name: string): T[] {
  const committed = fileURLToPath(new URL(`../vectors/${name}`, import.meta.url));
  return [committed, sharedFile(`vectors/${name}`)]
    .filter((path) => path !== null)
    .flatMap((path) => JSON.parse(readFileSync(path, 'utf8')) as T[]);
}

function expectClose(actual: unknown, wanted: number, what: string): void {
  const allowed = CLOSE * Math.max(1, Math.abs(wanted));
  expect(Math.abs(Number(actual) - wanted), what).toBeLessThanOrEqual(allowed);
}

async function lines(...args: string[]): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await metrics(...args, '--json');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

async function csv(name: string): Promise<Record<string, string>[]> {
  return parse(await readFile(join(path, name), 'utf8'), { columns: true });
}

/** Vectors of one vocabulary, as the rows of one file. */
function byVocab<T>(all: readonly T[], vocab: (vector: T) => number): T[][] {
  const sizes = [...new Set(all.map(vocab))];
  return sizes.map((size) => all.filter((vector) => vocab(vector) === size));
}

describe('row', () => {
  const files = byVocab(vectors<RowVector>('rows.json'), ({ logits }) => logits.length);
  it.each(files.map((vectors) => [vectors[0]!.logits.length, vectors] as const))(
    'vectors of %i tokens',
    async (vocab, vectors) => {
      const rows = vectors.flatMap(({ logits }) => load(logits));
      write('rows.npy', logitsNpy(rows, [vectors.length, vocab]));
      const targets = int64(vectors.map(({ target }) => target));
      write('targets.npy', npy({ descr: '<i8', shape: [vectors.length], data: targets }));
      // A file has one list of groups: those of each row under names of their own.
      const groups = vectors.flatMap(({ groups }, row) =>
        groups.map((ids, group) => [`r${row}g${group}`, ids] as const),
      );
      const named = Object.fromEntries(groups.filter(([, ids]) => ids.length > 0));
      write('groups.json', JSON.stringify(named));
      const k = Math.max(...vectors.map((vector) => vector.k));
      const args = ['row', '--logits', 'rows.npy', '--groups', 'groups.json', '--targets', 'targets.npy'];
      const records = await lines(...args, '--top-k', String(k), '--csv', 'rows.csv');
      const cells = await csv('rows.csv');
      expect(records.length).toBe(vectors.length);
      for (const [row, { name, groups, expect: wanted, k: shown }] of vectors.entries()) {
        const record = records[row]!;
        expect(record.row).toBe(row);
        for (const key of ['logsumexp', 'entropy', 'targetLogprob', 'targetRank'] as const) {
          if (String(wanted[key]) === '-inf') expect(record[key]).toBe('-inf');
          else expectClose(record[key], wanted[key], `${name}.${key}`);
        }
        for (const [group, ids] of groups.entries()) {
          if (ids.length === 0) continue;
          expectClose(record[`massR${row}g${group}`], wanted.masses[group]!, `${name}.masses[${group}]`);
        }
        expect((record.topKIds as number[]).slice(0, shown)).toEqual(wanted.topKIds);
        for (const [rank, p] of wanted.topKProbs.entries()) {
          expectClose((record.topKProbs as number[])[rank], p, `${name}.topKProbs[${rank}]`);
        }
        const flat = Object.entries(record).map(([key, value]) => [
          key,
          Array.isArray(value) ? value.join(' ') : String(value),
        ]);
        expect(cells[row]).toEqual(Object.fromEntries(flat));
      }
    },
  );

  it('takes one row, base 2, and rows without a target', async () => {
    write('v.npy', logitsNpy([0, 0, 0, 0]));
    write('none.npy', npy({ descr: '<i8', shape: [], data: int64([-1]) }));
    const [record] = await lines(
      'row',
      '--logits',
      'v.npy',
      '--base',
      '2',
      '--targets',
      'none.npy',
      '--top-k',
      '1',
    );
    expect(record).toEqual({
      row: 0,
      logsumexp: 2,
      entropy: 2,
      targetLogprob: null,
      targetRank: null,
      topKIds: [0],
      topKProbs: [0.25],
    });
  });

  it('streams more rows than a block has, in order', async () => {
    const rows = 9000;
    const values = Array.from({ length: rows * 2 }, (_, index) => (index % 2 === 0 ? 0 : index / rows));
    write('many.npy', npy({ descr: '>f8', shape: [rows, 2], data: float64(values, false) }));
    const { code, stdout } = await metrics('row', '--logits', 'many.npy', '--csv', 'many.csv');
    expect(code).toBe(0);
    expect(stdout).toContain('rows written to many.csv');
    const cells = await csv('many.csv');
    expect(cells.map(({ row }) => row)).toEqual(Array.from({ length: rows }, (_, row) => String(row)));
    for (const row of [0, 4095, 4096, 8999]) {
      expectClose(cells[row]!.logsumexp, Math.log(1 + Math.exp(values[row * 2 + 1]!)), `row ${row}`);
    }
  });
});

describe('pair', () => {
  it.each(vectors<PairVector>('pairs.json'))('vector $name', async ({ name, a, b, expect: wanted }) => {
    write('a.npy', logitsNpy(load(a)));
    write('b.npy', logitsNpy(load(b), [1, b.length]));
    const k = Object.keys(wanted.topK).at(-1)!;
    const args = ['pair', '--logits', 'a.npy', '--other', 'b.npy', '--top-k', k, '--csv', 'pairs.csv'];
    const [record] = await lines(...args);
    const [cells] = await csv('pairs.csv');
    for (const key of ['jsd', 'klPQ', 'klQP', 'totalVariation'] as const) {
      if (wanted[key] === null) expect(record![key]).toBe('inf');
      else expectClose(record![key], wanted[key], `${name}.${key}`);
      expect(cells![key]).toBe(String(record![key]));
    }
    const { unionSize, partial, lower, upper } = record!.topK as Record<string, number>;
    const form = wanted.topK[k]!;
    expect([unionSize, cells!.topKK, cells!.topKUnionSize]).toEqual([
      form.unionSize,
      k,
      String(form.unionSize),
    ]);
    expectClose(partial, form.partial, `${name}.partial`);
    expectClose(lower, form.lower, `${name}.lower`);
    expectClose(upper, form.upper, `${name}.upper`);
    expect([cells!.topKPartial, cells!.topKLower, cells!.topKUpper]).toEqual(
      [partial, lower, upper].map(String),
    );
  });

  it('gives the masses of both sides, and base 2', async () => {
    write('p.npy', logitsNpy([0, Number.NEGATIVE_INFINITY]));
    write('q.npy', logitsNpy([Number.NEGATIVE_INFINITY, 0]));
    write('first.json', '{"first": [0]}');
    const args = ['pair', '--logits', 'p.npy', '--other', 'q.npy', '--base', '2', '--groups', 'first.json'];
    expect((await lines(...args))[0]).toMatchObject({ jsd: 1, massFirst: 1, massFirstOther: 0 });
    const { stdout } = await metrics(...args);
    expect(stdout).toMatch(/klPQ +inf +inf +inf +1 +1\n/);
  });
});

describe('on a terminal', () => {
  it('shows the first rows and a summary', async () => {
    const rows = Array.from({ length: 12 }, (_, row) => [row, 0, 0]).flat();
    write('logits.npy', logitsNpy(rows, [12, 3]));
    write('groups.json', '{"female": [0], "male": [1, 2]}');
    const { code, stdout, stderr } = await metrics(
      'row',
      '--logits',
      'logits.npy',
      '--groups',
      'groups.json',
      '--top-k',
      '2',
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatchSnapshot();
  });

  it('says in its help how to save logits', async () => {
    for (const kind of ['row', 'pair']) {
      const { code, stdout } = await metrics(kind, '--help');
      expect(code).toBe(0);
      expect(stdout).toContain('np.save("logits.npy"');
      expect(stdout).toContain('JSON Lines');
      expect(stdout).toContain('"inf"');
    }
  });
});

describe('faults', () => {
  async function told(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await metrics(...args);
    expect(code, stderr).toBe(2);
    expect(stdout).toBe('');
    return stderr;
  }

  it('of a row are told by file, row and column, and leave no file', async () => {
    const rows = 5000;
    for (const [value, kind] of [
      [Number.NaN, 'NaN'],
      [Number.POSITIVE_INFINITY, '+inf'],
    ] as const) {
      const values = new Array<number>(rows * 2).fill(0);
      values[4500 * 2 + 1] = value;
      write('bad.npy', logitsNpy(values, [rows, 2]));
      const fault = await told('row', '--logits', 'bad.npy', '--csv', 'out.csv');
      expect(fault).toContain(`bad.npy: row 4500, column 1 (counted from 0) is ${kind}`);
      write('good.npy', logitsNpy(new Array(rows * 2).fill(0), [rows, 2]));
      expect(await told('pair', '--logits', 'good.npy', '--other', 'bad.npy')).toContain('bad.npy: row 4500');
      expect(await told('pair', '--logits', 'bad.npy', '--other', 'good.npy')).toContain('bad.npy: row 4500');
    }
    write('masked.npy', logitsNpy([0, 0, -1 / 0, -1 / 0], [2, 2]));
    expect(await told('row', '--logits', 'masked.npy')).toContain(
      'row 1 (counted from 0) is -inf throughout',
    );
    expect((await readdir(path)).filter((name) => name.includes('out.csv'))).toEqual([]);
  });

  it('are JSON with --json', async () => {
    const { code, stderr } = await metrics('row', '--logits', 'none.npy.gz', '--json');
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'file_not_found', data: { file: 'none.npy.gz' } },
    });
  });

  it('of groups are told before a row is read', async () => {
    write('nan.npy', logitsNpy([0, Number.NaN]));
    write('g.json', '{"a": [0, 2]}');
    const fault = await told('row', '--logits', 'nan.npy', '--groups', 'g.json');
    expect(fault).toContain('g.json: a[1] is 2, but a row of nan.npy has 2 logits');
    write('g.json', '{"he": [0], "He": [1]}');
    const twice = await told('row', '--logits', 'nan.npy', '--groups', 'g.json');
    expect(twice).toContain('g.json: He and he would both have the column massHe');
  });

  it('of files that do not belong together', async () => {
    write('two.npy', logitsNpy([0, 0, 0, 0], [2, 2]));
    write('four.npy', logitsNpy([0, 0, 0, 0]));
    write('one.npy', npy({ descr: '<i8', shape: [1], data: int64([0]) }));
    expect(await told('pair', '--logits', 'two.npy', '--other', 'four.npy')).toContain('has 2 x 2 logits');
    expect(await told('row', '--logits', 'two.npy', '--targets', 'one.npy')).toContain('one.npy has 1 ids');
    expect(await told('row', '--logits', 'two.npy', '--csv', './two.npy')).toContain(
      'would overwrite an input',
    );
    expect(await told('row', '--logits', 'two.npy', '--dtype', 'bfloat16')).toContain(
      'two.npy holds float32',
    );
    expect(await told('row')).toContain("'--logits <file>'");
    expect(await told('pair', '--logits', 'two.npy')).toContain("'--other <file>'");
  });
});
