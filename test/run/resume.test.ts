/** Runs that were stopped and go on: nothing is asked twice but a window that was under way, and nothing is lost. */

import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { type RunOptions, runPanel, runSuite } from '../../src/run/index.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { runCli } from '../cli/run-cli.ts';
import { plantedFiles } from '../e2e/planted.ts';
import { faultOf } from '../fault.ts';
import { temporaryFolder } from '../temporary.ts';
import { MOCK_ENGINE, type MockBackend } from './mock-backend.ts';
import { crowsRows, LEXICON, mockModel, pairRows, writeLines } from './two-runs.ts';

const ROWS = 300;
/** Requests of its windows; the last two rows ask nothing. */
const WINDOWS = [8, 8, 16, 32, 64, 128, 42];

let folder: string;
let backend: MockBackend;
let data: string;
beforeEach(() => {
  folder = temporaryFolder();
  backend = mockModel(folder, 'model');
  data = writeLines(join(folder, 'pairs.jsonl'), [...pairRows(ROWS - 2), { id: 'bad' }, { id: 'worse' }]);
});

const run = (name: string, more: Partial<RunOptions> = {}) =>
  runSuite({
    suite: findSuite('ctf'),
    backend,
    engine: MOCK_ENGINE,
    lexicon: LEXICON,
    data,
    out: join(folder, name),
    ...more,
  });

/** Ends the run when its window of that number is asked for. */
async function stopAt(window: number, name = 'stopped'): Promise<void> {
  backend = mockModel(folder, 'model');
  backend.onWindow = (asked) => {
    if (asked === window) throw new Error('the machine is gone');
  };
  await expect(run(name)).rejects.toThrow('the machine is gone');
  backend = mockModel(folder, 'model');
}

const text = (name: string, file: string) => readFileSync(join(folder, name, file), 'utf8');
const DERIVED = ['rows.jsonl', 'metrics.json', 'rows.csv', 'summary.csv', 'lexicon.json'];

function expectSame(one: string, other: string): void {
  expect(readdirSync(join(folder, one)).sort()).toEqual(readdirSync(join(folder, other)).sort());
  for (const file of DERIVED) expect(text(one, file), file).toBe(text(other, file));
  const [a, b] = [one, other].map((name) => JSON.parse(text(name, 'manifest.json')));
  for (const key of ['status', 'promptsSha256', 'counts', 'experiment', 'data'])
    expect(a[key]).toEqual(b[key]);
}

