/**
 * checkpoint.json: how far a run has come for certain. It is written after each window's rows are on the disk and goes
 * away at the end, so a run that was killed can go on where the last whole window ended, and every later window holds
 * the same rows as without the stop.
 */
import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { writeAtomic } from '../atomic.ts';
import { readJsonFileIfThere } from '../json-file.ts';

const schema = z.strictObject({
  /** Rows that are done. */
  rows: z.int().min(0),
  /** Length of the journal with them. */
  bytes: z.int().min(0),
  /** Hash over what was asked so far. */
  promptsSha256: z.string(),
});

export type Checkpoint = z.infer<typeof schema>;

export async function writeCheckpoint(file: string, checkpoint: Checkpoint): Promise<void> {
  await writeAtomic(file, [`${JSON.stringify(checkpoint)}\n`]);
}

/** Null where there is none: no window was done. Throws `data_malformed` for one that no run has written. */
export async function readCheckpoint(file: string): Promise<Checkpoint | null> {
  return readJsonFileIfThere(file, schema, 'make the run again in a new folder');
}

export async function removeCheckpoint(file: string): Promise<void> {
  await rm(file, { force: true });
}
