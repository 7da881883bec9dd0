/** `metrics pair`: row i of one file against row i of another, block by block. */
import { AuditError } from '../../errors.ts';
import type { TokenGroup } from '../../lexicon/index.ts';
import { massName } from '../../lexicon/index.ts';
import { defaultBlockRows, type LogitsFile } from '../../npy/index.ts';
import { type PairMetrics, pairMetrics, type RowMetrics, rowMetrics } from '../../numbers/index.ts';
import type { Nested } from '../../report/index.ts';
import { checkCancelled, placeFault, type Source } from './faults.ts';
import { inStep } from './in-step.ts';
import { type Measured, tellable } from './record.ts';

/** What the columns of the second file's masses end in. */
export const OTHER = 'Other';

export interface PairJob {
  /** P. */
  readonly logits: LogitsFile;
  /** Q. */
  readonly other: LogitsFile;
  readonly groups: readonly TokenGroup[];
  readonly topK: number;
  readonly base: number;
  readonly signal: AbortSignal;
}

/** Errors: `bad_argument` at once for files of different shapes; those of the files and of the metrics, placed. */
export function measurePairs(job: PairJob): Measured {
  const { logits, other, groups } = job;
  if (logits.rows !== other.rows || logits.vocab !== other.vocab) {
    const shape = ({ rows, vocab }: LogitsFile) => `${rows} x ${vocab}`;
    throw new AuditError(
      'bad_argument',
      `${logits.path} has ${shape(logits)} logits (rows x vocabulary) and ${other.path} has ${shape(other)}; give files of one shape, row beside row`,
      { file: logits.path, other: other.path },
    );
  }
  const columns = [
    'row',
    'jsd',
    'klPQ',
    'klQP',
    'totalVariation',
    'topKK',
    'topKUnionSize',
    'topKPartial',
    'topKLower',
    'topKUpper',
    ...groups.map(({ name }) => massName(name)),
    ...groups.map(({ name }) => massName(name, OTHER)),
  ];
  return { columns, rows: logits.rows, records: records(job) };
}

async function* records(job: PairJob): AsyncGenerator<Nested[], void, undefined> {
  const { logits, other, groups, topK, base, signal } = job;
  const { vocab } = logits;
  const rows = defaultBlockRows(vocab);
  for await (const [a, b] of inStep(logits.blocks(rows), other.blocks(rows))) {
    checkCancelled(signal);
    let pairs: PairMetrics;
    try {
      pairs = await pairMetrics(a.logits, b.logits, { vocab, topK: [topK], base });
    } catch (thrown) {
      throw placeFault(thrown, { file: logits, block: a }, { file: other, block: b });
    }
    const p = await massesOf(groups, { file: logits, block: a });
    const q = await massesOf(groups, { file: other, block: b });
    yield Array.from({ length: pairs.rows }, (_, at) => ({
      ...record(pairs, at, a.firstRow + at),
      ...masses(groups, p, at, ''),
      ...masses(groups, q, at, OTHER),
    }));
  }
}

async function massesOf(groups: readonly TokenGroup[], source: Source): Promise<RowMetrics | null> {
  if (groups.length === 0) return null;
  const { file, block } = source;
  try {
    return await rowMetrics(block.logits, { vocab: file.vocab, groups: groups.map(({ ids }) => ids) });
  } catch (thrown) {
    throw placeFault(thrown, source);
  }
}

function record(pairs: PairMetrics, at: number, row: number): Nested {
  const { k, unionSize, partial, lower, upper } = pairs.topK[0]!;
  return {
    row,
    jsd: pairs.jsd[at]!,
    klPQ: tellable(pairs.klPQ[at]!),
    klQP: tellable(pairs.klQP[at]!),
    totalVariation: pairs.totalVariation[at]!,
    topK: { k, unionSize: unionSize[at]!, partial: partial[at]!, lower: lower[at]!, upper: upper[at]! },
  };
}

function masses(
  groups: readonly TokenGroup[],
  metrics: RowMetrics | null,
  at: number,
  suffix: string,
): Nested {
  if (metrics === null) return {};
  return Object.fromEntries(
    groups.map(({ name }, group) => [massName(name, suffix), metrics.masses[at * groups.length + group]!]),
  );
}
