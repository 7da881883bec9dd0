/** The files of an administered questionnaire beside its rows. */

import type { SuiteFile, TableRow } from '../../../../contract/index.ts';
import { type Estimate, ends } from '../../../../numbers/estimate.ts';
import type { QuestionnaireStatistics } from './statistics.ts';

/** The columns of a number: itself, its interval, what it rests on. */
function figureCells(name: string, { value, ci, n, reason }: Estimate) {
  return {
    [name]: value,
    ...ends(ci, `${name}_low`, `${name}_high`),
    [`${name}_n`]: n,
    [`${name}_reason`]: reason,
  };
}

function table(file: string, rows: readonly TableRow[]): SuiteFile[] {
  const columns = Object.keys(rows[0] ?? {});
  return columns.length === 0 ? [] : [{ file, columns, rows }];
}

export function statisticsFiles(statistics: QuestionnaireStatistics, level: number): SuiteFile[] {
  const { scores, items, subscales, orderEffects, counts } = statistics;
  const effects = [
    ...orderEffects.differences.map(({ of, pValue, ...figure }) => ({
      effect: 'difference',
      of,
      ...figureCells('value', figure),
      p_value: pValue,
    })),
    ...(['changed', 'disagreement'] as const).map((effect) => ({
      effect,
      of: 'answers',
      ...figureCells('value', orderEffects[effect]),
      p_value: null,
    })),
    ...orderEffects.positions.map((value, at) => ({
      effect: 'position',
      of: String(at + 1),
      ...figureCells('value', { value, ci: null, n: counts.answered, reason: null }),
      p_value: null,
    })),
  ];
  const reliability = subscales.map(({ score, alpha, ...rest }) => ({
    ...rest,
    ...figureCells('score', score),
    ...figureCells('alpha', alpha),
  }));
  return [
    ...table(
      'scores.csv',
      scores.map((one) => ({ ...one })),
    ),
    ...table(
      'items.csv',
      items.map((one) => ({ ...one })),
    ),
    ...table('reliability.csv', reliability),
    ...table('order_effects.csv', effects),
    { file: 'metrics.json', json: { level, ...statistics } },
  ];
}
