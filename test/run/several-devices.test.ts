/** A run on several devices is the run on one: rows in the order of the data, and the same files. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadLexicon } from '../../src/lexicon/index.ts';
import { describeEngine, type ModelOptions, openModel } from '../../src/model/index.ts';
import { type RunFolder, runSuite } from '../../src/run/index.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { plantedFiles } from '../e2e/planted.ts';
import { temporaryFolder } from '../temporary.ts';

/** Four windows. */
const ROWS = 500;

it('gives the files of a run on one', async () => {
  const folder = temporaryFolder();
  const { model } = await plantedFiles();
  const data = join(folder, 'data.jsonl');
  const subjects = ['nurse', 'farmer', 'king', 'doctor', 'plumber'];
  const lines = Array.from({ length: ROWS }, (_, index) => {
    const x = `${'Then '.repeat(index % 9)}the ${subjects[index % subjects.length]} said that`;
    return JSON.stringify({ id: `row-${index}`, x: `${x} she`, x_swap: `${x} he` });
  });
  writeFileSync(data, lines.join('\n'));
  const ran = async (device: string): Promise<RunFolder> => {
    const engine: ModelOptions = { device, threads: 1 };
    await using backend = await openModel(model, engine);
    const {
      counts,
      manifest,
      folder: out,
    } = await runSuite({
      suite: findSuite('ctf'),
      backend,
      engine: describeEngine(engine, backend.info, backend.system),
      lexicon: await loadLexicon('gender-en'),
      data,
      out: join(folder, device),
    });
    expect(counts).toEqual({ rows: ROWS, ok: ROWS, failed: 0, skipped: 0 });
    expect(manifest.engine.options.device).toBe(device);
    return out;
  };
  const [one, three] = [await ran('cpu'), await ran('cpu,cpu,cpu')];
  expect(readFileSync(three.journal, 'utf8')).toBe(readFileSync(one.journal, 'utf8'));
  expect(readFileSync(three.metrics, 'utf8')).toBe(readFileSync(one.metrics, 'utf8'));
});
