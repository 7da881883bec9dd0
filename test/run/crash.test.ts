/**
 * A run whose engine crashes. On one row every time: that row has failed, with its reason, and the run is complete. Once,
 * in the middle of a window: nothing is lost, and the files are those of a run that nothing disturbed.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { loadLexicon } from '../../src/lexicon/index.ts';
import { describeEngine, LocalModel, openModel } from '../../src/model/index.ts';
import { WorkerSession } from '../../src/native/worker/host.ts';
import { type RunFolder, runSuite } from '../../src/run/index.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { plantedFiles } from '../e2e/planted.ts';
import { MARKED, ONCE } from '../native/children/paths.ts';
import { temporaryFolder } from '../temporary.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('a row that ends the engine every time fails alone', async () => {
  const folder = temporaryFolder();
  const data = join(folder, 'data.jsonl');
  const row = (id: string, subject: string) => ({
    id,
    x: `The ${subject} said that she`,
    x_swap: `The ${subject} said that he`,
  });
  const rows = [row('a', 'nurse'), row('b', 'ABORT'), row('c', 'plumber')];
  writeFileSync(data, rows.map((line) => JSON.stringify(line)).join('\n'));
  await using backend = new LocalModel([
    await WorkerSession.open((await plantedFiles()).model, {}, { entry: MARKED }),
  ]);
  const { counts, folder: out } = await runSuite({
    suite: findSuite('ctf'),
    backend,
    engine: describeEngine({}, backend.info, backend.system),
    lexicon: await loadLexicon('gender-en'),
    data,
    out: join(folder, 'out'),
  });
  expect(counts).toEqual({ rows: 3, ok: 2, failed: 1, skipped: 0 });
  const journal = readFileSync(out.journal, 'utf8').trim().split('\n');
  expect(journal.map((line) => JSON.parse(line))).toMatchObject([
    { id: 'a', status: 'ok' },
    {
      id: 'b',
      status: 'failed',
      error: {
        code: 'engine_crash',
        data: { signal: 'SIGABRT', stderr: expect.stringContaining('GGML_ASSERT') },
      },
    },
    { id: 'c', status: 'ok' },
  ]);
});

it.each(['SIGKILL', 'SIGABRT'])('%s in the middle of a window costs one retry and no row', async (ending) => {
  const folder = temporaryFolder();
  const { model, rows } = await plantedFiles();
  const data = join(folder, 'data.jsonl');
  const lines = Array.from({ length: 300 }, (_, id) => ({ ...rows[id % rows.length], id }));
  writeFileSync(data, lines.map((line) => JSON.stringify(line)).join('\n'));
  // In the mode `exact` a row that is asked again alone has the same bits.
  const engine = { mode: 'exact', threads: 1 } as const;
  const lexicon = await loadLexicon('gender-en');
  const run = async (backend: LocalModel, name: string) => {
    const out = join(folder, name);
    const options = {
      suite: findSuite('ctf'),
      backend,
      engine: describeEngine(engine, backend.info, backend.system),
      lexicon,
      data,
      out,
    };
    const result = await runSuite(options);
    await backend.close();
    return result;
  };
  const undisturbed = await run(await openModel(model, engine), 'undisturbed');

  const log = join(folder, 'log');
  vi.stubEnv('LOGIT_AUDIT_TEST_LOG', log);
  vi.stubEnv('LOGIT_AUDIT_TEST_ENDING', ending);
  const backend = new LocalModel([await WorkerSession.open(model, engine, { entry: ONCE })]);
  const first = backend.pid;
  const disturbed = await run(backend, 'disturbed');

  const asked = readFileSync(log, 'utf8').trim().split('\n');
  const second = asked.find((line) => line.endsWith(' 1'))?.split(' ')[0];
  expect(second).not.toBe(String(first));
  const end = asked.indexOf('ended');
  expect(asked.slice(0, end)).toEqual([`${first} 8`, `${first} 8`]);
  const behind = asked.slice(end + 1);
  expect(behind.every((line) => line.startsWith(`${second} `))).toBe(true);
  // The window that was decoded is asked row by row; others go to the new process as they are. Which of the two the first
  // process was at, and whether a window goes in front of the single rows, hangs on time.
  const rest = ['16', '32', '64', '128', '44'];
  const sizes = behind.map((line) => line.split(' ')[1]!);
  const singles = sizes.filter((size) => size === '1');
  expect(singles.length).toBe(8);
  expect([rest, ['8', ...rest]]).toContainEqual(sizes.filter((size) => size !== '1'));
  expect(disturbed.counts).toEqual({ rows: 300, ok: 300, failed: 0, skipped: 0 });
  for (const file of [
    'journal',
    'metrics',
    'rowsCsv',
    'summaryCsv',
    'lexicon',
  ] satisfies (keyof RunFolder)[]) {
    expect(readFileSync(disturbed.folder[file], 'utf8'), file).toBe(
      readFileSync(undisturbed.folder[file], 'utf8'),
    );
  }
});
