/** This program's tables: long, a number a row, each with its n and its interval or the reason why there is none. */
import { join } from 'node:path';
import { type CsvColumn, type Row, writeCsv, writeJson } from '../../../../report/index.ts';
import type { Attribute } from '../attributes/index.ts';
import type { CountedRow } from '../counted.ts';
import { confusionFile, FILES } from '../files.ts';
import type { Study } from '../sides.ts';
import { ASSOCIATION_COLUMNS, type AssociationRow, associationRows } from './association.ts';
import { tierCells } from './cells.ts';
import { CONFUSION_COLUMNS, confusionRows } from './confusion.ts';
import { DELTA_COLUMNS, GAP_COLUMNS, type GapRow, gapRows } from './gaps.ts';
import { BY_GROUP_COLUMNS, byGroupRows, measureGroups } from './groups.ts';
import { settingsOf, type TableOptions, type TableSettings } from './options.ts';
import { SUMMARY_COLUMNS, type SummaryRow, summaryRows } from './summary.ts';

export type { AssociationRow } from './association.ts';
export type { GapRow } from './gaps.ts';
export type { TableOptions } from './options.ts';
export type { SummaryRow } from './summary.ts';

export interface OwnTables {
  readonly settings: TableSettings;
  readonly summary: readonly SummaryRow[];
  readonly gaps: readonly GapRow[];
  readonly gapDeltas: readonly Row[];
  readonly association: readonly AssociationRow[];
}

/** Makes the tables and writes them into `folder`. Throws what `settingsOf` and `writeCsv` throw. */
export async function writeOwnTables(
  folder: string,
  rows: readonly CountedRow[],
  study: Study,
  attributes: readonly Attribute[],
  options: TableOptions,
): Promise<OwnTables> {
  const tiers = tierCells(rows, study.tiers)
    .slice(1)
    .map(({ tier }) => tier);
  const settings = settingsOf(options, new Set(rows.map(({ participant }) => participant)).size, tiers);
  const write = (name: string, columns: readonly CsvColumn[], table: readonly Row[]) =>
    writeCsv(join(folder, name), columns, table);
  const summary = await summaryRows(rows, study, settings);
  await write(FILES.summary, SUMMARY_COLUMNS, summary);
  const measured = await measureGroups(rows, attributes, study, settings);
  await write(FILES.byGroup, BY_GROUP_COLUMNS, await byGroupRows(measured, study, settings));
  const { gaps, deltas } = await gapRows(measured, study, settings);
  await write(FILES.gaps, GAP_COLUMNS, gaps);
  await write(FILES.gapDeltas, DELTA_COLUMNS, deltas);
  const association = await associationRows(rows, attributes, study, settings);
  await write(FILES.association, ASSOCIATION_COLUMNS, association);
  for (const [side, { name }] of study.sides.entries()) {
    await write(confusionFile(name), CONFUSION_COLUMNS, await confusionRows(rows, study, side, settings));
  }
  await writeJson(join(folder, FILES.settings), settings);
  return { settings, summary, gaps, gapDeltas: deltas, association };
}
