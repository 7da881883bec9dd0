/**
 * The benchmark's own scores of a run, s_DIS and s_AMB (Parrish et al. 2022), of the answers of all its cells: the formulas and the
 * bootstrap over templates are those of `score bbq`.
 */
import path from 'node:path';
import {
  type Answered,
  type CategoryScore,
  type Option,
  PaperScorer,
  SCORE_COLUMNS,
  scoreCells,
} from '../../bbq/paper/index.ts';
import { type Row, writeCsv, writeJson } from '../../report/index.ts';
import type { Cell, Fields, Split } from '../../suite/index.ts';
import { DEFAULT_RESAMPLES, DEFAULT_SEED, type IntervalOptions } from '../accumulate/index.ts';
import { readJournal } from '../journal.ts';

export interface SplitScores {
  readonly split: Split;
  readonly categories: readonly CategoryScore[];
}

/** A cell, and the journal of its rows. */
export interface CellJournal {
  readonly cell: Cell;
  readonly journal: string;
}

function add(scorer: PaperScorer, cell: Cell, result: Fields): void {
  const answer = result.index as Option | null;
  scorer.add(result.reportedCategory as string, {
    row: {
      template: result.template as string,
      ambiguous: cell.context === 'ambiguous',
      negative: cell.polarity === 'negative',
      label: result.correct as Option,
      unknown: result.unknown as Option,
    },
    answer,
    reason: answer === null ? ((result.textReason as Answered['reason'] | undefined) ?? 'no_text') : null,
    target: result.stereotypeGroup as Option,
  });
}

/** By split, in the order of the cells; rows that were not measured have no part. */
export async function scoresOf(
  cells: readonly CellJournal[],
  { level = 0.95, seed = DEFAULT_SEED, resamples = DEFAULT_RESAMPLES }: Partial<IntervalOptions> = {},
): Promise<SplitScores[]> {
  const scorers = new Map<Split, PaperScorer>();
  for (const { cell, journal } of cells) {
    const scorer = scorers.get(cell.split) ?? new PaperScorer('paper');
    scorers.set(cell.split, scorer);
    for await (const entry of readJournal(journal, ['category'])) {
      if (entry.status === 'ok') add(scorer, cell, entry.result);
    }
  }
  const scores: SplitScores[] = [];
  for (const [split, scorer] of scorers)
    scores.push({ split, categories: await scorer.scores({ level, seed, resamples }) });
  return scores;
}

/** The rows of scores.csv. */
export function splitCells(scores: readonly SplitScores[]): Row[] {
  return scores.flatMap(({ split, categories }) =>
    categories.flatMap((score) =>
      scoreCells(score).map((cells) => ({ split, ...cells, templates: score.clusters })),
    ),
  );
}

/** Writes scores.csv and scores.json into the folder of the run. */
export async function writeScores(folder: string, scores: readonly SplitScores[]): Promise<void> {
  const columns = ['split', ...SCORE_COLUMNS, 'templates'].map((key) => ({ key }));
  await writeCsv(path.join(folder, 'scores.csv'), columns, splitCells(scores));
  await writeJson(path.join(folder, 'scores.json'), { mode: 'paper', scores });
}
