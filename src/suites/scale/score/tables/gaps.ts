/** How unevenly errors fall on groups: the widest gap between their MAEs, by tier, and its change from tier to tier. */
import { ends } from '../../../../numbers/estimate.ts';
import { holm } from '../../../../numbers/index.ts';
import type { Row } from '../../../../report/index.ts';
import { ALL_TIERS } from '../parse-success.ts';
import type { Study } from '../sides.ts';
import { estimateDraws, type TestedEstimate, withoutInterval } from './estimate.ts';
import { groupMetrics, type MeasuredAttribute } from './groups.ts';
import type { TableSettings } from './options.ts';
import type { ColumnMeans } from './resample.ts';

export interface GapRow extends Row {
  readonly attribute: string;
  readonly tier: string;
  readonly subscale: string;
  /** max - min MAE over the groups, 0 or more, in points of the scale. */
  readonly gap: number | null;
  readonly ci_low: number | null;
  readonly ci_high: number | null;
  readonly min_group: string | null;
  readonly max_group: string | null;
  readonly reason: string | null;
}

export const GAP_COLUMNS = [
  ...['attribute', 'tier', 'subscale', 'gap', 'ci_low', 'ci_high', 'groups'],
  ...['min_group', 'min_mae', 'min_n', 'max_group', 'max_mae', 'max_n', 'left_out', 'reason'],
].map((key) => ({ key }));

export const DELTA_COLUMNS = [
  ...['attribute', 'tier', 'baseline_tier', 'subscale', 'delta', 'ci_low', 'ci_high', 'p_value', 'p_holm'],
  ...['same_groups', 'reason'],
].map((key) => ({ key }));

interface Part {
  readonly name: string;
  readonly column: ColumnMeans;
}

/** The gap of one attribute, tier and subscale. */
interface Gap {
  readonly attribute: string;
  readonly tier: string;
  readonly subscale: string;
  /** Groups that take part, by name. */
  readonly parts: readonly Part[];
  /** Groups that are there and take no part: too small, or of the missing. */
  readonly leftOut: readonly string[];
  /** Null where fewer than two groups take part. */
  readonly gap: number | null;
  readonly draws: Float64Array | null;
}

function gapsOf(measured: readonly MeasuredAttribute[], study: Study, { minGroup }: TableSettings): Gap[] {
  const maes = groupMetrics(study).flatMap(({ key, subscale }, index) =>
    key === 'mae' ? [{ subscale, index }] : [],
  );
  return measured.flatMap(({ attribute, groups }) => {
    const tiers = new Set(groups.flatMap(({ cells }) => cells.map(({ tier }) => tier)));
    tiers.delete(ALL_TIERS);
    return [...inOrder(tiers, study.tiers)].flatMap((tier) =>
      maes.map(({ subscale, index }): Gap => {
        const there = groups.flatMap(({ name, isMissing, cells }) => {
          const cell = cells.find((own) => own.tier === tier);
          return cell === undefined ? [] : [{ name, isMissing, column: cell.means[index]! }];
        });
        const takesPart = ({ isMissing, column }: (typeof there)[number]) =>
          !isMissing && column.n >= minGroup;
        const parts = there.filter(takesPart);
        const leftOut = there.filter((part) => !takesPart(part)).map(({ name }) => name);
        return { attribute: attribute.name, tier, subscale, parts, leftOut, ...spread(parts) };
      }),
    );
  });
}

function inOrder(tiers: ReadonlySet<string>, known: readonly string[]): string[] {
  const others = [...tiers].filter((tier) => !known.includes(tier)).sort();
  return [...known.filter((tier) => tiers.has(tier)), ...others];
}

function spread(parts: readonly Part[]): Pick<Gap, 'gap' | 'draws'> {
  if (parts.length < 2) return { gap: null, draws: null };
  const means = parts.map(({ column }) => column.mean!);
  const gap = Math.max(...means) - Math.min(...means);
  const drawn = parts.map(({ column }) => column.resampled);
  const all = drawn.filter((draws) => draws !== null);
  if (all.length < drawn.length) return { gap, draws: null };
  const draws = Float64Array.from({ length: all[0]!.length }, (_, draw) => {
    // NaN, where a draw lacks a group, stays NaN in both.
    const values = all.map((own) => own[draw]!);
    return Math.max(...values) - Math.min(...values);
  });
  return { gap, draws };
}

