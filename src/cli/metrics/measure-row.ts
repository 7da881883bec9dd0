/** `metrics row`: the metrics of each row of a file, block by block; the next block is read while one is measured. */
import { AuditError } from '../../errors.ts';
import type { TokenGroup } from '../../lexicon/index.ts';
import { massName } from '../../lexicon/index.ts';
import { defaultBlockRows, type IdsFile, type LogitsBlock, type LogitsFile } from '../../npy/index.ts';
import { type RowMetrics, rowMetrics } from '../../numbers/index.ts';
import type { Nested } from '../../report/index.ts';
import { checkCancelled, placeFault } from './faults.ts';
import { inStep } from './in-step.ts';
import { type Measured, tellable } from './record.ts';

export interface RowJob {
  readonly logits: LogitsFile;
  readonly groups: readonly TokenGroup[];
  readonly targets: IdsFile | null;
  readonly topK: number;
  /** What natural logarithms are multiplied by. */
  readonly scale: number;
  readonly signal: AbortSignal;
}

/** Errors: `bad_argument` at once for targets that are not one a row; those of the files and of the metrics, placed. */
export function measureRows(job: RowJob): Measured {
  const { logits, targets, groups } = job;
  if (targets !== null && targets.rows !== logits.rows) {
    throw new AuditError(
      'bad_argument',
      `${targets.path} has ${targets.rows} ids and ${logits.path} has ${logits.rows} rows; give one id a row, -1 for none`,
      { file: targets.path, ids: targets.rows, rows: logits.rows },
    );
  }
  const columns = [
    'row',
    'logsumexp',
    'entropy',
    ...groups.map(({ name }) => massName(name)),
    ...(targets === null ? [] : ['targetLogprob', 'targetRank']),
    'topKIds',
    'topKProbs',
  ];
  return { columns, rows: logits.rows, records: records(job) };
}

async function* records(job: RowJob): AsyncGenerator<Nested[], void, undefined> {
  const ids = job.groups.map((group) => group.ids);
  for await (const [block, targets] of blocks(job)) {
    checkCancelled(job.signal);
    let metrics: RowMetrics;
    try {
      metrics = await rowMetrics(block.logits, {
        vocab: job.logits.vocab,
        groups: ids,
        topK: job.topK,
        ...(targets === null ? {} : { targets }),
      });
    } catch (thrown) {
      throw placeFault(thrown, { file: job.logits, block });
    }
    yield Array.from({ length: metrics.rows }, (_, row) => record(job, metrics, row, block.firstRow + row));
  }
}

async function* blocks({ logits, targets }: RowJob): AsyncGenerator<[LogitsBlock, Int32Array | null]> {
  if (targets === null) {
    for await (const block of logits.blocks()) yield [block, null];
    return;
  }
  const rows = defaultBlockRows(logits.vocab);
  for await (const [block, { ids }] of inStep(logits.blocks(rows), targets.blocks(rows))) yield [block, ids];
}

function record({ groups, targets, scale }: RowJob, metrics: RowMetrics, at: number, row: number): Nested {
  const { logsumexp, entropy, masses, targetLogprob, targetRank, topKIds, topKProbs, k } = metrics;
  const [from, to] = [at * k, (at + 1) * k];
  return {
    row,
    logsumexp: logsumexp[at]! * scale,
    entropy: entropy[at]! * scale,
    ...Object.fromEntries(
      groups.map(({ name }, group) => [massName(name), masses[at * groups.length + group]!]),
    ),
    ...(targets === null ? {} : target(targetLogprob[at]! * scale, targetRank[at]!)),
    topKIds: [...topKIds.subarray(from, to)],
    topKProbs: [...topKProbs.subarray(from, to)],
  };
}

function target(logprob: number, rank: number): Nested {
  // A rank of 0 stands for a row without a target.
  if (rank === 0) return { targetLogprob: null, targetRank: null };
  return { targetLogprob: tellable(logprob), targetRank: rank };
}
