/** Numbers by occupation out of a file, for suites that correlate with them. */
import { z } from 'zod';
import type { OccupationStatistic } from '../contract/index.ts';
import { tableFile } from '../dataset/index.ts';
import { AuditError } from '../errors.ts';

const occupationRow = z.looseObject({ occupation: z.string().min(1) });

/**
 * Reads a table of numbers by occupation: a column `occupation`, and every other one whose values are numbers, or
 * empty where an occupation has none. Throws `data_malformed` where there is none, and for an occupation that comes twice.
 */
export async function readOccupations(file: string): Promise<OccupationStatistic[]> {
  const rows = await tableFile(file, occupationRow);
  const names = [...new Set(rows.flatMap(Object.keys))].filter((name) => name !== 'occupation');
  const columns = new Map(names.map((name) => [name, numbersOf(rows.map((row) => row[name]))]));
  // The year of a figure is no figure.
  const numeric = names.filter((name) => {
    const cells = columns.get(name)!.filter((cell) => cell !== null);
    return cells.length > 0 && cells.every(Number.isFinite) && !/(?:^|_)year$/i.test(name);
  });
  if (numeric.length === 0) {
    throw new AuditError(
      'data_malformed',
      `${file} has no column of numbers beside occupation (it has ${names.join(', ') || 'no other'}); give one, such as the share of women`,
      { file },
    );
  }
  checkOnce(file, rows);
  return numeric.map((name) => ({
    name,
    values: new Map(
      rows.flatMap(({ occupation }, index) => {
        const number = columns.get(name)![index]!;
        return number === null ? [] : [[occupation.toLowerCase(), number] as const];
      }),
    ),
  }));
}

const COMMA_DECIMAL = /^\s*-?\d+(?:,\d+)?\s*$/;
/** Not to be taken for thousands: another number of places than three, or nothing in front. */
const CERTAIN = /^\s*-?(?:0,|\d+,(?!\d{3}\s*$))/;

/** The cells of a column as numbers, null of empty ones; with decimal commas where the column shows that it has them. */
function numbersOf(cells: readonly unknown[]): readonly (number | null)[] {
  const texts = cells.filter((cell) => !isEmpty(cell)).map(String);
  const commas = texts.every((text) => COMMA_DECIMAL.test(text)) && texts.some((text) => CERTAIN.test(text));
  return cells.map((cell) => {
    if (isEmpty(cell)) return null;
    return Number(commas ? String(cell).replace(',', '.') : cell);
  });
}

function isEmpty(cell: unknown): boolean {
  return cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '');
}

/** As the suites look them up: by lower case. */
function checkOnce(file: string, rows: readonly { readonly occupation: string }[]): void {
  const first = new Map<string, number>();
  rows.forEach(({ occupation }, index) => {
    const before = first.get(occupation.toLowerCase());
    if (before !== undefined) {
      throw new AuditError(
        'data_malformed',
        `${file}: row ${index + 1}: ${JSON.stringify(occupation)} is row ${before + 1} already; remove one of the two`,
        { file, index, key: 'occupation' },
      );
    }
    first.set(occupation.toLowerCase(), index);
  });
}