const FEW_GROUPS = 'fewer than 2 groups are large enough';
const SINGLE = 'a group has a single participant, so that it is not known how its errors scatter';

export async function gapRows(
  measured: readonly MeasuredAttribute[],
  study: Study,
  settings: TableSettings,
): Promise<{ gaps: GapRow[]; deltas: Row[] }> {
  const all = gapsOf(measured, study, settings);
  const gaps: GapRow[] = [];
  for (const gap of all) gaps.push(await gapRow(gap, settings.level));
  return { gaps, deltas: await deltaRows(all, settings) };
}

async function gapRow(own: Gap, level: number): Promise<GapRow> {
  const { attribute, tier, subscale, parts, gap } = own;
  const { ci, reason } = await estimateGap(own, level);
  const sorted = parts.toSorted((a, b) => a.column.mean! - b.column.mean!);
  const [min, max] = gap === null ? [] : [sorted[0]!, sorted.at(-1)!];
  return {
    ...{ attribute, tier, subscale, gap },
    ...ends(ci, 'ci_low', 'ci_high'),
    groups: parts.length,
    min_group: min?.name ?? null,
    min_mae: min?.column.mean ?? null,
    min_n: min?.column.n ?? null,
    max_group: max?.name ?? null,
    max_mae: max?.column.mean ?? null,
    max_n: max?.column.n ?? null,
    left_out: own.leftOut.length === 0 ? null : own.leftOut.join('; '),
    reason,
  };
}

async function estimateGap({ gap, draws, parts }: Gap, level: number): Promise<TestedEstimate> {
  const n = parts.length;
  if (gap === null) return withoutInterval(null, n, FEW_GROUPS);
  if (draws === null) return withoutInterval(gap, n, SINGLE);
  return estimateDraws(gap, n, draws, level);
}

/** Each gap less that of the first tier; above 0 where groups lie further apart. */
async function deltaRows(all: readonly Gap[], { baseline, level }: TableSettings): Promise<Row[]> {
  const found: { row: Row; p: number | null }[] = [];
  for (const own of all) {
    if (own.tier === baseline) continue;
    const base = all.find(
      ({ attribute, subscale, tier }) =>
        attribute === own.attribute && subscale === own.subscale && tier === baseline,
    );
    const estimate = await estimateChange(own, base, level);
    const names = (gap: Gap | undefined) => JSON.stringify(gap?.parts.map(({ name }) => name) ?? []);
    const { attribute, tier, subscale } = own;
    found.push({
      p: estimate.pValue,
      row: {
        ...{ attribute, tier, baseline_tier: baseline, subscale },
        delta: estimate.value,
        ...ends(estimate.ci, 'ci_low', 'ci_high'),
        p_value: estimate.pValue,
        same_groups: names(own) === names(base),
        reason: estimate.reason,
      },
    });
  }
  const corrected = holmOf(found.map(({ p }) => p));
  return found.map(({ row }, index) => ({ ...row, p_holm: corrected[index]! }));
}

async function estimateChange(own: Gap, base: Gap | undefined, level: number): Promise<TestedEstimate> {
  const n = own.parts.length;
  if (base === undefined) return withoutInterval(null, n, 'the first tier has no rows');
  if (own.gap === null || base.gap === null) return withoutInterval(null, n, FEW_GROUPS);
  const value = own.gap - base.gap;
  if (own.draws === null || base.draws === null) return withoutInterval(value, n, SINGLE);
  const draws = own.draws.map((draw, index) => draw - base.draws![index]!);
  return estimateDraws(value, n, draws, level);
}

/** Holm's correction over the tests that gave a p-value; null for the others. */
export function holmOf(pValues: readonly (number | null)[]): (number | null)[] {
  const given = pValues.filter((p) => p !== null);
  const corrected = holm(Float64Array.from(given));
  let next = 0;
  return pValues.map((p) => (p === null ? null : corrected[next++]!));
}
