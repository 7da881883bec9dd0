/** Files in a folder of their own, and faults, for the tests of this folder. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { AuditError } from '../../src/errors.ts';
import { openLogits } from '../../src/npy/index.ts';

export function temporaryFolder(): (name: string, content: Uint8Array) => Promise<string> {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'npy-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  return async (name, content) => {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  };
}

export async function faultOf(action: () => unknown): Promise<AuditError> {
  try {
    await action();
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(AuditError);
    return thrown as AuditError;
  }
  throw new Error('nothing was thrown');
}

/** Every value of a file of logits, with its shape. */
export async function readAll(
  path: string,
  dtype?: 'bfloat16',
  rowsPerBlock?: number,
): Promise<{ type: string; rows: number; vocab: number; values: number[] }> {
  const file = await openLogits(path, { dtype });
  const values: number[] = [];
  for await (const block of file.blocks(rowsPerBlock)) {
    expect(block.firstRow * file.vocab).toBe(values.length);
    expect(block.logits.length).toBe(block.rows * file.vocab);
    values.push(...block.logits);
  }
  return { type: file.type, rows: file.rows, vocab: file.vocab, values };
}
