/**
 * Tables for a terminal: no frame, one rule under the head, numbers to the right. Cells may hold text out of data or
 * models, which must not steer the terminal: control characters are shown, not sent.
 */
import Table from 'cli-table3';
import colors from 'picocolors';
import { ABSENT, formatNumber } from './format.ts';

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
  /** Longest text, in characters; more is cut and ends in an ellipsis. */
  readonly maxWidth?: number;
}

export interface TableOptions {
  /** Told by the terminal and by NO_COLOR unless said. */
  readonly color?: boolean;
}

/** The table as text, without a line break at its end and without spaces at the ends of lines. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly Row[],
  options: TableOptions = {},
): string {
  const paint = colors.createColors(options.color ?? wantsColor());
  const table = new Table({
    head: columns.map(({ key, header }) => paint.bold(plain(header ?? key))),
    colAligns: columns.map((column) => alignmentOf(column, rows)),
    chars: BARE,
    // Styles of its own would colour whatever the terminal.
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...rows.map((row) => columns.map((column) => cellText(column, row[column.key]))));
  const [head, ...body] = table.toString().split('\n');
  const lines = [head ?? '', paint.dim('─'.repeat(table.width)), ...body];
  if (rows.length === 0) lines.push(paint.dim('(no rows)'));
  return lines.map((line) => line.trimEnd()).join('\n');
}

/** Colour only for a terminal, and not where it is refused (no-color.org) or cannot be shown. */
export function wantsColor(
  stream: { readonly isTTY?: boolean } = process.stdout,
  environment: NodeJS.ProcessEnv = process.env,
): boolean {
  return stream.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb';
}

// Nothing but two spaces between columns; the rule under the head is drawn here, as cli-table3 would draw it between all rows.
const BARE = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

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
  const text = plain(value);
  const characters = [...text];
  if (maxWidth === undefined || characters.length <= maxWidth) return text;
  return `${characters.slice(0, Math.max(maxWidth - 1, 0)).join('')}…`;
}

/** Text on one line: breaks become spaces, other control characters and marks of direction are spelt out. */
function plain(text: string): string {
  return text
    .replace(/\r\n|[\r\n\t\u2028\u2029]/g, ' ')
    .replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, (character) => {
      const code = character.codePointAt(0) ?? 0;
      return `\\u${code.toString(16).padStart(4, '0')}`;
    });
}
