/** The planted model as tests use it: written once a process to a folder that goes away with it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type PlantedModel,
  type PlantedRow,
  plantedModel,
  plantedRows,
} from '../../src/demo/planted/index.ts';
import { loadLexicon } from '../../src/lexicon/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'logit-audit-planted-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

export interface PlantedFiles {
  readonly planted: PlantedModel;
  readonly model: string;
  readonly rows: readonly PlantedRow[];
  /** The rows as JSON Lines. */
  readonly data: string;
}

let files: PlantedFiles | undefined;

export async function plantedFiles(): Promise<PlantedFiles> {
  if (files) return files;
  const lexicon = await loadLexicon('gender-en');
  const occupations = lexicon.occupations.map(({ word, share }) => ({ word, shareOfWomen: share }));
  const planted = plantedModel(occupations);
  const rows = plantedRows(occupations);
  const model = join(folder, 'planted.gguf');
  const data = join(folder, 'planted.jsonl');
  writeFileSync(model, planted.bytes);
  writeFileSync(data, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  files = { planted, model, rows, data };
  return files;
}
