/** Intervals of shares and totals, with question templates as clusters: rows of one template share their wording. */
import type { Interval } from '../../../numbers/estimate.ts';
import { bootstrapRatiosSync, percentileIntervalSync, share, wilson } from '../../../numbers/index.ts';
import { POLARITIES } from './result-name.ts';
import type { GroupScores, Measured, TemplateCounts } from './tally.ts';
import { type CellOf, type TotalKind, totalOf } from './totals.ts';

/** Wilson's of a share, at the effective sample size where the templates of its rows are known; null where there is none. */
export function shareInterval({ hits, n, templates }: Measured): Interval | null {
  if (hits === null || n === null || n === 0) return null;
  if (!templates) return wilson(hits, n);
  const outcomes: number[] = [];
  const cluster: number[] = [];
  [...templates.values()].forEach(([own, of], id) => {
    for (let row = 0; row < of; row += 1) {
      outcomes.push(Number(row < own));
      cluster.push(id);
    }
  });
  return share(Uint8Array.from(outcomes), { cluster: Uint32Array.from(cluster) }).ci ?? null;
}

const RESAMPLES = 10_000;
const SEED = 0;

/**
 * Percentile bootstrap of a total over the templates of its cells, each drawn with all its rows in all cells, and the rows that the
 * total rests on. Null with less than two templates, where a row's is not known, and where all draws are equal.
 */
export function totalInterval(
  kind: TotalKind,
  cellOf: CellOf,
): { readonly n: number | null; readonly ci: Interval | null; readonly templates: number | null } {
  const parts = totalOf(kind, cellOf).parts.filter(({ value }) => value !== null);
  const cells = parts.flatMap(({ scenario }) =>
    POLARITIES.map((polarity) => ({
      key: `${scenario.key} ${polarity}`,
      measured: cellOf(scenario, polarity)!.fields.get(kind.field)!,
    })),
  );
  if (cells.length === 0 || cells.some(({ measured }) => measured.n === null))
    return { n: null, ci: null, templates: null };
  const n = cells.reduce((sum, { measured }) => sum + measured.n!, 0);
  if (cells.some(({ measured }) => !measured.templates)) return { n, ci: null, templates: null };
  const columns = cells.map(({ measured }) => measured.templates as TemplateCounts);
  // In an order that the order of the rows does not change.
  const names = [...new Set(columns.flatMap((own) => [...own.keys()]))].sort();
  const sums = (at: 0 | 1) =>
    Float64Array.from(names.flatMap((name) => columns.map((own) => own.get(name)?.[at] ?? 0)));
  const { resampled } = bootstrapRatiosSync({
    numerators: sums(0),
    denominators: sums(1),
    columns: columns.length,
    resamples: RESAMPLES,
    seed: SEED,
  });
  const head = { n, templates: names.length };
  if (!resampled) return { ...head, ci: null };
  const draws = Float64Array.from({ length: RESAMPLES }, (_, draw) => {
    const drawn = new Map(cells.map(({ key }, at) => [key, resampled[draw * columns.length + at]!]));
    return totalOf(kind, drawnCells(kind, drawn)).value ?? Number.NaN;
  });
  const { ci } = percentileIntervalSync(draws);
  return { ...head, ci: ci && ci.low < ci.high ? ci : null };
}

/** The cells of one draw; a share with nothing below the line leaves the draw without a total. */
function drawnCells(kind: TotalKind, drawn: ReadonlyMap<string, number>): CellOf {
  return ({ key }, polarity) => {
    const value = drawn.get(`${key} ${polarity}`);
    if (value === undefined) return undefined;
    const measured = { value: Number.isNaN(value) ? null : value, hits: null, n: null, reason: null };
    return { fields: new Map([[kind.field, measured]]) } as unknown as GroupScores;
  };
}
