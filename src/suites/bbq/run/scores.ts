/** The benchmark's own scores of a run, of the answers of all its cells. */

import type { Fields } from '../../../contract/index.ts';
import { DEFAULT_RESAMPLES, DEFAULT_SEED, type IntervalOptions } from '../../../run/accumulate/index.ts';
import { readJournal } from '../../../run/journal.ts';
import type { Cell } from '../ask/index.ts';
import { type Answered, type Option, SplitScorer, type SplitScores } from '../score/paper/index.ts';

/** A cell, and the journal of its rows. */
export interface CellJournal {
  readonly cell: Cell;
  readonly journal: string;
}

function answeredOf(cell: Cell, result: Fields): Answered {
  const answer = result.index as Option | null;
  return {
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
  };
}

/** By split, in the order of the cells; rows that were not measured have no part. */
export async function scoresOf(
  cells: readonly CellJournal[],
  { level = 0.95, seed = DEFAULT_SEED, resamples = DEFAULT_RESAMPLES }: Partial<IntervalOptions> = {},
): Promise<SplitScores[]> {
  const scorer = new SplitScorer('paper');
  for (const { cell, journal } of cells) {
    for await (const entry of readJournal(journal, ['category'])) {
      if (entry.status !== 'ok') continue;
      scorer.add(cell.split, entry.result.reportedCategory as string, answeredOf(cell, entry.result));
    }
  }
  return scorer.scores({ level, seed, resamples });
}
