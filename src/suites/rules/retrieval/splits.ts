/** The pairs of a split, from files of which each says which split it holds. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { checkRow, openDataset, readJsonParts } from '../../../dataset/index.ts';
import { AuditError } from '../../../errors.ts';
import type { RulesPair } from '../data/pair.ts';
import { pairSchema, pairsOf, SUBREDDITS_AT } from '../data/schema.ts';

/** A data file by its name, without its folder. */
export interface DataFileHash {
  readonly file: string;
  readonly sha256: string;
}

export interface ReadSplit {
  readonly split: string;
  readonly pairs: readonly RulesPair[];
}

export interface SplitFiles {
  readonly splits: readonly ReadSplit[];
  /** Of the files that were read. */
  readonly files: readonly DataFileHash[];
}

/**
 * Reads the splits named by `wanted` from documents {metadata: {split}, subreddits}; a file of another split is left alone.
 * Throws `data_malformed` for a document that does not say its split, `row_invalid` for a pair that is at fault, `data_empty`
 * for a split that no file holds, and what reading throws.
 */
export async function readSplits(files: readonly string[], wanted: readonly string[]): Promise<SplitFiles> {
  const splits = new Map<string, RulesPair[]>(wanted.map((split) => [split, []]));
  const read: DataFileHash[] = [];
  for (const file of files) {
    const { split, sha256 } = await lookAt(file);
    const pairs = splits.get(split);
    if (pairs === undefined) continue;
    for await (const pair of pairsIn(file)) pairs.push(pair);
    read.push({ file: path.basename(file), sha256 });
  }
  for (const [split, pairs] of splits) {
    if (pairs.length > 0) continue;
    const message = `none of ${files.join(', ')} holds a pair of the split ${split}; give the file whose metadata.split is "${split}"`;
    throw new AuditError('data_empty', message, { key: split });
  }
  return { splits: [...splits].map(([split, pairs]) => ({ split, pairs })), files: read };
}

async function lookAt(file: string): Promise<{ split: string; sha256: string }> {
  const parts = await readJsonParts(file);
  const metadata = parts.member('metadata') as { split?: unknown } | null | undefined;
  const split = metadata?.split;
  if (typeof split === 'string' && split !== '') {
    return {
      split,
      sha256: createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    };
  }
  const message = `${file} does not say which split it holds; give a document with {"metadata": {"split": "test"}}`;
  throw new AuditError('data_malformed', message, { file, key: 'metadata.split' });
}

async function* pairsIn(file: string): AsyncGenerator<RulesPair, void, undefined> {
  for await (const row of openDataset([file], { rowsAt: SUBREDDITS_AT }).rows()) {
    if (row.error !== undefined) throw row.error;
    for (const value of pairsOf(row.value)) {
      const checked = checkRow(pairSchema, { ...row, value });
      if (!checked.ok) throw checked.error;
      yield checked.value;
    }
  }
}
