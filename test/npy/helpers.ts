/** What the tests of this folder read files by. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openLogits } from '../../src/npy/index.ts';
import { temporaryFolder } from '../temporary.ts';

/** Writes a file to a folder of the test's own. */
export function file(name: string, content: Uint8Array): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
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
