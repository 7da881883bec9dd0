/** Two planted models that differ in what their seed drew, and data for them, in a folder of the test's own. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plantedModel } from '../../src/demo/planted/index.ts';
import { plantedFiles } from '../e2e/planted.ts';

export async function twoModels(folder: string): Promise<void> {
  const { planted, rows } = await plantedFiles();
  writeFileSync(join(folder, 'one.gguf'), planted.bytes);
  writeFileSync(join(folder, 'two.gguf'), plantedModel(planted.occupations, { seed: 2 }).bytes);
  const lines = rows.slice(0, 40).map((row) => `${JSON.stringify(row)}\n`);
  writeFileSync(join(folder, 'pairs.jsonl'), lines.join(''));
  // The swap of a pair as the sentence that shows the stereotype, and the text itself as the other.
  const sentences = rows
    .slice(0, 20)
    .map(({ x, x_swap }, row) =>
      [row, `"${x_swap}"`, `"${x}"`, row % 3 === 0 ? 'antistereo' : 'stereo', 'gender'].join(','),
    );
  const head = 'id,sent_more,sent_less,stereo_antistereo,bias_type';
  writeFileSync(join(folder, 'crows.csv'), `${[head, ...sentences].join('\n')}\n`);
}
