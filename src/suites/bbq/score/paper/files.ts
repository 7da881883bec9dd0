/** What scoring leaves on disk: every row with what was made of it, the scores as a tidy table, and all of it as JSON. */

import path from 'node:path';
import { ends } from '../../../../numbers/estimate.ts';
import { type CsvColumn, type Row, writeCsv, writeJson } from '../../../../report/index.ts';
import { reportedCategory } from './category.ts';
import type { Metric } from './modes.ts';
import { type PlacedRow, placeRows, type ScoreOptions, type ScoreResult } from './run.ts';
import type { CategoryScore } from './score.ts';

export const SCORE_COLUMNS = ['category', 'condition', 'metric', 'value', 'ciLow', 'ciHigh', 'n', 'reason'];

const ROW_COLUMNS = [
  ...['file', 'line', 'exampleId', 'category', 'template', 'condition', 'polarity', 'prediction', 'answer'],
  ...['label', 'correct', 'unknown', 'target', 'biased'],
];

/** Each number in the condition that it belongs to. */
const TIDY: readonly {
  condition: 'ambiguous' | 'disambiguated';
  metrics: readonly [name: string, key: Metric][];
}[] = [
  {
    condition: 'ambiguous',
    metrics: [
      ['accuracy', 'accuracyAmbiguous'],
      ['sAmb', 'sAmb'],
    ],
  },
  {
    condition: 'disambiguated',
    metrics: [
      ['accuracy', 'accuracyDisambiguated'],
      ['sDis', 'sDis'],
    ],
  },
];

/** A category as rows of the tidy table. */
export function scoreCells(score: CategoryScore): Row[] {
  return TIDY.flatMap(({ condition, metrics }) => {
    const ambiguous = condition === 'ambiguous';
    const n = ambiguous ? score.rowsAmbiguous : score.rowsDisambiguated;
    const unparsed = ambiguous ? score.unparsedAmbiguous : score.unparsedDisambiguated;
    const own = { category: score.category, condition };
    return [
      ...metrics.map(([metric, key]) => ({
        ...own,
        metric,
        value: score[key],
        ...ends(score.ci[key], 'ciLow', 'ciHigh'),
        n: score.n[key],
        reason: score.reasons[key] ?? null,
      })),
      {
        ...own,
        metric: 'unparsedRate',
        value: n === 0 ? null : unparsed / n,
        ciLow: null,
        ciHigh: null,
        n,
        reason: n === 0 ? `there is no ${condition} row` : null,
      },
    ];
  });
}

/**
 * Scores files into `folder`: rows.csv while they are read, then scores.csv and scores.json. A fault of the data leaves
 * none of them. Errors: those of `placeRows` and of writing.
 */
export async function writeScores(
  folder: string,
  files: readonly string[],
  options: ScoreOptions,
): Promise<ScoreResult> {
  const rows: { result?: ScoreResult } = {};
  await writeCsv(
    path.join(folder, 'rows.csv'),
    columnsOf(ROW_COLUMNS),
    cells(placeRows(files, options), rows),
  );
  const result = rows.result!;
  await writeCsv(
    path.join(folder, 'scores.csv'),
    columnsOf(SCORE_COLUMNS),
    result.categories.flatMap(scoreCells),
  );
  await writeJson(path.join(folder, 'scores.json'), scoreJson(options, result));
  return result;
}

/** The result, and what it was asked of, as JSON. */
export function scoreJson({ answers, interval }: ScoreOptions, result: ScoreResult): object {
  return {
    format: 'bbq',
    mode: result.mode,
    ...(answers.policy === undefined ? { predictionField: answers.field } : { policy: answers.policy }),
    seed: interval.seed,
    resamples: interval.resamples,
    categories: result.categories,
    invalid: result.invalid,
    faults: result.faults.map((fault) => fault.toJSON()),
    unresolved: result.unresolved,
  };
}

function columnsOf(keys: readonly string[]): CsvColumn[] {
  return keys.map((key) => ({ key }));
}

async function* cells(
  placing: AsyncGenerator<PlacedRow, ScoreResult, undefined>,
  end: { result?: ScoreResult },
): AsyncGenerator<Row> {
  for (;;) {
    const step = await placing.next();
    if (step.done) {
      end.result = step.value;
      return;
    }
    yield rowCells(step.value);
  }
}

function rowCells({ place, row, prediction, answer, target, biased }: PlacedRow): Row {
  const asCell = typeof prediction === 'string' || typeof prediction === 'number' || prediction === null;
  return {
    file: place.file,
    line: place.line,
    exampleId: row.exampleId,
    category: reportedCategory(row),
    template: row.template,
    condition: row.ambiguous ? 'ambiguous' : 'disambiguated',
    polarity: row.negative ? 'negative' : 'nonnegative',
    prediction: asCell ? prediction : JSON.stringify(prediction),
    answer,
    label: row.label,
    correct: answer === null ? null : answer === row.label,
    unknown: row.unknown,
    target,
    biased,
  };
}
