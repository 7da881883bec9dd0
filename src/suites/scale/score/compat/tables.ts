/** All tables of the original, as files in a folder. */
import { join } from 'node:path';
import { writeCsv } from '../../../../report/index.ts';
import type { Attribute } from '../attributes/index.ts';
import type { CountedRow } from '../counted.ts';
import { confusionFile, FILES } from '../files.ts';
import type { Side } from '../sides.ts';
import { associationTable, gapDeltasTable, gapsTable } from './associations.ts';
import { pythonCells } from './layout.ts';
import { byGroupTable, confusionTable, summaryTable } from './summaries.ts';
import type { OriginalTable } from './table.ts';

/** The tables by the names of their files. */
export function originalTables(
  rows: readonly CountedRow[],
  sides: readonly Side[],
  attributes: readonly Attribute[],
): Record<string, OriginalTable> {
  const byGroup = byGroupTable(rows, sides, attributes);
  const gaps = gapsTable(byGroup, sides);
  return {
    [FILES.summary]: summaryTable(rows, sides),
    [FILES.byGroup]: byGroup,
    [FILES.gaps]: gaps,
    [FILES.gapDeltas]: gapDeltasTable(gaps, sides),
    [FILES.association]: associationTable(rows, sides, attributes),
    ...Object.fromEntries(
      sides.map((side, index) => [confusionFile(side.name), confusionTable(rows, side, index)]),
    ),
  };
}

/** Writes the tables into `folder`, and gives the names of the files. */
export async function writeOriginalTables(
  folder: string,
  ...parts: Parameters<typeof originalTables>
): Promise<string[]> {
  const tables = originalTables(...parts);
  for (const [name, { columns, rows, whole = [] }] of Object.entries(tables)) {
    const cells = rows.map((row) => {
      const counts = Object.fromEntries(whole.map((column) => [column, row[column]]));
      return { ...pythonCells(row), ...counts };
    });
    await writeCsv(
      join(folder, name),
      columns.map((key) => ({ key })),
      cells,
      { lineFeed: true },
    );
  }
  return Object.keys(tables);
}
