/** A run whose engine crashes on one row: that row has failed, with its reason, and the run is complete. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadLexicon } from '../../src/lexicon/index.ts';
import { describeEngine, LocalModel } from '../../src/model/index.ts';
import { WorkerSession } from '../../src/native/worker/host.ts';
import { runSuite } from '../../src/run/index.ts';
import { plantedFiles } from '../e2e/planted.ts';
import { MARKED } from '../native/children/paths.ts';
import { temporaryFolder } from '../temporary.ts';

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
  await using backend = new LocalModel(
    await WorkerSession.open((await plantedFiles()).model, {}, { entry: MARKED }),
  );
  const { counts, folder: out } = await runSuite({
    suite: 'ctf',
    backend,
    engine: describeEngine({}, backend.system),
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