describe('a run that was stopped', () => {
  it.each([
    ['before its first window', 0, 7],
    ['after one window', 1, 6],
    ['after two', 2, 5],
    ['before its last', 6, 1],
  ])('%s goes on, byte for byte as one that was not', async (_, window, left) => {
    const whole = await run('whole');
    await stopAt(window);
    const manifest = JSON.parse(text('stopped', 'manifest.json'));
    expect(manifest).toMatchObject({ status: 'failed', resumedAt: [] });
    const result = await run('stopped', { resume: true });
    expect(backend.windows).toHaveLength(left);
    expect(result.counts).toEqual(whole.counts);
    expect(result.metrics).toEqual(whole.metrics);
    expect(result.firstFailure).toBe(whole.firstFailure);
    expect(result.manifest).toMatchObject({
      id: manifest.id,
      createdAt: manifest.createdAt,
      resumedAt: [expect.any(String)],
    });
    expectSame('stopped', 'whole');
  });

  it('loses a torn window, which is asked again', async () => {
    await run('whole');
    await stopAt(1);
    appendFileSync(join(folder, 'stopped/rows.jsonl'), '{"row":8,"id":"x","status":"ok"}\n{"row":9,"i');
    await run('stopped', { resume: true });
    expect(backend.windows.map((requests) => requests.length)).toEqual(WINDOWS.slice(1));
    expectSame('stopped', 'whole');
  });

  it('may be stopped again, and tells rates about what is its own', async () => {
    await run('whole');
    await stopAt(1);
    backend.onWindow = (asked) => {
      if (asked === 1) throw new Error('gone again');
    };
    await expect(run('stopped', { resume: true })).rejects.toThrow('gone again');
    backend = mockModel(folder, 'model');
    const seen: unknown[] = [];
    const { manifest } = await run('stopped', { resume: true, onProgress: (step) => seen.push(step) });
    expect(manifest.resumedAt).toHaveLength(2);
    expect(seen).toMatchObject([
      ...[16, 32, 64, 128, 256].map((rows) => ({ rows, totalRows: ROWS, resumedFrom: 16, failed: 0 })),
      { rows: ROWS, totalRows: ROWS, resumedFrom: 16, failed: 2 },
    ]);
    expectSame('stopped', 'whole');
  });

  it('in the mode "exact" begins anew with small windows, so that a short time is enough to come further', async () => {
    const engine = { ...MOCK_ENGINE, options: { mode: 'exact' } as const };
    await run('whole', { engine });
    const out = join(folder, 'stopped');
    let done = 0;
    for (let slot = 0; done < ROWS; slot += 1) {
      backend = mockModel(folder, 'model');
      // The machine is gone again when the third window of a slot is asked.
      backend.onWindow = (asked) => {
        if (asked === 2) throw new Error('gone');
      };
      await run('stopped', { engine, out, resume: slot > 0 }).catch(({ message }) => {
        expect(message).toContain('gone');
      });
      const now = text('stopped', 'rows.jsonl').split('\n').length - 1;
      expect(now).toBe(Math.min(done + 16, ROWS));
      done = now;
    }
    expectSame('stopped', 'whole');
  });

  it('of an earlier version, all of whose windows had 128 rows, goes on with windows of 128', async () => {
    await run('whole');
    await stopAt(5);
    await run('stopped', { resume: true });
    expect(backend.windows.map((requests) => requests.length)).toEqual([128, 42]);
    expectSame('stopped', 'whole');
  });

  it('that is done asks nothing more, and its files are made again', async () => {
    const whole = await run('whole');
    const manifest = text('whole', 'manifest.json');
    rmSync(join(folder, 'whole/summary.csv'));
    backend = mockModel(folder, 'model');
    const again = await run('whole', { resume: true });
    expect(backend.windows).toEqual([]);
    expect([again.metrics, again.counts, again.manifest]).toEqual([
      whole.metrics,
      whole.counts,
      JSON.parse(manifest),
    ]);
    expect(text('whole', 'manifest.json')).toBe(manifest);
    expect(existsSync(join(folder, 'whole/summary.csv'))).toBe(true);
  });

  it('begins where there is nothing yet', async () => {
    await run('whole');
    await run('new', { resume: true });
    expectSame('new', 'whole');
  });

  it.each<[string, string, (folder: string) => Partial<RunOptions>]>([
    ['data', 'data was', (at) => ({ data: writeLines(join(at, 'other.jsonl'), pairRows(ROWS)) })],
    ['an option', 'option topK was 20 and is 5', () => ({ options: { topK: 5 } })],
    ['a limit', 'limit was null and is 200', () => ({ limit: 200, data: undefined as never })],
    ['an interval', 'interval was', () => ({ interval: { level: 0.9 } })],
    ['a mode', 'engine options', () => ({ engine: { ...MOCK_ENGINE, options: { mode: 'exact' } } })],
    ['a model', 'model was', (at) => ({ backend: mockModel(at, 'another') })],
  ])('is not gone on with under another %s', async (_, told, change) => {
    await stopAt(1);
    const before = text('stopped', 'rows.jsonl');
    const { data: given = data, ...more } = change(folder);
    const error = await faultOf(() => run('stopped', { resume: true, ...more, data: given }));
    expect([error.code, error.message]).toEqual([
      'bad_argument',
      expect.stringContaining('cannot be resumed'),
    ]);
    if (!told.startsWith('limit')) expect(error.message).toContain(told);
    expect(text('stopped', 'rows.jsonl')).toBe(before);
    expect(JSON.parse(text('stopped', 'manifest.json')).status).toBe('failed');
  });

  it('threads and time limits may be others', async () => {
    await stopAt(1);
    const engine = { ...MOCK_ENGINE, options: { threads: 3, timeoutMs: 5 } };
    const { counts } = await run('stopped', { resume: true, engine });
    expect(counts.rows).toBe(ROWS);
  });

  it('a number of threads that a trial chose may be another, but with flash attention', async () => {
    const chosen = (threads: number) => {
      const choice = { cores: 2, by: 'trial', trial: [], trialSeconds: 0, retrials: 0, changes: 0 };
      Object.assign(backend, { threads: [{ ...choice, threads }] });
    };
    chosen(2);
    await stopAt(1);
    chosen(1);
    expect((await run('stopped', { resume: true })).manifest.threads[0]!.threads).toBe(1);
    const engine = { ...MOCK_ENGINE, options: { flashAttention: true } };
    await run('flash', { engine, out: join(folder, 'flash') });
    const same = await run('flash', { engine, resume: true, out: join(folder, 'flash') });
    expect(same.counts.rows).toBe(ROWS);
    chosen(2);
    const error = await faultOf(() => run('flash', { engine, resume: true, out: join(folder, 'flash') }));
    expect(error.message).toContain('number of threads, with flash attention was [1] and is [2]');
  });

  it('needs its folder, and has one writer', async () => {
    const nowhere = await faultOf(() =>
      runSuite({
        suite: findSuite('ctf'),
        backend,
        engine: MOCK_ENGINE,
        lexicon: LEXICON,
        data,
        resume: true,
      }),
    );
    expect(nowhere.message).toContain('--out');
    await stopAt(1);
    const lock = join(folder, 'stopped/.lock');
    writeFileSync(lock, JSON.stringify({ pid: 1, host: 'another-machine' }));
    const taken = await faultOf(() => run('stopped', { resume: true }));
    expect([taken.code, taken.message]).toEqual([
      'output_exists',
      expect.stringContaining('is written by process 1 of the machine "another-machine"'),
    ]);
    // One that a dead process of this machine left is none.
    const { hostname } = await import('node:os');
    writeFileSync(lock, JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }));
    expect((await run('stopped', { resume: true })).counts.rows).toBe(ROWS);
    expect(existsSync(lock)).toBe(false);
  });

  it('says what is damaged', async () => {
    await stopAt(2);
    const journal = join(folder, 'stopped/rows.jsonl');
    const checkpoint = join(folder, 'stopped/checkpoint.json');
    const good = readFileSync(checkpoint, 'utf8');
    writeFileSync(checkpoint, '{');
    expect((await faultOf(() => run('stopped', { resume: true }))).message).toContain(
      'make the run again in a new folder',
    );
    writeFileSync(checkpoint, good);
    writeFileSync(journal, readFileSync(journal, 'utf8').split('\n').slice(2).join('\n'));
    expect((await faultOf(() => run('stopped', { resume: true }))).code).toBe('data_malformed');
  });
});

