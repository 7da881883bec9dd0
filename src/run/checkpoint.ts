/**
 * checkpoint.json: how far a run has come for certain. It is written after each window's rows are on the disk and goes
 * away at the end, so a run that was killed can go on where the last whole window ended, and every later window holds
 * the same rows as without the stop.
 */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { writeAtomic } from '../atomic.ts';
import { AuditError } from '../errors.ts';
import { readJsonFileIfThere } from '../json-file.ts';

const schema = z.strictObject({
  /** Rows that are done. */
  rows: z.int().min(0),
  /** Length of the journal with them. */
  bytes: z.int().min(0),
  /** Hash over what was asked so far. */
  promptsSha256: z.string(),
  /** The check of the journal's last line; null, or missing, where its lines have none. */
  chain: z.string().nullish(),
  /** Over the rest; missing in checkpoints of earlier versions. */
  check: z.string().optional(),
});

export type Checkpoint = Omit<z.infer<typeof schema>, 'check'>;

function checkOf({ rows, bytes, promptsSha256, chain = null }: Checkpoint): string {
  return createHash('sha256')
    .update(JSON.stringify([rows, bytes, promptsSha256, chain]))
    .digest('hex');
}

export async function writeCheckpoint(file: string, checkpoint: Checkpoint): Promise<void> {
  await writeAtomic(file, [`${JSON.stringify({ ...checkpoint, check: checkOf(checkpoint) })}\n`]);
}

/** Null where there is none: no window was done. Throws `data_malformed` for one that no run has written. */
export async function readCheckpoint(file: string): Promise<Checkpoint | null> {
  const stored = await readJsonFileIfThere(file, schema, 'make the run again in a new folder');
  if (stored === null || (stored.check === undefined && stored.chain == null)) return stored;
  const { check, ...checkpoint } = stored;
  if (check === checkOf(checkpoint)) return checkpoint;
  const message = `${file} was changed after it was written: its checksum does not match; put back a copy of it as it was, or make the run again in a new folder`;
  throw new AuditError('data_malformed', message, { file });
}

export async function removeCheckpoint(file: string): Promise<void> {
  await rm(file, { force: true });
}
