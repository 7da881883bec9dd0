/** Whether errors go with attributes of participants, tier by tier: a participant has one row in each. */
import { correlation, kruskalWallis } from '../../../../numbers/index.ts';
import type { Row } from '../../../../report/index.ts';
import { type Attribute, hasGroups, hasOrder } from '../attributes/index.ts';
import type { CountedRow } from '../counted.ts';
import type { Study } from '../sides.ts';
import { tierCells } from './cells.ts';
import { holmOf } from './gaps.ts';
import type { TableSettings } from './options.ts';

export interface AssociationRow extends Row {
  readonly attribute: string;
  readonly tier: string;
  readonly subscale: string;
  readonly error: 'abs_error' | 'error';
  readonly test: 'kruskal' | 'spearman';
  readonly p_value: number | null;
  readonly p_holm: number | null;
}

export const ASSOCIATION_COLUMNS = [
  ...['attribute', 'tier', 'subscale', 'error', 'test', 'n', 'groups', 'h', 'df', 'epsilon_squared'],
  ...['rho', 'ci_low', 'ci_high', 'p_value', 'p_holm', 'reason'],
].map((key) => ({ key }));

const ERRORS = [
  { error: 'abs_error', key: 'absError' },
  { error: 'error', key: 'error' },
] as const;

const EMPTY = {
  groups: null,
  h: null,
  df: null,
  epsilon_squared: null,
  rho: null,
  ci_low: null,
  ci_high: null,
};

/** A test each, and Holm's correction over all of them. */
export async function associationRows(
  rows: readonly CountedRow[],
  attributes: readonly Attribute[],
  { sides, tiers }: Study,
  settings: TableSettings,
): Promise<AssociationRow[]> {
  const cells = tierCells(rows, tiers).slice(1);
  const found: Omit<AssociationRow, 'p_holm'>[] = [];
  for (const [at, attribute] of attributes.entries()) {
    for (const cell of cells) {
      for (const [side, { name: subscale }] of sides.entries()) {
        for (const { error, key } of ERRORS) {
          const head = { attribute: attribute.name, tier: cell.tier, subscale, error };
          const values = <T>(of: (row: CountedRow) => T | null) => valuesOf(cell.rows, of, side, key);
          if (hasGroups(attribute)) {
            const tested = await kruskal(
              values(({ groups }) => groups[at]!),
              settings.minGroup,
            );
            found.push({ ...head, ...tested });
          }
          if (hasOrder(attribute)) {
            const tested = await spearman(
              values(({ ranks }) => ranks[at]!),
              settings.level,
            );
            found.push({ ...head, ...tested });
          }
        }
      }
    }
  }
  const corrected = holmOf(found.map(({ p_value }) => p_value as number | null));
  return found.map((row, index) => ({ ...row, p_holm: corrected[index]! }) as AssociationRow);
}

interface Tested<T> {
  readonly by: T;
  readonly value: number;
}

function valuesOf<T>(
  rows: readonly CountedRow[],
  of: (row: CountedRow) => T | null,
  side: number,
  key: 'absError' | 'error',
): Tested<T>[] {
  return rows.flatMap((row) => {
    const [by, value] = [of(row), row.sides[side]![key]];
    return row.status !== 'scored' || by === null || value === null ? [] : [{ by, value }];
  });
}

/** One set of groups for all numbers of the test: those with two rows at least, and with as many as asked for. */
async function kruskal(values: readonly Tested<string>[], minGroup: number) {
  const sizes = new Map<string, number>();
  for (const { by } of values) sizes.set(by, (sizes.get(by) ?? 0) + 1);
  const least = Math.max(2, minGroup);
  const names = [...sizes].filter(([, size]) => size >= least).map(([name]) => name);
  const number = new Map(names.map((name, index) => [name, index]));
  const own = values.filter(({ by }) => number.has(by));
  const head = { ...EMPTY, test: 'kruskal' as const, n: own.length, groups: names.length };
  if (names.length < 2) {
    return { ...head, p_value: null, reason: `fewer than 2 groups have ${least} rows or more` };
  }
  const { h, freedom, pValue, epsilonSquared, reason } = await kruskalWallis(
    Float64Array.from(own, ({ value }) => value),
    Uint32Array.from(own, ({ by }) => number.get(by)!),
  );
  const df = h === null ? null : freedom;
  return { ...head, h, df, epsilon_squared: epsilonSquared, p_value: pValue, reason: reason ?? null };
}

async function spearman(values: readonly Tested<number>[], level: number) {
  const head = { ...EMPTY, test: 'spearman' as const, n: values.length };
  if (values.length === 0) return { ...head, p_value: null, reason: 'no row counts' };
  const { r, ci, pValue, reason } = await correlation(
    Float64Array.from(values, ({ by }) => by),
    Float64Array.from(values, ({ value }) => value),
    { method: 'spearman', level },
  );
  const ends = { ci_low: ci?.low ?? null, ci_high: ci?.high ?? null };
  return { ...head, rho: r, ...ends, p_value: pValue, reason: reason ?? null };
}
