/** Tables for documents: the cells of {@link renderTable}, in Markdown. */
import { markdownTable as render } from 'markdown-table';
import { alignmentOf, type Column, cellText, type Row } from './table.ts';

/** The table in GitHub's Markdown, without a line break at its end. What Markdown would read in a cell is escaped. */
export function markdownTable(columns: readonly Column[], rows: readonly Row[]): string {
  const cells = rows.map((row) => columns.map((column) => escapeCell(cellText(column, row[column.key]))));
  return render([columns.map(({ key, header }) => escapeCell(header ?? key)), ...cells], {
    align: columns.map((column) => alignmentOf(column, rows)),
  });
}

/** Text as it is, on one line, whatever Markdown would read in it. */
export function markdownText(text: string): string {
  return escapeCell(cellText({ key: '' }, text));
}

/** The same as code: for paths and the like. */
export function markdownCode(text: string): string {
  const line = cellText({ key: '' }, text);
  // The fence is longer than any run of backticks within.
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

function escapeCell(text: string): string {
  return text.replace(/[\\|*_`<>~&$]|\](?=[([:])/g, (mark) => `\\${mark}`);
}
