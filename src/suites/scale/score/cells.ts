/** Cells of CSV files that stages write and read back: numbers, yes and no, and what is missing. */
import { AuditError } from '../../../errors.ts';

/** A row of a CSV file, by column. */
export type Cells = Readonly<Record<string, string>>;

/** Where a cell is, for messages. */
export interface CellPlace {
  readonly file: string;
  readonly line: number;
}

/** The number in a cell; null for an empty one. Throws `row_invalid` for anything else. */
export function numberIn(cells: Cells, column: string, place: CellPlace): number | null {
  const text = cells[column]?.trim() ?? '';
  if (text === '') return null;
  const number = Number(text);
  if (Number.isFinite(number)) return number;
  throw badCell(column, text, 'a number', place);
}

/** True and False as Python writes them, true and false, 1 and 0; null for an empty cell. Throws `row_invalid`. */
export function flagIn(cells: Cells, column: string, place: CellPlace): boolean | null {
  const text = cells[column]?.trim().toLowerCase() ?? '';
  if (text === '') return null;
  if (text === 'true' || text === '1' || text === '1.0') return true;
  if (text === 'false' || text === '0' || text === '0.0') return false;
  throw badCell(column, text, 'true or false', place);
}

/** The text in a cell; null for an empty one. */
export function textIn(cells: Cells, column: string): string | null {
  const text = cells[column];
  return text === undefined || text === '' ? null : text;
}

/** Throws `data_malformed` for columns that a file lacks. */
export function requireColumns(
  columns: readonly string[],
  needed: readonly string[],
  file: string,
  remedy: string,
): void {
  const missing = needed.filter((column) => !columns.includes(column));
  if (missing.length === 0) return;
  const names = missing.map((column) => `"${column}"`).join(', ');
  const what = missing.length === 1 ? 'column' : 'columns';
  throw new AuditError('data_malformed', `${file} has no ${what} ${names}; ${remedy}`, { file, missing });
}

function badCell(column: string, text: string, wanted: string, { file, line }: CellPlace): AuditError {
  return new AuditError(
    'row_invalid',
    `${file}: line ${line}: ${column} is ${JSON.stringify(text.slice(0, 40))}; give ${wanted}, or nothing`,
    { file, line, column },
  );
}
