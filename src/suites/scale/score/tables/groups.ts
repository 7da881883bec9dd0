/** The groups of an attribute: what each is measured at in each tier, with draws that gaps between them are made of. */
import type { Row } from '../../../../report/index.ts';
import { type Attribute, hasGroups } from '../attributes/index.ts';
import type { CountedRow } from '../counted.ts';
import type { Study } from '../sides.ts';
import { countsOf, groupBy, tierCells } from './cells.ts';
import { estimateCells, estimateMetric } from './estimate.ts';
import { type Metric, metricColumn, metricsOf } from './metrics.ts';
import type { TableSettings } from './options.ts';
import { type ColumnMeans, resampleMeans } from './resample.ts';
import { ESTIMATE_COLUMNS } from './summary.ts';

/** Participants of whom an attribute says nothing. */
export const MISSING_GROUP = '(missing)';

export interface GroupCell {
  readonly tier: string;
  readonly rows: readonly CountedRow[];
  /** By metric of {@link groupMetrics}. */
  readonly means: readonly ColumnMeans[];
}

export interface MeasuredGroup {
  readonly name: string;
  readonly isMissing: boolean;
  /** All tiers first. */
  readonly cells: readonly GroupCell[];
}

export interface MeasuredAttribute {
  readonly attribute: Attribute;
  readonly at: number;
  readonly groups: readonly MeasuredGroup[];
}

export function groupMetrics({ sides }: Study): Metric[] {
  return metricsOf(sides).filter(({ byGroup }) => byGroup);
}

/**
 * Measures each group of each attribute that forms some. Groups are drawn from apart, each by a seed of its own: a draw then has
 * every group, and the draws of two groups have nothing in common. Tiers of a group share their draws, as they share participants.
 */
export async function measureGroups(
  rows: readonly CountedRow[],
  attributes: readonly Attribute[],
  study: Study,
  settings: TableSettings,
): Promise<MeasuredAttribute[]> {
  const measured: MeasuredAttribute[] = [];
  for (const [at, attribute] of attributes.entries()) {
    if (!hasGroups(attribute)) continue;
    // Rows of nobody are in no group, not even in that of the missing.
    const known = rows.filter(({ status, participant }) => participant !== null && status !== 'unmatched');
    const parts = [...groupBy(known, ({ groups }) => groups[at]!)].sort(byName);
    const groups: MeasuredGroup[] = [];
    for (const [index, [name, own]] of parts.entries()) {
      const seed = settings.seed + 1 + index;
      groups.push({
        name: name ?? MISSING_GROUP,
        isMissing: name === null,
        cells: await measureCells(own, study, { ...settings, seed }),
      });
    }
    measured.push({ attribute, at, groups });
  }
  return measured;
}

async function measureCells(
  rows: readonly CountedRow[],
  study: Study,
  settings: TableSettings,
): Promise<GroupCell[]> {
  const metrics = groupMetrics(study);
  const cells = tierCells(rows, study.tiers);
  const columns = cells.flatMap((cell) => metrics.map((metric) => metricColumn(metric, cell.rows)));
  const means = await resampleMeans(rows, columns, settings);
  return cells.map((cell, index) => ({
    ...cell,
    means: means.slice(index * metrics.length, (index + 1) * metrics.length),
  }));
}

/** By name, those without one last. */
function byName([a]: readonly [string | null, unknown], [b]: readonly [string | null, unknown]): number {
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}

export const BY_GROUP_COLUMNS = ['attribute', 'group', 'tier', 'subscale', 'metric', ...ESTIMATE_COLUMNS].map(
  (key) => ({ key }),
);

export async function byGroupRows(
  measured: readonly MeasuredAttribute[],
  study: Study,
  { level }: TableSettings,
): Promise<Row[]> {
  const metrics = groupMetrics(study);
  const table: Row[] = [];
  for (const { attribute, groups } of measured) {
    for (const group of groups) {
      for (const { tier, rows, means } of group.cells) {
        const counts = countsOf(rows);
        for (const [index, metric] of metrics.entries()) {
          const { n, participants } = means[index]!;
          const estimate = await estimateMetric(metric, means[index]!, level);
          const head = { attribute: attribute.name, group: group.name, tier };
          const of = { subscale: metric.subscale, metric: metric.key };
          table.push({ ...head, ...of, ...estimateCells(estimate), n, participants, ...counts });
        }
      }
    }
  }
  return table;
}
