/** PRCA-24 on a real instruct model, asked in its own template: guided answers are read, and tiers are told apart. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeEngine, openModel } from '../../src/model/index.ts';
import { readJournal } from '../../src/run/index.ts';
import { loadScale, predictionKeys } from '../../src/suites/scale/data/index.ts';
import { runScale } from '../../src/suites/scale/run/run.ts';
import { temporaryFolder } from '../temporary.ts';
import { modelPath } from './model.ts';

it('answers as participants in objects of the right keys and ranges', { timeout: 600_000 }, async () => {
  const cwd = temporaryFolder();
  const participants = join(cwd, 'participants.csv');
  const rows = ['P1,34,Female,No,Full-Time,Never', 'P2,61,Male,Yes,Part-Time,2-4 days a month'];
  writeFileSync(
    participants,
    ['participant_id,Age,Sex,Student status,Employment status,Q26', ...rows, ''].join('\n'),
  );
  const scale = await loadScale('prca-24');
  const options = { contextLength: 1024, threads: 1 };
  await using backend = await openModel(modelPath(), options);
  const { counts, folder, manifest } = await runScale({
    scale,
    backend,
    engine: describeEngine(options, backend.info, backend.system),
    participants,
    out: join(cwd, 'run'),
    tiers: ['demos', 'employment'],
    guided: true,
  });
  expect(counts).toMatchObject({ cases: 4, ok: 4, truncated: 0 });
  expect(manifest.experiment.options.chat).toBe(true);
  for await (const entry of readJournal(folder.journal, ['participant_id', 'tier'])) {
    if (entry.status !== 'ok') throw new Error(`${entry.id} was not answered`);
    const answer = JSON.parse(String(entry.result.generated_text));
    const keys = predictionKeys(scale);
    expect(Object.keys(answer)).toEqual(keys.map(({ key }) => key));
    for (const key of keys) {
      if (key.kind === 'band') expect(key.bands).toContain(answer[key.key]);
      else expect(answer[key.key] >= key.min && answer[key.key] <= key.max).toBe(true);
    }
  }
});
