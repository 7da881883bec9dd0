/** An evaluation read back, as what tables are made of: rows with their numbers, groups and ranks. */
import { join } from 'node:path';
import { openDataset } from '../../../dataset/index.ts';
import { AuditError } from '../../../errors.ts';
import { type Attribute, type AttributeTable, cellReader } from './attributes/index.ts';
import { type Cells, flagIn, numberIn, requireColumns, textIn } from './cells.ts';
import { FILES } from './files.ts';
import { STATUSES, type Status } from './merge.ts';
import type { Side } from './sides.ts';

/** Of one side of a row, what tables count; null is missing. */
export interface CountedSide {
  readonly error: number | null;
  readonly absError: number | null;
  readonly normScoreDistance: number | null;
  readonly exact: boolean | null;
  readonly bandMatch: boolean | null;
  readonly bandDistance: number | null;
  readonly normBandDistance: number | null;
  readonly truthBand: string | null;
  readonly bandResolved: string | null;
}

/** What an attribute says of a row's participant. */
export interface CountedGroups {
  /** By attribute; null where it is missing, or the attribute has no groups. */
  readonly groups: readonly (string | null)[];
  /** By attribute; null where it is missing, or the attribute has no order. */
  readonly ranks: readonly (number | null)[];
}

export interface CountedRow extends CountedGroups {
  readonly tier: string | null;
  readonly participant: string | null;
  readonly status: Status;
  readonly sides: readonly CountedSide[];
}

export interface CountSource {
  /** Folder that "evaluate scale" wrote. */
  readonly folder: string;
  readonly sides: readonly Side[];
  readonly table: AttributeTable;
  /** Attributes that the file of covariates holds; the others are columns of the evaluation itself. */
  readonly covariates: readonly Attribute[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the rows of an evaluation. Errors: those of `openDataset`; `data_malformed` for a missing column, `row_invalid` for a cell
 * that is not what its column holds, `cancelled`.
 */
export async function readCounted(source: CountSource): Promise<CountedRow[]> {
  const { folder, sides, table } = source;
  const file = join(folder, FILES.evaluation);
  const known = await readCovariates(join(folder, FILES.covariates), source);
  const reader = groupReader(source);
  const nobody: CountedGroups = {
    groups: table.attributes.map(() => null),
    ranks: table.attributes.map(() => null),
  };
  const rows: CountedRow[] = [];
  for await (const { value, error, line } of openDataset(file, { format: 'csv' }).rows()) {
    if (error !== undefined) throw error;
    if (source.signal?.aborted) throw new AuditError('cancelled', 'stopped between two rows');
    const cells = value as Cells;
    if (rows.length === 0) checkColumns(Object.keys(cells), source, file);
    const participant = textIn(cells, 'participant_id');
    const own = participant === null ? undefined : known.get(participant);
    rows.push({
      tier: textIn(cells, 'tier'),
      participant,
      status: statusIn(cells, sides),
      sides: sides.map((side) => sideIn(cells, side, { file, line })),
      ...(own === undefined && source.covariates.length === table.attributes.length
        ? nobody
        : reader(cells, own ?? {})),
    });
  }
  return rows;
}

/** Rows of the file of covariates by participant; of an id that is there several times, the first. */
async function readCovariates(file: string, { covariates }: CountSource): Promise<Map<string, Cells>> {
  const known = new Map<string, Cells>();
  for await (const { value, error } of openDataset(file, { format: 'csv' }).rows()) {
    if (error !== undefined) throw error;
    const cells = value as Cells;
    if (known.size === 0) {
      const needed = ['participant_id', ...covariates.map(({ name }) => name)];
      requireColumns(Object.keys(cells), needed, file, 'it is not that of this evaluation; evaluate again');
    }
    const id = cells.participant_id!;
    if (!known.has(id)) known.set(id, cells);
  }
  return known;
}

/** What attributes say, by a row of the evaluation and the participant's row of covariates. */
function groupReader({ table, covariates }: CountSource): (row: Cells, own: Cells) => CountedGroups {
  const cellOf = cellReader(table);
  const sources = table.attributes.map(({ name, column, making }) => {
    const key = covariates.some((attribute) => attribute.name === name) ? { own: name } : { row: column };
    const order = making.kind === 'order' ? new Map(making.labels.map((label, rank) => [label, rank])) : null;
    return { key, order, isNumber: making.kind === 'number' };
  });
  // Participants have several rows: what was made of the first serves the others.
  const made = new WeakMap<Cells, CountedGroups>();
  const allOwn = covariates.length === table.attributes.length;
  return (row, own) => {
    const before = allOwn ? made.get(own) : undefined;
    if (before !== undefined) return before;
    // Columns of the evaluation are read by the original's layout alone, which takes labels as they stand.
    const cells = sources.map(({ key }) =>
      key.own === undefined ? textIn(row, key.row!) : cellOf(own[key.own]),
    );
    const said: CountedGroups = {
      groups: sources.map(({ isNumber }, index) => (isNumber ? null : cells[index]!)),
      ranks: sources.map(({ isNumber, order }, index) => {
        const cell = cells[index]!;
        if (cell === null) return null;
        return isNumber ? finite(Number(cell)) : (order?.get(cell) ?? null);
      }),
    };
    if (allOwn) made.set(own, said);
    return said;
  };
}

function finite(number: number): number | null {
  return Number.isFinite(number) ? number : null;
}

function sideIn(cells: Cells, { name, truthBand }: Side, place: { file: string; line: number }): CountedSide {
  return {
    error: numberIn(cells, `error_${name}`, place),
    absError: numberIn(cells, `abs_error_${name}`, place),
    normScoreDistance: numberIn(cells, `norm_score_distance_${name}`, place),
    exact: flagIn(cells, `exact_match_${name}`, place),
    bandMatch: flagIn(cells, `band_match_${name}`, place),
    bandDistance: numberIn(cells, `band_distance_${name}`, place),
    normBandDistance: numberIn(cells, `norm_band_distance_${name}`, place),
    truthBand: textIn(cells, truthBand),
    bandResolved: textIn(cells, `pred_${name}_band_resolved`),
  };
}

/** What the row says itself, or, in the original's files, what its cells imply: there, nobody's rows and those of unscored participants look alike. */
function statusIn(cells: Cells, sides: readonly Side[]): Status {
  const said = cells.status;
  const known = STATUSES.find((status) => status === said);
  if (known !== undefined) return known;
  if (textIn(cells, 'error') !== null) return 'error';
  return sides.some(({ name }) => textIn(cells, `error_${name}`) !== null) ? 'scored' : 'no_truth';
}

function checkColumns(
  columns: readonly string[],
  { sides, table, covariates }: CountSource,
  file: string,
): void {
  const needed = [
    'participant_id',
    'tier',
    'error',
    ...sides.flatMap(({ name, truthBand }) => [
      ...['error', 'abs_error', 'norm_score_distance', 'exact_match', 'band_match', 'band_distance'].map(
        (column) => `${column}_${name}`,
      ),
      truthBand,
      `pred_${name}_band_resolved`,
    ]),
    ...table.attributes.filter((attribute) => !covariates.includes(attribute)).map(({ column }) => column),
  ];
  requireColumns(columns, needed, file, 'it is not that of this evaluation; evaluate again');
}
