/** BBQ's own scores by split: of the cells of a run, and of result files. */

import path from 'node:path';
import type { BootstrapSettings } from '../../../../numbers/index.ts';
import { type Row, writeCsv, writeJson } from '../../../../report/index.ts';
import type { Setting } from '../result-name.ts';
import { SCORE_COLUMNS, scoreCells } from './files.ts';
import type { Answered, Mode } from './modes.ts';
import { type CategoryScore, PaperScorer } from './score.ts';

type Split = Setting['split'];

export interface SplitScores {
  readonly split: Split;
  readonly categories: readonly CategoryScore[];
}

export class SplitScorer {
  readonly #mode: Mode;
  readonly #scorers = new Map<Split, PaperScorer>();

  constructor(mode: Mode) {
    this.#mode = mode;
  }

  /** `category` is the one under which the row is reported. */
  add(split: Split, category: string, answered: Answered): void {
    const scorer = this.#scorers.get(split) ?? new PaperScorer(this.#mode);
    this.#scorers.set(split, scorer);
    scorer.add(category, answered);
  }

  /** The splits in the order in which they came. */
  async scores(interval: BootstrapSettings): Promise<SplitScores[]> {
    const scores: SplitScores[] = [];
    for (const [split, scorer] of this.#scorers)
      scores.push({ split, categories: await scorer.scores(interval) });
    return scores;
  }
}

function splitCells(scores: readonly SplitScores[]): Row[] {
  return scores.flatMap(({ split, categories }) =>
    categories.flatMap((score) =>
      scoreCells(score).map((cells) => ({ split, ...cells, templates: score.clusters })),
    ),
  );
}

/** Writes scores.csv and scores.json into the folder. */
export async function writeSplitScores(
  folder: string,
  mode: Mode,
  scores: readonly SplitScores[],
): Promise<void> {
  const columns = ['split', ...SCORE_COLUMNS, 'templates'].map((key) => ({ key }));
  await writeCsv(path.join(folder, 'scores.csv'), columns, splitCells(scores));
  await writeJson(path.join(folder, 'scores.json'), { mode, scores });
}
