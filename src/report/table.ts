/**
 * Tables for a terminal: no frame, one rule under the head, numbers to the right. Cells may hold text out of data or
 * models, which must not steer the terminal: control characters are shown, not sent.
 */

import { ABSENT, formatNumber } from './format.ts';
import { styles, visibleLine, wantsColor } from './terminal.ts';
import { cutToWidth, textWidth } from './width.ts';

export type Cell = string | number | boolean | null | undefined;

/** One value by column key. */
export type Row = Readonly<Record<string, Cell>>;

export interface Column {
  readonly key: string;
  /** The key unless said. */
  readonly header?: string;
  /** Right if every value of the column is a number or absent, else left. */
  readonly align?: 'left' | 'right';
  /** How to write a number; `formatNumber` unless said. */
  readonly format?: (value: number) => string;
  /** Longest text, in columns of the terminal; more is cut and ends in an ellipsis. */
  readonly maxWidth?: number;
}

export interface TableOptions {
  /** As the terminal and NO_COLOR have it unless said. */
  readonly color?: boolean;
}

/** The table as text, without a line break at its end and without spaces at the ends of lines. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly Row[],
  options: TableOptions = {},
): string {
  const paint = styles(options.color ?? wantsColor());
  const heads = columns.map(({ key, header }) => visibleLine(header ?? key));
  const cells = rows.map((row) => columns.map((column) => cellText(column, row[column.key])));
  const widths = heads.map((head, at) =>
    cells.reduce((most, line) => Math.max(most, textWidth(line[at]!)), textWidth(head)),
  );
  const sides = columns.map((column) => alignmentOf(column, rows));
  const line = (texts: readonly string[]) =>
    texts
      .map((text, at) => {
        const room = ' '.repeat(widths[at]! - textWidth(text));
        return sides[at] === 'right' ? room + text : text + room;
      })
      .join('  ')
      .trimEnd();
  const ruled = widths.reduce((sum, width) => sum + width, 2 * (widths.length - 1));
  const lines = [paint.bold(line(heads)), paint.dim('─'.repeat(ruled)), ...cells.map(line)];
  if (rows.length === 0) lines.push(paint.dim('(no rows)'));
  return lines.join('\n');
}

export function alignmentOf({ key, align }: Column, rows: readonly Row[]): 'left' | 'right' {
  if (align !== undefined) return align;
  const values = rows.map((row) => row[key]).filter((value) => value !== null && value !== undefined);
  return values.length > 0 && values.every((value) => typeof value === 'number') ? 'right' : 'left';
}

/** A cell as text on one line, without what would steer a terminal. */
export function cellText({ format = (value) => formatNumber(value), maxWidth }: Column, value: Cell): string {
  if (value === null || value === undefined) return ABSENT;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return Number.isFinite(value) ? format(value) : ABSENT;
  const text = visibleLine(value);
  return maxWidth === undefined ? text : cutToWidth(text, maxWidth);
}
