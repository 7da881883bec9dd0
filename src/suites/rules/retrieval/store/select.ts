/**
 * Which examples a target is shown. Equal similarities are ordered by key, so that every run, and every order of the
 * data, gives the same examples.
 */

import { createHash } from 'node:crypto';
import { AuditError } from '../../../../errors.ts';
import { CandidatePool, type RetrievalFilter } from './pool.ts';
import type { RetrievalRecord } from './record.ts';

/**
 * `top`: the nearest. `mixed`: the nearest violating ones for half of the examples (the larger half), then the nearest
 * compliant ones, then the nearest of all for what is missing. `random`: drawn, without looking at similarities.
 */
export const BALANCES = ['mixed', 'top', 'random'] as const;
export type RetrievalBalance = (typeof BALANCES)[number];

/** How many examples are chosen, and from which candidates. */
export interface SelectionSettings {
  /** Examples at most: a whole number from 0. Fewer where the filter leaves fewer. */
  readonly k: number;
  readonly filter: RetrievalFilter;
  readonly balance: RetrievalBalance;
}

/** A candidate as an example: how similar it is, in [-1, 1]; 0 for one that was drawn. */
export interface Example {
  readonly key: string;
  readonly score: number;
}

/** Similarities of one query to every candidate: an opened artifact, or numbers of one's own. */
export interface Similarities {
  /** Where the candidate stands in a row; null for one that was left out. Throws `retrieval_stale` for one that is not known. */
  columnOf(candidateKey: string): number | null;
  /** Null for a query that was left out. Throws `retrieval_stale` for one that is not known. */
  row(queryKey: string): Promise<ArrayLike<number> | null>;
}

interface Scored {
  readonly record: RetrievalRecord;
  readonly score: number;
}

/** Similar ones first, equals by key. Keys are compared by code unit, as no locale can change. */
function before(a: Scored, b: Scored): boolean {
  return a.score === b.score ? a.record.key < b.record.key : a.score > b.score;
}

/** The first `count` of a pool, in order. */
function nearest(pool: readonly Scored[], count: number): Scored[] {
  const first: Scored[] = [];
  for (const one of pool) {
    if (first.length === count && (count === 0 || !before(one, first[count - 1]!))) continue;
    let place = first.length;
    while (place > 0 && before(one, first[place - 1]!)) place -= 1;
    first.splice(place, 0, one);
    if (first.length > count) first.pop();
  }
  return first;
}

function mixed(pool: readonly Scored[], k: number): Scored[] {
  const of = (type: RetrievalRecord['type'], count: number) =>
    nearest(
      pool.filter(({ record }) => record.type === type),
      count,
    );
  const chosen = [...of('violating', Math.ceil(k / 2)), ...of('compliant', Math.floor(k / 2))];
  const have = new Set(chosen.map(({ record }) => record));
  const rest = pool.filter(({ record }) => !have.has(record));
  return [...chosen, ...nearest(rest, k - chosen.length)];
}

/** Chooses the examples of a thread by similarity. */
export class ExampleSelector {
  readonly #pool: CandidatePool;
  readonly #similarities: Similarities | null;
  readonly #order: RandomOrder;
  readonly #columns = new Map<RetrievalRecord, number | null>();

  /**
   * Of the source split's records, in the order of its data (which no selection depends on, but for a random order that
   * does). `similarities` may be null where only `random` is asked.
   */
  constructor(
    candidates: readonly RetrievalRecord[],
    similarities: Similarities | null,
    randomOrder: RandomOrder,
  ) {
    this.#pool = new CandidatePool(candidates);
    this.#similarities = similarities;
    this.#order = randomOrder;
  }

  /**
   * The examples of a target, in the order in which they are shown. None where no candidate passes the filter, and for a
   * target that similarities were not computed for. The target itself, pairs with media and comments that were not hydrated
   * or not compared are never among them. Throws `bad_argument` for settings
   * that do not fit, and what the similarities throw.
   */
  async select(target: RetrievalRecord, { k, filter, balance }: SelectionSettings): Promise<Example[]> {
    if (!Number.isSafeInteger(k) || k < 0) {
      const message = `k is ${k}; give a whole number of examples from 0`;
      throw new AuditError('bad_argument', message, { key: 'k' });
    }
    const pool = this.#pool.of(target, filter);
    if (balance === 'random') {
      const drawn = this.#order(target, pool).slice(0, k);
      return drawn.map(({ key }) => ({ key, score: 0 }));
    }
    if (this.#similarities === null) {
      const message = `balance ${balance} needs similarities; give an artifact of "logit-audit retrieval build"`;
      throw new AuditError('bad_argument', message, { key: 'balance' });
    }
    if (k === 0 || pool.length === 0) return [];
    const row = await this.#similarities.row(target.key);
    if (row === null) return [];
    const scored = pool.flatMap((record) => {
      const column = this.#columnOf(record);
      return column === null ? [] : [{ record, score: row[column]! }];
    });
    const chosen = balance === 'top' ? nearest(scored, k) : mixed(scored, k);
    return chosen.map(({ record, score }) => ({ key: record.key, score }));
  }

  #columnOf(record: RetrievalRecord): number | null {
    const known = this.#columns.get(record);
    if (known !== undefined) return known;
    const column = this.#similarities!.columnOf(record.key);
    this.#columns.set(record, column);
    return column;
  }
}

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
