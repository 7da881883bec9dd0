/** Bands of predictions against bands of participants, by tier. */
import type { Row } from '../../../../report/index.ts';
import { bandNames } from '../../data/index.ts';
import type { CountedRow } from '../counted.ts';
import type { Study } from '../sides.ts';
import { tierCells } from './cells.ts';
import { estimateCells, estimateMetric } from './estimate.ts';
import { metricColumn } from './metrics.ts';
import type { TableSettings } from './options.ts';
import { resampleMeans } from './resample.ts';

export const CONFUSION_COLUMNS = [
  ...['tier', 'gt_band', 'pred_band', 'count', 'n', 'share', 'ci_low', 'ci_high', 'ci_method', 'reason'],
].map((key) => ({ key }));

/** A row a tier and pair of bands: `count` of the `n` rows whose participants are in `gt_band`, and their share. */
export async function confusionRows(
  rows: readonly CountedRow[],
  { sides, tiers }: Study,
  side: number,
  settings: TableSettings,
): Promise<Row[]> {
  const names = bandNames(sides[side]!.subscale);
  const pairs = names.flatMap((truth) => names.map((pred) => ({ truth, pred })));
  const shares = pairs.map(({ truth, pred }) => {
    const of = (row: CountedRow) => {
      const { truthBand, bandResolved, bandMatch } = row.sides[side]!;
      return bandMatch === null || truthBand !== truth ? null : Number(bandResolved === pred);
    };
    return { of, kind: 'share' as const };
  });
  const table: Row[] = [];
  for (const cell of tierCells(rows, tiers)) {
    const means = await resampleMeans(
      cell.rows,
      shares.map((metric) => metricColumn(metric, cell.rows)),
      settings,
    );
    for (const [index, { truth, pred }] of pairs.entries()) {
      const { n, sum } = means[index]!;
      const estimate = await estimateMetric({ kind: 'share' }, means[index]!, settings.level);
      const { value: share, ...cells } = estimateCells(estimate);
      table.push({ tier: cell.tier, gt_band: truth, pred_band: pred, count: sum, n, share, ...cells });
    }
  }
  return table;
}
