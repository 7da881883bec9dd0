/**
 * checkpoint.json: how far a run has come for certain. It is written after each window's rows are on the disk and goes
 * away at the end, so a run that was killed can resume where the last whole window ended, and every later window holds
 * the same rows as without the stop.
 */
import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { AuditError } from '../errors.ts';
import { writeAtomic } from '../files/atomic.ts';
import { readJsonFileIfThere } from '../files/json-file.ts';
import { sealLine } from '../files/sealed-line.ts';

const schema = z.strictObject({
  /** Rows that are done. */
  rows: z.int().min(0),
  /** Length of the journal with them. */
  bytes: z.int().min(0),
  /** Checksum of the journal with them: that of its last line. */
  journalCrc: z.int().min(0),
  /** Hash over what was asked so far. */
  promptsSha256: z.string(),
  /** Over all of this ({@link sealLine}). */
  crc32: z.string(),
});

export type Checkpoint = Omit<z.infer<typeof schema>, 'crc32'>;

const AGAIN = 'make the run again in a new folder';

export async function writeCheckpoint(file: string, checkpoint: Checkpoint): Promise<void> {
  await writeAtomic(file, [`${sealLine(JSON.stringify(checkpoint)).line}\n`]);
}

/** Null where it is missing: no window was done. Throws `data_malformed` for one that no run has written. */
export async function readCheckpoint(file: string): Promise<Checkpoint | null> {
  const read = await readJsonFileIfThere(file, schema, AGAIN);
  if (read === null) return null;
  const { crc32, ...checkpoint } = read;
  if (JSON.parse(sealLine(JSON.stringify(checkpoint)).line).crc32 === crc32) return checkpoint;
  const message = `${file} does not fit its checksum: it was changed after it was written; ${AGAIN}`;
  throw new AuditError('data_malformed', message, { file });
}

export async function removeCheckpoint(file: string): Promise<void> {
  await rm(file, { force: true });
}
