/** combined_metrics.json: the scores of many result files in one. */

import { openDataset } from '../../../dataset/index.ts';
import { AuditError } from '../../../errors.ts';
import { writeAtomic } from '../../../files/atomic.ts';
import { pythonJson } from '../../../report/index.ts';
import { combinedEntry, fromEntry, originalBlock } from './block.ts';
import type { ScoredFile } from './score-file.ts';

export const COMBINED = 'combined_metrics.json';
const INDENT = 4;

/** Writes the scores; with `compat` exactly as the original does, without counts, parsers and what is unparsed. */
export async function writeCombined(
  path: string,
  files: readonly ScoredFile[],
  compat: boolean,
): Promise<void> {
  const text = compat
    ? pythonJson(
        files.map((file) => ({ json_name: file.name, ...originalBlock(file, 'own') })),
        INDENT,
      )
    : `${JSON.stringify(files.map(combinedEntry), null, 2)}\n`;
  await writeAtomic(path, [text]);
}

/** Reads them back, ours or the original's. Throws of reading a file; `row_invalid` for what is no entry; `data_empty`. */
export async function readCombined(path: string): Promise<readonly ScoredFile[]> {
  const files: ScoredFile[] = [];
  for await (const row of openDataset(path, { format: 'json' }).rows()) files.push(fromEntry(row.value, row));
  if (files.length > 0) return files;
  throw new AuditError('data_empty', `${path} holds no scores; combine scored files first`, { file: path });
}
