/** The file between evaluation and aggregation: predictions beside what participants said, row by row. */
import type { Cell, CsvColumn, Row } from '../../../report/index.ts';
import type { Evaluated, SideValues } from './merge.ts';
import type { Side } from './sides.ts';

/** Columns of one side, by what they hold; the names are the document's. */
const SIDE_COLUMNS: readonly {
  readonly name: (side: string) => string;
  readonly of: (v: SideValues) => Cell;
}[] = [
  { name: (side) => `error_${side}`, of: ({ error }) => error },
  { name: (side) => `abs_error_${side}`, of: ({ absError }) => absError },
  // The distance of scores is the absolute error, on the scale itself.
  { name: (side) => `score_distance_${side}`, of: ({ absError }) => absError },
  { name: (side) => `norm_score_distance_${side}`, of: ({ normScoreDistance }) => normScoreDistance },
  { name: (side) => `exact_match_${side}`, of: ({ exact }) => exact },
  { name: (side) => `pred_${side}_band_reported`, of: ({ bandReported }) => bandReported },
  { name: (side) => `pred_${side}_band_resolved`, of: ({ bandResolved }) => bandResolved },
  { name: (side) => `band_match_${side}`, of: ({ bandMatch }) => bandMatch },
  { name: (side) => `band_distance_${side}`, of: ({ bandDistance }) => bandDistance },
  { name: (side) => `norm_band_distance_${side}`, of: ({ normBandDistance }) => normBandDistance },
];

const HEAD = ['caseid', 'participant_id', 'tier', 'provider', 'model', 'error'];

/** Columns of the original, in its order; `about` are those of the participants' file. */
export function originalEvaluationColumns(sides: readonly Side[], about: readonly string[]): CsvColumn[] {
  return [
    ...HEAD,
    ...sides.map(({ pred }) => pred),
    ...sides.map(({ predBand }) => predBand),
    ...about,
    ...sides.map(({ truth }) => truth),
    ...sides.map(({ truthBand }) => truthBand),
    ...sides.flatMap(({ name }) => SIDE_COLUMNS.map((column) => column.name(name))),
  ].map((key) => ({ key }));
}

/** Those of this program: what became of the row, and bands that contradict their own score, beside them. */
export function evaluationColumns(sides: readonly Side[], about: readonly string[]): CsvColumn[] {
  const more = [
    'status',
    'error_kind',
    'repaired',
    'notes',
    ...sides.map(({ name }) => `band_disagrees_${name}`),
  ];
  return [...originalEvaluationColumns(sides, about), ...more.map((key) => ({ key }))];
}

/** What makes the cells of a row; the same columns of every row, so that they are looked up once. */
export function evaluationCells(sides: readonly Side[], about: readonly string[]): (row: Evaluated) => Row {
  const columns: (readonly [string, (row: Evaluated) => Cell])[] = [
    ...about.map((column) => [column, ({ participant }: Evaluated) => participant?.cells[column]] as const),
    ...HEAD_CELLS,
    ...sides.flatMap((side, at) => [
      [side.pred, ({ prediction }: Evaluated) => prediction.scores[at]] as const,
      [side.predBand, ({ prediction }: Evaluated) => prediction.bands[at]] as const,
      [side.truth, ({ sides: values }: Evaluated) => values[at]!.truth] as const,
      [side.truthBand, ({ sides: values }: Evaluated) => values[at]!.truthBand] as const,
      ...SIDE_COLUMNS.map(
        ({ name, of }) => [name(side.name), ({ sides: values }: Evaluated) => of(values[at]!)] as const,
      ),
      [`band_disagrees_${side.name}`, ({ sides: values }: Evaluated) => values[at]!.bandDisagrees] as const,
    ]),
  ];
  return (row) => {
    const cells: Record<string, Cell> = {};
    for (const [key, of] of columns) cells[key] = of(row);
    return cells;
  };
}

const HEAD_CELLS: readonly (readonly [string, (row: Evaluated) => Cell])[] = [
  ['caseid', ({ prediction }) => prediction.caseId],
  ['participant_id', ({ prediction }) => prediction.participant],
  ['tier', ({ prediction }) => prediction.tier],
  ['provider', ({ prediction }) => prediction.provider],
  ['model', ({ prediction }) => prediction.model],
  ['error', ({ prediction }) => prediction.error],
  ['status', ({ status }) => status],
  ['error_kind', ({ prediction }) => prediction.errorKind],
  ['repaired', ({ prediction }) => prediction.repaired],
  ['notes', ({ prediction }) => prediction.notes],
];
