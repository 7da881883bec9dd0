/** Each answer as a few numbers from 0 to 1, for whoever compares prompts: higher is better in all but `mae_mean`. */
import type { CsvColumn, Row } from '../../../report/index.ts';
import type { AnswerReader } from './answer.ts';
import type { Evaluated, SideValues } from './merge.ts';
import { rangeOf, type Side } from './sides.ts';

export const GENERATION_COLUMNS: readonly CsvColumn[] = [
  'row',
  'caseid',
  'parse_ok',
  'exact_match_mean',
  'band_match_mean',
  'score_accuracy_mean',
  'inverse_mae_mean',
  'mae_mean',
].map((key) => ({ key }));

/**
 * The scores of the row of that number, from 0. `parse_ok` looks at the text alone, which `read` reads again where the case id
 * kept it from being read; the means are over the sides that could be compared.
 */
export function generationScores(
  { prediction, sides: values }: Evaluated,
  row: number,
  sides: readonly Side[],
  read: AnswerReader,
): Row {
  const compared = values.flatMap((value, index) =>
    value.absError === null ? [] : [{ value, range: rangeOf(sides[index]!) }],
  );
  const mean = (of: (value: SideValues, range: number) => number | null): number | null => {
    const found = compared.map(({ value, range }) => of(value, range)).filter((number) => number !== null);
    return found.length === 0 ? null : found.reduce((sum, number) => sum + number, 0) / found.length;
  };
  const relative = mean(({ absError }, range) => absError! / range);
  return {
    row,
    caseid: prediction.caseId,
    parse_ok: isParsed(prediction, read) ? 1 : 0,
    exact_match_mean: mean(({ exact }) => Number(exact)),
    band_match_mean: mean(({ bandMatch }) => (bandMatch === null ? null : Number(bandMatch))),
    score_accuracy_mean: mean(({ normScoreDistance }) => 1 - normScoreDistance!),
    inverse_mae_mean: relative === null ? null : 1 - Math.min(1, relative),
    mae_mean: mean(({ absError }) => absError),
  };
}

function isParsed(prediction: Evaluated['prediction'], read: AnswerReader): boolean {
  if (prediction.error === null || prediction.scores.some((score) => score !== null)) return true;
  return prediction.participant === null && read(prediction.raw).failure === null;
}