describe('a panel that was stopped', () => {
  const crows = () => ({
    suite: findSuite('crows'),
    data: writeLines(join(folder, 'c.jsonl'), crowsRows(9)),
  });
  const panel = (name: string, more: object = {}) =>
    runPanel({
      backend,
      engine: MOCK_ENGINE,
      parts: [{ suite: findSuite('ctf'), data, lexicon: LEXICON }, crows()],
      out: join(folder, name),
      ...more,
    });

  it('goes on with the part that was under way; what was done stands', async () => {
    await panel('whole');
    backend = mockModel(folder, 'model');
    const stop = new AbortController();
    // All windows of the first part, and the first of the second.
    backend.onWindow = (asked) => {
      if (asked === WINDOWS.length) stop.abort();
    };
    const cancelled = await faultOf(() => panel('stopped', { signal: stop.signal }));
    expect(cancelled.code).toBe('cancelled');
    backend = mockModel(folder, 'model');
    const { outcomes } = await panel('stopped', { resume: true });
    expect(outcomes.map(({ status }) => status)).toEqual(['complete', 'complete']);
    expect(backend.windows).toHaveLength(2);
    for (const file of ['summary.csv', 'ctf/rows.jsonl', 'ctf/metrics.json', 'crows/rows.csv'])
      expect(text('stopped', file), file).toBe(text('whole', file));
  });

  it('is not gone on with under another model, and nothing of it changes', async () => {
    await panel('whole');
    const before = text('whole', 'panel.json');
    backend = mockModel(folder, 'another');
    expect((await faultOf(() => panel('whole', { resume: true }))).message).toContain('model was');
    expect(text('whole', 'panel.json')).toBe(before);
  });
});

describe('the command', () => {
  it('goes on after kill -9', { timeout: 120_000 }, async () => {
    const { model, rows } = await plantedFiles();
    const lines = Array.from({ length: 1500 }, (_, id) => ({ ...rows[id % rows.length], id }));
    writeLines(join(folder, 'd.jsonl'), lines);
    const command = [
      'run',
      'ctf',
      '--model',
      model,
      '--data',
      'd.jsonl',
      '--threads',
      '1',
      '--mode',
      'exact',
    ];
    const cli = (...more: string[]) => runCli([...command, ...more], { cwd: folder });
    expect((await cli('--out', 'whole')).code).toBe(0);
    let kill: () => void = () => undefined;
    const killed = runCli([...command, '--out', 'killed'], {
      cwd: folder,
      group: true,
      signal: 'SIGKILL',
      onStart: (stop) => {
        kill = stop;
      },
    });
    while (!existsSync(join(folder, 'killed/checkpoint.json'))) await sleep(5);
    kill();
    expect((await killed).code).toBe(null);
    expect(JSON.parse(text('killed', 'manifest.json')).status).toBe('running');
    expect((await cli('--out', 'killed')).stderr).toContain('--resume to continue it');
    const resumed = await cli('--out', 'killed', '--resume');
    expect([resumed.code, resumed.stderr]).toEqual([0, '']);
    expectSame('killed', 'whole');
    expect((await cli('--resume')).stderr).toContain('give it as --out');
  });
});
