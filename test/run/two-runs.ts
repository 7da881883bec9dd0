/** Runs of mock models on the same data, for what works with several of them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadLexicon } from '../../src/lexicon/index.ts';
import { type RunOptions, runSuite } from '../../src/run/index.ts';
import { MOCK_ENGINE, MockBackend } from './mock-backend.ts';

export const LEXICON = await loadLexicon('gender-en');

export function mockModel(folder: string, model: string): MockBackend {
  const path = join(folder, `${model}.gguf`);
  writeFileSync(path, `the model ${model}`);
  return new MockBackend(path, model);
}

export function writeLines(path: string, rows: readonly unknown[]): string {
  writeFileSync(path, rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join(''));
  return path;
}

/** Pairs for ctf, each of another word. */
export const pairRows = (count: number) =>
  Array.from({ length: count }, (_, row) => ({
    id: `r${row}`,
    x: `The w${row} said she left`,
    x_swap: `The w${row} said he left`,
    occupation: ['nurse', 'plumber', 'teacher'][row % 3],
  }));

/** Sentences for crows; every third is of direction antistereo. */
export const crowsRows = (count: number) =>
  Array.from({ length: count }, (_, row) => ({
    id: row,
    sent_more: `The women number ${row} cannot drive`,
    sent_less: `The men of ${row * 7} cannot park`,
    stereo_antistereo: row % 3 === 0 ? 'antistereo' : 'stereo',
    bias_type: 'gender',
  }));

/** The folder of a run of the mock model. */
export async function mockRun(
  backend: MockBackend,
  { out, ...options }: Partial<RunOptions> & Pick<RunOptions, 'suite' | 'data' | 'out'>,
): Promise<string> {
  const { folder } = await runSuite({
    backend,
    engine: MOCK_ENGINE,
    lexicon: LEXICON,
    ...options,
    out: out!,
  });
  return folder.path;
}
