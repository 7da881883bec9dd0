/** The original's tables of what errors have to do with groups: gaps, their change, and tests. */
import { correlationSync, kruskalWallisSync } from '../../../../numbers/index.ts';
import type { Row } from '../../../../report/index.ts';
import { type Attribute, hasGroups } from '../attributes/index.ts';
import type { CountedRow } from '../counted.ts';
import type { Side } from '../sides.ts';
import { splitBy } from './rows.ts';
import type { OriginalTable } from './table.ts';

/** The tier whose gaps others are held against. */
const BASELINE = 'demos';
/** Fewest pairs of a correlation. */
const FEWEST_PAIRS = 5;

/** The spread of groups in each tier, from the table by group. */
export function gapsTable({ rows }: OriginalTable, sides: readonly Side[]): OriginalTable {
  return {
    columns: [
      ...['group_col', 'tier', 'n_groups'],
      ...sides.flatMap(({ name }) =>
        ['min', 'max', 'gap', 'min_group', 'max_group'].map((what) => `mae_${name}_${what}`),
      ),
    ],
    rows: partsOf(rows, 'group_col').flatMap((ofAttribute) =>
      partsOf(ofAttribute, 'tier')
        .sort(([a], [b]) => (String(a!.tier) < String(b!.tier) ? -1 : 1))
        .map((own) => ({
          group_col: own[0]!.group_col,
          tier: own[0]!.tier,
          n_groups: new Set(own.map((row) => row.group_key)).size,
          ...Object.assign({}, ...sides.map(({ name }) => gapCells(own, name))),
        })),
    ),
  };
}

function gapCells(rows: readonly Row[], name: string): Row {
  const key = `mae_${name}`;
  const own = rows.filter((row) => row[key] !== null);
  if (own.length === 0) return {};
  const values = own.map((row) => row[key] as number);
  const [min, max] = [Math.min(...values), Math.max(...values)];
  return {
    [`${key}_min`]: min,
    [`${key}_max`]: max,
    [`${key}_gap`]: max - min,
    [`${key}_min_group`]: own[values.indexOf(min)]!.group_key,
    [`${key}_max_group`]: own[values.indexOf(max)]!.group_key,
  };
}

/** How gaps differ from those of the first tier; an attribute without that tier has none. */
export function gapDeltasTable({ rows }: OriginalTable, sides: readonly Side[]): OriginalTable {
  const deltas = sides.map(({ name }) => ({ gap: `mae_${name}_gap`, delta: `delta_mae_${name}_gap` }));
  return {
    columns: ['group_col', 'tier', 'baseline_tier', ...deltas.map(({ delta }) => delta)],
    rows: partsOf(rows, 'group_col').flatMap((own) => {
      const base = own.find(({ tier }) => tier === BASELINE);
      if (base === undefined) return [];
      return own.map((row) => ({
        group_col: row.group_col,
        tier: row.tier,
        baseline_tier: BASELINE,
        ...Object.fromEntries(deltas.map(({ gap, delta }) => [delta, difference(row[gap], base[gap])])),
      }));
    }),
  };
}

function difference(a: Row[string], b: Row[string]): number | null {
  return typeof a === 'number' && typeof b === 'number' ? a - b : null;
}

/** Rows by the value of a column, in the order in which values come. */
function partsOf(rows: readonly Row[], column: string): Row[][] {
  const parts = new Map<Row[string], Row[]>();
  for (const row of rows) {
    const part = parts.get(row[column]);
    if (part === undefined) parts.set(row[column], [row]);
    else part.push(row);
  }
  return [...parts.values()];
}

/** A test of each attribute, tier and kind of error: groups by Kruskal and Wallis first, then numbers by Spearman. */
export function associationTable(
  rows: readonly CountedRow[],
  sides: readonly Side[],
  attributes: readonly Attribute[],
): OriginalTable {
  const tiers = splitBy(rows, ({ tier }) => tier).filter(([tier]) => tier !== null);
  const errors = [
    ...sides.map(({ name }, side) => ({ column: `abs_error_${name}`, side, key: 'absError' as const })),
    ...sides.map(({ name }, side) => ({ column: `error_${name}`, side, key: 'error' as const })),
  ];
  const tests = (isGroups: boolean, test: (values: Tested[]) => Row | null) =>
    attributes.flatMap((attribute, at) => {
      if (hasGroups(attribute) !== isGroups) return [];
      return tiers.flatMap(([tier, own]) =>
        errors.flatMap(({ column, side, key }): Row[] => {
          const found = test(
            own.flatMap((row) => {
              const by = isGroups ? row.groups[at]! : row.ranks[at]!;
              const value = row.sides[side]![key];
              return by === null || value === null ? [] : [{ by, value }];
            }),
          );
          return found === null ? [] : [{ group_col: attribute.name, tier, error_col: column, ...found }];
        }),
      );
    });
  return {
    columns: [
      ...['group_col', 'tier', 'error_col', 'n', 'n_groups', 'test', 'p_value', 'epsilon_squared', 'rho'],
    ],
    rows: [...tests(true, kruskal), ...tests(false, spearman)],
  };
}

interface Tested {
  readonly by: string | number;
  readonly value: number;
}

/** The p-value is of groups of two and more, the effect of all: as in the original. */
function kruskal(values: readonly Tested[]): Row | null {
  if (values.length === 0) return null;
  const names = [...new Set(values.map(({ by }) => by))];
  const size = (name: Tested['by']) => values.filter(({ by }) => by === name).length;
  const large = new Set(names.filter((name) => size(name) >= 2));
  const inLarge = values.filter(({ by }) => large.has(by));
  const p = large.size < 2 ? null : tested(inLarge, names).pValue;
  return {
    n: values.length,
    // The original's column has missing cells, which makes floats of its counts.
    n_groups: `${names.length}.0`,
    test: 'kruskal',
    p_value: p,
    epsilon_squared: p === null ? null : tested(values, names).epsilonSquared,
  };
}

function tested(values: readonly Tested[], names: readonly Tested['by'][]) {
  return kruskalWallisSync(
    Float64Array.from(values, ({ value }) => value),
    Uint32Array.from(values, ({ by }) => names.indexOf(by)),
  );
}

function spearman(values: readonly Tested[]): Row | null {
  if (values.length < FEWEST_PAIRS) return null;
  const { r, pValue } = correlationSync(
    Float64Array.from(values, ({ by }) => by as number),
    Float64Array.from(values, ({ value }) => value),
    { method: 'spearman', approximate: true },
  );
  // Student's t has no tail beyond infinity.
  const p = r !== null && Math.abs(r) === 1 ? 0 : pValue;
  return { n: values.length, n_groups: null, test: 'spearman', p_value: p, epsilon_squared: null, rho: r };
}
