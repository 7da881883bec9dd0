/** Candidates in an order of chance that every run repeats. */
import { createHash } from 'node:crypto';
import type { RetrievalRecord } from './record.ts';

/** A pool in the order in which examples are drawn from it for a target. Must be the same at every call. */
export type RandomOrder = (
  target: RetrievalRecord,
  pool: readonly RetrievalRecord[],
) => readonly RetrievalRecord[];

/**
 * By SHA-256 of seed, target and candidate: whether one candidate comes before another depends on nothing else, so that
 * neither the order of the data nor candidates that come or go change the rest of the draw.
 */
export function hashOrder(seed = 0): RandomOrder {
  return (target, pool) =>
    pool
      .map((record) => ({ record, lot: lotOf(seed, target, record) }))
      .sort((a, b) => (a.lot < b.lot ? -1 : 1))
      .map(({ record }) => record);
}

function lotOf(seed: number, target: RetrievalRecord, candidate: RetrievalRecord): string {
  return createHash('sha256').update(`${seed}\n${target.key}\n${candidate.key}`).digest('hex');
}
