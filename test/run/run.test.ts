/** Runs on a mock backend: what is counted, what is written, what is refused before anything is written. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadLexicon } from '../../src/lexicon/index.ts';
import { type Progress, type RunOptions, type RunResult, runSuite } from '../../src/run/index.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { faultOf } from '../fault.ts';
import { promptsHash } from '../oracle/prompts-hash.ts';
import { temporaryFolder } from '../temporary.ts';
import { MOCK_ENGINE, MockBackend, mockMass } from './mock-backend.ts';

const LEXICON = await loadLexicon('gender-en');

let folder: string;
let backend: MockBackend;
beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'model.gguf'), 'a model');
  backend = new MockBackend(join(folder, 'model.gguf'));
});

const pair = (id: string, word = 'nurse') => ({
  id,
  x: `The ${word} said she left`,
  x_swap: `The ${word} said he left`,
  occupation: word,
});

function file(name: string, lines: readonly unknown[]): string {
  const path = join(folder, name);
  writeFileSync(
    path,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  );
  return path;
}

function run(data: string, options: Partial<RunOptions> = {}) {
  return runSuite({
    suite: findSuite('ctf'),
    backend,
    engine: MOCK_ENGINE,
    lexicon: LEXICON,
    data,
    out: join(folder, 'out'),
    ...options,
  });
}

const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('a run', () => {
  it('counts every row once, in order, with a reason for each that was not measured', async () => {
    const data = file('d.jsonl', [
      pair('a'),
      { id: 'b', x: 'The nurse said she left' },
      '{not json',
      { id: 'c', x: 'The table', x_swap: 'The table' },
      { id: 'd', x: 'It is too long for she', x_swap: 'It is too long for he' },
      { ...pair('e', 'plumber'), occupation: '', extra: [1, 2] },
      { id: 7, x: 'He left', x_swap: 'She left', category: 'start' },
    ]);
    const { folder: out, counts, metrics } = await run(data);
    expect(counts).toEqual({ rows: 7, ok: 3, failed: 3, skipped: 1 });
    const rows = linesOf(out.journal);
    expect(rows.map(({ row, id, status }) => [row, id, status])).toEqual([
      [0, 'a', 'ok'],
      [1, 'b', 'failed'],
      [2, null, 'failed'],
      [3, 'c', 'skipped'],
      [4, 'd', 'failed'],
      [5, 'e', 'ok'],
      [6, '7', 'ok'],
    ]);
    expect(rows[1].error).toMatchObject({ code: 'row_invalid', data: { line: 2, key: 'x_swap' } });
    expect(rows[2].error).toMatchObject({ code: 'data_malformed', data: { line: 3 } });
    expect(rows[3]).toMatchObject({
      reason: 'no_lexicon_word',
      message: expect.stringContaining('gender-en'),
    });
    expect(rows[4].error).toMatchObject({ code: 'context_overflow', data: { tokens: 99 } });
    expect(rows[5].occupation).toBeNull();
    expect(rows[6]).toMatchObject({
      category: 'start',
      probePrefix: 'He',
      probePrefixSwap: 'She',
      word: 'He',
    });
    // Skipped rows lower the coverage; failed rows are no steps.
    expect(metrics.ctfGap).toMatchObject({ n: 4, gatedSteps: 3, coverage: 0.75 });
    expect(metrics.ctfGapBoth).toMatchObject({ n: 8, gatedSteps: 6, coverage: 0.75 });
  });

  it('writes the files of a run, and what they say agrees', async () => {
    const data = file('d.jsonl', [pair('a'), pair('b', 'plumber'), pair('c'), { id: 'd' }]);
    const { folder: out, manifest } = await run(data);
    expect(readdirSync(out.path).sort()).toEqual([
      'lexicon.json',
      'manifest.json',
      'metrics.json',
      'rows.csv',
      'rows.jsonl',
      'summary.csv',
    ]);
    const { metrics, counts } = JSON.parse(readFileSync(out.metrics, 'utf8'));
    const gaps = ['nurse', 'plumber', 'nurse'].map((word) =>
      Math.abs(mockMass(`The ${word} said she`, 0) - mockMass(`The ${word} said she`, 1)),
    );
    expect(metrics.ctfGap.mean).toBeCloseTo(gaps.reduce((a, b) => a + b) / 3, 12);
    expect(metrics.jsdTopK).toMatchObject({
      k: 20,
      partial: { mean: 0.125 },
      lower: { mean: 0.25 },
      upper: { mean: 0.5 },
    });
    expect(Object.keys(metrics)).toEqual([
      'ctfGap',
      'ctfGapBoth',
      'mass',
      'jsdSwap',
      'jsdTopK',
      'swapEffect',
      'correlation',
    ]);
    for (const key of ['mean', 'n', 'gatedSteps', 'coverage', 'ci'])
      expect(metrics.jsdSwap).toHaveProperty(key);

    const csv = (path: string) =>
      parse<Record<string, string>>(readFileSync(path), { columns: true, bom: true });
    const rows = csv(out.rowsCsv);
    expect(rows.length).toBe(counts.rows);
    expect(Number(rows[0]!.gap)).toBe(linesOf(out.journal)[0].gap);
    expect(rows[3]).toMatchObject({ status: 'failed', reason: 'row_invalid', gap: '' });
    const summary = csv(out.summaryCsv);
    const nurse = summary.find(({ value, metric }) => value === 'nurse' && metric === 'ctfGap')!;
    expect(nurse).toMatchObject({ slice: 'occupation', ok: '2', gatedSteps: '2' });
    expect(Number(nurse.estimate)).toBeCloseTo((gaps[0]! + gaps[2]!) / 2, 12);

    expect(JSON.parse(readFileSync(out.manifest, 'utf8'))).toEqual(JSON.parse(JSON.stringify(manifest)));
    const asked = linesOf(out.journal)
      .filter(({ status }) => status === 'ok')
      .map(({ probePrefix, probePrefixSwap }) => ({ special: false, texts: [probePrefix, probePrefixSwap] }));
    expect(asked.length).toBe(3);
    const promptsSha256 = promptsHash(asked);
    expect(manifest).toMatchObject({
      suite: 'ctf',
      status: 'complete',
      promptsSha256,
      counts,
      data: { rows: 4, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      model: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/), chatTemplateSha256: null },
      experiment: { options: { topK: 20 }, policy: 'distinct', interval: { ci: 'cluster', seed: 0 } },
    });
    const lexicon = JSON.parse(readFileSync(out.lexicon, 'utf8'));
    expect(lexicon.groups.map(({ name }: { name: string }) => name)).toEqual(['female', 'male']);
    expect(lexicon.collisions).toBeInstanceOf(Array);
  });

  it('draws the bootstrap by its seed, and says which in the manifest', async () => {
    const pairs = Array.from({ length: 40 }, (_, index) => pair(`r${index}`, `word${index % 11}`));
    const data = file('drawn.jsonl', pairs);
    const drawn = (seed: number, out: string) =>
      run(data, { out: join(folder, out), interval: { ci: 'bootstrap', resamples: 500, seed } });
    const [one, same, other] = [await drawn(1, 'b1'), await drawn(1, 'b2'), await drawn(2, 'b3')];
    const interval = ({ summaries }: RunResult) => summaries[0]!.metrics[0]!.value.ci;
    expect(interval(one)).toMatchObject({ method: 'bootstrap', clusters: 11 });
    expect(interval(one)).toEqual(interval(same));
    expect(interval(one)).not.toEqual(interval(other));
    expect([one, other].map(({ manifest }) => manifest.experiment.interval.seed)).toEqual([1, 2]);
  });

  it('gives the same bytes for the same rows, from JSON Lines and from CSV', async () => {
    const pairs = Array.from({ length: 300 }, (_, index) => pair(`r${index}`, `word${index % 7}`));
    const one = await run(file('d.jsonl', pairs), { out: join(folder, 'one') });
    const cells = pairs.map(({ id, x, x_swap, occupation }) => [id, x, x_swap, occupation].join(','));
    const two = await run(file('d.csv', ['\uFEFFid,x,x_swap,occupation', ...cells]), {
      out: join(folder, 'two'),
    });
    for (const name of ['journal', 'metrics', 'rowsCsv', 'summaryCsv', 'lexicon'] as const) {
      expect(readFileSync(two.folder[name], 'utf8')).toBe(readFileSync(one.folder[name], 'utf8'));
    }
    const sizes = [8, 8, 16, 32, 64, 128, 44];
    expect(backend.windows.map((window) => window.length)).toEqual([...sizes, ...sizes]);
    expect(two.manifest.promptsSha256).toBe(one.manifest.promptsSha256);
    const other = await run(file('e.jsonl', [...pairs.slice(0, 299), pair('r299', 'another')]), {
      out: join(folder, 'three'),
    });
    expect(other.manifest.promptsSha256).not.toBe(one.manifest.promptsSha256);
  });

  it('counts the first row of an id only, and in strict mode stops before anything is written', async () => {
    const data = file('d.jsonl', [pair('a'), pair('b'), pair('a', 'plumber'), { id: 'c' }, pair('c')]);
    const { folder: out, counts } = await run(data);
    expect(counts).toEqual({ rows: 5, ok: 3, failed: 2, skipped: 0 });
    const rows = linesOf(out.journal);
    expect(rows.map(({ id, status }) => [id, status])).toEqual([
      ['a', 'ok'],
      ['b', 'ok'],
      ['a', 'failed'],
      ['c', 'failed'],
      ['c', 'ok'],
    ]);
    const message = `${data}: row 3 (line 3, id "a"): row 1 (line 1) has the same id; give each row an id of its own`;
    expect(rows[2].error).toMatchObject({ code: 'row_invalid', message });
    const strict = await faultOf(() => run(data, { strict: true, out: join(folder, 'strict') }));
    expect(strict.message).toBe(message);
    expect(existsSync(join(folder, 'strict'))).toBe(false);
  });

  it('takes the first rows only when asked', async () => {
    const data = file('d.jsonl', [pair('a'), pair('b'), pair('c')]);
    const { counts, manifest } = await run(data, { limit: 2 });
    expect(counts.rows).toBe(2);
    expect(manifest.experiment.limit).toBe(2);
  });

  it('tells its progress to the end', async () => {
    const seen: Progress[] = [];
    const rows = Array.from({ length: 200 }, (_, index) => pair(`${index}`));
    await run(file('d.jsonl', [...rows, { id: 'bad' }]), { onProgress: (progress) => seen.push(progress) });
    expect(seen.map(({ rows }) => rows)).toEqual([0, 8, 16, 32, 64, 128, 201]);
    expect(seen.at(-1)).toEqual({
      rows: 201,
      totalRows: 201,
      resumedFrom: 0,
      failed: 1,
      skipped: 0,
      tokens: 400,
    });
  });

  it('gives no interval and no mean where nothing could be measured', async () => {
    const { metrics, folder: out } = await run(
      file('d.jsonl', [{ id: 'c', x: 'The table', x_swap: 'A table' }]),
    );
    expect(metrics.ctfGap).toMatchObject({ mean: 0, gatedSteps: 0, ci: null, reason: expect.any(String) });
    expect(readFileSync(out.summaryCsv, 'utf8').split('\r\n')[1]).toMatch(/^,,ctfGap,mean,,,,,,,1,0,0,/);
  });

  it('has metrics without rows of the kind that count at all', async () => {
    const { metrics, counts } = await run(file('d.jsonl', [{ id: 'c' }]));
    expect(counts).toEqual({ rows: 1, ok: 0, failed: 1, skipped: 0 });
    expect(metrics.ctfGap).toMatchObject({ mean: 0, n: 0, gatedSteps: 0, coverage: 0, ci: null });
  });
});

describe('a run is refused before anything is written', () => {
  const refused = async (promise: Promise<unknown>, code: string) => {
    const error = await faultOf(promise);
    expect(error.code).toBe(code);
    expect(existsSync(join(folder, 'out'))).toBe(false);
    expect(backend.windows).toEqual([]);
    return error;
  };

  it('for data that is not there, or empty', async () => {
    await refused(run(join(folder, 'none.jsonl')), 'file_not_found');
    await refused(run(file('e.jsonl', [])), 'data_empty');
    await refused(run(file('e.csv', ['id,x,x_swap'])), 'data_empty');
  });

  it('for a suite, a K or a lexicon that cannot work', async () => {
    const data = file('d.jsonl', [pair('a')]);
    expect((await refused(run(data, { suite: 'ctf' as never }), 'bad_argument')).message).toContain(
      "findSuite('ctf')",
    );
    await refused(run(data, { options: { topK: 0 } }), 'bad_argument');
    await refused(run(data, { options: { topK: 2.5 } }), 'bad_argument');
    const one = { ...LEXICON, groups: LEXICON.groups.slice(0, 1) };
    await refused(run(data, { lexicon: one }), 'bad_argument');
  });

  it('for a bad row in strict mode', async () => {
    const data = file('d.jsonl', [pair('a'), { id: 'b', x: 'she' }]);
    const error = await refused(run(data, { strict: true }), 'row_invalid');
    expect(error.message).toContain('row 2 (line 2, id "b"): x_swap is missing');
  });

  it('for a folder that is taken', async () => {
    const data = file('d.jsonl', [pair('a')]);
    const out = join(folder, 'taken');
    await run(data, { out });
    const before = readFileSync(join(out, 'manifest.json'), 'utf8');
    expect((await faultOf(run(data, { out }))).message).toContain('already holds a run');
    expect(readFileSync(join(out, 'manifest.json'), 'utf8')).toBe(before);
    mkdirSync(join(folder, 'full'));
    writeFileSync(join(folder, 'full', 'note.txt'), 'mine');
    expect((await faultOf(run(data, { out: join(folder, 'full') }))).code).toBe('output_exists');
    expect((await faultOf(run(data, { out: data }))).code).toBe('output_exists');
    mkdirSync(join(folder, 'empty'));
    expect((await run(data, { out: join(folder, 'empty') })).counts.ok).toBe(1);
  });
});

describe('a run that stops early', () => {
  it('keeps the finished windows and says that it was cancelled', async () => {
    const controller = new AbortController();
    backend.onWindow = (window) => {
      if (window === 1) controller.abort();
    };
    const data = file(
      'd.jsonl',
      Array.from({ length: 300 }, (_, index) => pair(`${index}`)),
    );
    expect((await faultOf(run(data, { signal: controller.signal }))).code).toBe('cancelled');
    expect(linesOf(join(folder, 'out', 'rows.jsonl')).length).toBe(8);
    const manifest = JSON.parse(readFileSync(join(folder, 'out', 'manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({
      status: 'cancelled',
      promptsSha256: null,
      counts: null,
      error: { code: 'cancelled' },
    });
    expect(existsSync(join(folder, 'out', 'metrics.json'))).toBe(false);
  });

  it('in strict mode at the first row that the model cannot take, with its place', async () => {
    const data = file('d.jsonl', [pair('a'), { id: 'b', x: 'too long she', x_swap: 'too long he' }]);
    const error = await faultOf(run(data, { strict: true }));
    expect([error.code, error.message]).toEqual(['context_overflow', 'row 2 (id "b"): too long']);
    expect(JSON.parse(readFileSync(join(folder, 'out', 'manifest.json'), 'utf8')).status).toBe('failed');
  });

  it('with the fault of the engine', async () => {
    backend.onWindow = () => {
      throw new Error('out of luck');
    };
    const error = await faultOf(run(file('d.jsonl', [pair('a')])));
    expect([error.code, error.message]).toEqual(['internal', 'out of luck']);
  });
});
