/** The file between evaluation and aggregation: predictions beside what participants said, row by row. */
import type { Cell, CsvColumn, Row } from '../report/index.ts';
import type { Evaluated, SideValues } from './merge.ts';
import type { Side } from './sides.ts';

/** Columns of one side, by what they hold; the names are the document's. */
const SIDE_COLUMNS: readonly { readonly name: (side: string) => string; readonly of: (v: SideValues) => Cell }[] = [
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

export function evaluationCells(
  { prediction, participant, status, sides: values }: Evaluated,
  sides: readonly Side[],
  about: readonly string[],
): Row {
  const bySide = <T>(name: (side: Side) => string, of: (value: SideValues, index: number) => T) =>
    Object.fromEntries(sides.map((side, index) => [name(side), of(values[index]!, index)]));
  return {
    ...Object.fromEntries(about.map((column) => [column, participant?.cells[column] ?? null])),
    caseid: prediction.caseId,
    participant_id: prediction.participant,
    tier: prediction.tier,
    provider: prediction.provider,
    model: prediction.model,
    error: prediction.error,
    ...bySide((side) => side.pred, (_, index) => prediction.scores[index]),
    ...bySide((side) => side.predBand, (_, index) => prediction.bands[index]),
    ...bySide((side) => side.truth, ({ truth }) => truth),
    ...bySide((side) => side.truthBand, ({ truthBand }) => truthBand),
    ...Object.assign(
      {},
      ...SIDE_COLUMNS.map(({ name, of }) => bySide((side) => name(side.name), of)),
    ),
    status,
    error_kind: prediction.errorKind,
    repaired: prediction.repaired,
    notes: prediction.notes,
    ...bySide((side) => `band_disagrees_${side.name}`, ({ bandDisagrees }) => bandDisagrees),
  };
}
