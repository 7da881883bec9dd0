/** The groups and numbers of participants, made of their cells. */
import type { Attribute, AttributeTable, Making } from './attributes.ts';

/** What an attribute says of one participant. */
export interface AttributeValue {
  /** Null where it is missing, and for an attribute without groups. */
  readonly group: string | null;
  /** The number itself, or the place of the label in its order; null where it is missing, or there is no order. */
  readonly rank: number | null;
}

export interface AttributeValues {
  /** One a participant. */
  readonly values: readonly AttributeValue[];
  /** Cells that say something which the attribute does not know: they count as missing. */
  readonly unknown: readonly string[];
}

const NOTHING: AttributeValue = { group: null, rank: null };

/** A cell that says something, without spaces around it; null for one that does not. */
export type CellOf = (cell: string | undefined) => string | null;

/** Reads cells by the table's words for missing ones. */
export function cellReader({ missing }: Pick<AttributeTable, 'missing'>): CellOf {
  const nothing = new Set(['', ...missing]);
  return (cell) => {
    const text = cell?.trim() ?? '';
    return nothing.has(text) ? null : text;
  };
}

/**
 * The values of one attribute, a participant each. Bins have about as many participants each: their edges are quantiles
 * between neighbours (linear), and a number equal to an edge is in the lower bin.
 */
export function attributeValues(
  { column, making }: Attribute,
  participants: readonly Readonly<Record<string, string>>[],
  cellOf: CellOf,
): AttributeValues {
  const cells = participants.map((participant) => cellOf(participant[column]));
  const valueIn = placing(making, cells);
  const unknown = new Set<string>();
  const values = cells.map((cell) => {
    if (cell === null) return NOTHING;
    const value = valueIn(cell);
    if (value === null || (making.kind === 'order' && value.rank === null)) unknown.add(cell);
    return value ?? NOTHING;
  });
  return { values, unknown: [...unknown] };
}

/** What each cell that says something is; null for one that the attribute does not know. */
function placing(making: Making, cells: readonly (string | null)[]): (cell: string) => AttributeValue | null {
  switch (making.kind) {
    case 'labels':
      return (group) => ({ group, rank: null });
    case 'order': {
      const ranks = new Map(making.labels.map((label, rank) => [label, rank]));
      return (group) => ({ group, rank: ranks.get(group) ?? null });
    }
    case 'groups': {
      const entries = Object.entries(making.groups);
      const byLabel = new Map(entries.flatMap(([name, labels]) => labels.map((label) => [label, name])));
      return (cell) => groupOnly(byLabel.get(cell));
    }
    case 'bins': {
      const edges = edgesOf(cells.map(numberOf), making.names.length);
      return (cell) => {
        const number = numberOf(cell);
        return number === null ? null : groupOnly(making.names[binOf(number, edges)]);
      };
    }
    case 'number':
      return (cell) => {
        const rank = numberOf(cell);
        return rank === null ? null : { group: null, rank };
      };
  }
}

function groupOnly(group: string | undefined): AttributeValue | null {
  return group === undefined ? null : { group, rank: null };
}

function binOf(number: number, edges: readonly number[]): number {
  const bin = edges.findIndex((edge) => number <= edge);
  return bin === -1 ? edges.length : bin;
}

/** The inner edges of `bins` bins; none where there are no numbers. */
function edgesOf(numbers: readonly (number | null)[], bins: number): number[] {
  const sorted = numbers.filter((number) => number !== null).sort((a, b) => a - b);
  if (sorted.length === 0) return [];
  return Array.from({ length: bins - 1 }, (_, index) => {
    // Whole numbers first: the place of an edge between equals must not be moved by rounding.
    const scaled = (sorted.length - 1) * (index + 1);
    const below = Math.floor(scaled / bins);
    const share = (scaled % bins) / bins;
    const [low, high] = [sorted[below]!, sorted[Math.min(below + 1, sorted.length - 1)]!];
    return low + share * (high - low);
  });
}

function numberOf(cell: string | null): number | null {
  if (cell === null) return null;
  const number = Number(cell);
  return Number.isFinite(number) ? number : null;
}
