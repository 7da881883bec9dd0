/** Which cells of the benchmark an experiment runs: what it allows, what is asked for, and what the data have rows of. */

import { checkRow, openDataset } from '../../../dataset/index.ts';
import { AuditError } from '../../../errors.ts';
import { bbq } from '../ask/bbq.ts';
import { type BbqOptions, type Cell, CONTEXTS, cellName, POLARITIES, type Split } from '../ask/index.ts';
import type { Experiment } from '../experiment/index.ts';

/** What is asked for; what is left out is everything that the experiment allows. */
export interface CellChoice {
  readonly splits?: readonly Split[];
  readonly polarities?: readonly Cell['polarity'][];
  readonly contexts?: readonly Cell['context'][];
}

/** In the order in which they are run. */
function splitsOf({ image, vo }: Experiment): readonly Split[] {
  if (image === 'none') return ['text'];
  return vo ? ['visual_language', 'visual_only'] : ['visual_language'];
}

function checkSplits(experiment: Experiment, splits: readonly Split[]): void {
  const allowed: readonly Split[] = [...splitsOf(experiment), 'text'];
  const wrong = splits.find((split) => !allowed.includes(split));
  if (wrong === undefined) return;
  const why =
    experiment.image === 'none' ? 'its image is none' : 'its vo is false: it has no visual-only part';
  const message = `experiment ${experiment.name} has no split ${wrong}, since ${why}; give --split ${allowed.join(' or ')}`;
  throw new AuditError('bad_argument', message, { key: 'split', split: wrong, experiment: experiment.name });
}

/** The cells that are meant, whether the data have rows of them or not. Throws `bad_argument`. */
export function chosenCells(experiment: Experiment, choice: CellChoice): Cell[] {
  const { splits = splitsOf(experiment), polarities = POLARITIES, contexts = CONTEXTS } = choice;
  checkSplits(experiment, splits);
  const cells = [...new Set(splits)].flatMap((split) =>
    CONTEXTS.filter((context) => contexts.includes(context)).flatMap((context) =>
      // An image alone tells nothing of the answer: there is the ambiguous case only.
      split === 'visual_only' && context === 'disambiguous'
        ? []
        : POLARITIES.filter((polarity) => polarities.includes(polarity)).map((polarity) => ({
            split,
            polarity,
            context,
          })),
    ),
  );
  if (cells.length > 0) return cells;
  const message = 'visual_only has no disambiguous context; give --context ambiguous';
  throw new AuditError('bad_argument', message, { key: 'context' });
}

/**
 * Those of the cells that the data have rows of, and the first image that a row names. Throws `data_empty` where there are none at all, and for a split,
 * polarity or context that was asked for by name and has none; the first bad row's error where no row is right.
 */
export async function cellsWithRows(
  cells: readonly Cell[],
  data: string | readonly string[],
  options: BbqOptions,
  choice: CellChoice,
): Promise<{ readonly cells: Cell[]; readonly image: string | null }> {
  const left = new Set(cells);
  let image: string | null = null;
  let firstError: AuditError | null = null;
  for await (const row of openDataset(data).rows()) {
    if (left.size === 0) break;
    const checked = checkRow(bbq.schema, row);
    if (!checked.ok) {
      firstError ??= checked.error;
      continue;
    }
    image ??= checked.value.image;
    for (const cell of left) {
      if (bbq.belongs!(checked.value, { ...options, ...cell })) left.delete(cell);
    }
  }
  const there = cells.filter((cell) => !left.has(cell));
  if (there.length === 0 && firstError) throw firstError;
  const files = [data].flat();
  const asked = (cell: Cell) =>
    choice.splits?.includes(cell.split) ||
    choice.polarities?.includes(cell.polarity) ||
    choice.contexts?.includes(cell.context);
  const missing = there.length === 0 ? cells[0] : [...left].find(asked);
  if (missing === undefined) return { cells: there, image };
  const message = `${files.join(', ')}: no row belongs to ${cellName(missing)}; give the data of that part (BBQ's own rows are text), or another --split, --polarity or --context`;
  throw new AuditError('data_empty', message, { files, cell: cellName(missing) });
}
