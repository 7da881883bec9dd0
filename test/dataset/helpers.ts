/** Files for the tests of this folder, in a folder of their own that is removed afterwards. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type DataFile, readRows } from '../../src/dataset/dataset.ts';
import type { DatasetOptions, DatasetRow } from '../../src/dataset/index.ts';
import { openDataset } from '../../src/dataset/index.ts';

export function temporaryFolder(): { file(name: string, content?: string | Uint8Array): Promise<string> } {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dataset-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  return {
    file: async (name, content) => {
      const path = join(folder, name);
      if (content !== undefined) await writeFile(path, content);
      return path;
    },
  };
}

export async function collect(rows: AsyncIterable<DatasetRow>): Promise<DatasetRow[]> {
  const all: DatasetRow[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

export function rowsOf(paths: string | readonly string[], options?: DatasetOptions): Promise<DatasetRow[]> {
  return collect(openDataset(paths, options).rows());
}

/** The rows of `content` in a file called d, handed over in chunks of `size` bytes. */
export function rowsIn(
  content: string | Uint8Array,
  format: DataFile['format'],
  size = 65536,
  options: DatasetOptions = {},
): Promise<DatasetRow[]> {
  const bytes = Buffer.from(content as Uint8Array);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  return collect(readRows(chunks(), { path: 'd', format }, options));
}

/** Row as [line, value], or [line, message] where it has an error. */
export function brief(row: DatasetRow): [number, unknown] {
  return [row.line, row.error === undefined ? row.value : row.error.message];
}
