/**
 * BBQ's own scores of MultiBBQ's result files: those of `run bbq`, or of whoever made them. Which option is the stereotyped group is in
 * the rows, the polarity and the context in the names of the files.
 */

import { basename } from 'node:path';
import { AuditError } from '../../../../errors.ts';
import type { BootstrapSettings } from '../../../../numbers/index.ts';
import { modelOf, requireName } from '../result-name.ts';
import { type FoundResults, findResults, type ResultFile } from '../results.ts';
import { readRow, templateOf } from '../row.ts';
import { judge, resultRows } from '../score-file.ts';
import { type ScoringOptions, scoringOf } from '../scoring.ts';
import type { Mode } from './modes.ts';
import type { Option } from './row.ts';
import { checkDraws } from './score.ts';
import { SplitScorer, type SplitScores } from './splits.ts';

export interface ResultScoresOptions extends Pick<ScoringOptions, 'parser' | 'tailSlice'> {
  readonly mode: Mode;
  readonly interval: BootstrapSettings;
  readonly signal?: AbortSignal | undefined;
}

export interface ResultScores {
  readonly mode: Mode;
  readonly scores: readonly SplitScores[];
  /** What was left out, and what names do not say. */
  readonly notes: readonly string[];
}

const OPTIONS = 3;
const SHOWN_MODELS = 5;

/**
 * Scores files and folders of one model's result files, several as one. Errors: those of finding and reading result files; `row_invalid`
 * for the first row that cannot be scored; `bad_argument` for an interval that there cannot be, and for files of several models;
 * `cancelled`.
 */
export async function scoreResultFiles(
  places: readonly string[],
  options: ResultScoresOptions,
): Promise<ResultScores> {
  checkDraws(options.interval);
  const found = places.map(findResults);
  checkOneModel(found);
  const scorer = new SplitScorer(options.mode);
  for (const file of found.flatMap(({ files }) => files)) await addFile(scorer, file, options);
  const notes = found.flatMap((place) => place.notes);
  return { mode: options.mode, scores: await scorer.scores(options.interval), notes };
}

async function addFile(scorer: SplitScorer, { path, name }: ResultFile, options: ResultScoresOptions) {
  const scoring = scoringOf({ parser: options.parser, tailSlice: options.tailSlice });
  const { setting } = requireName(name);
  for await (const row of resultRows(path)) {
    if (options.signal?.aborted) throw new AuditError('cancelled', 'the scoring was cancelled');
    const read = readRow(row, setting);
    if (read instanceof AuditError) throw read;
    if (read.options !== undefined && read.options.length !== OPTIONS) {
      const message = `${path}: row ${row.index + 1} (line ${row.line}) has ${read.options.length} options; BBQ's own scores are of three`;
      throw new AuditError('row_invalid', message, {
        file: path,
        line: row.line,
        index: row.index,
        key: 'options',
      });
    }
    const { answer, reason, unknown, stereotype, correct } = judge(read, scoring);
    const ambiguous = setting.context === 'ambiguous';
    scorer.add(
      setting.split,
      typeof read.reported_category === 'string' ? read.reported_category : read.category,
      {
        row: {
          // A row that does not say its template is one of its own.
          template: templateOf(read) ?? `${name} ${row.index}`,
          ambiguous,
          negative: setting.polarity === 'negative',
          label: (ambiguous ? unknown : correct) as Option,
          unknown: unknown as Option,
        },
        answer: answer as Option | null,
        reason,
        target: stereotype as Option,
      },
    );
  }
}

/** The folders below one place, and the names of files of several places, must be of one model. */
function checkOneModel(found: readonly FoundResults[]): void {
  const all = found.flatMap(({ files }) => files.map(({ name }) => basename(name)));
  for (const names of [...found.map(({ files }) => files.map(({ name }) => name)), all]) {
    const models = [...new Set(names.map((name) => modelOf(name, requireName(name).setting.split, null)))];
    if (models.length <= 1) continue;
    const shown = models.slice(0, SHOWN_MODELS).join(', ');
    const message = `the result files are of ${models.length} folders or models (${shown}); give those of one, or name each folder of it`;
    throw new AuditError('bad_argument', message, { key: 'results', models });
  }
}
