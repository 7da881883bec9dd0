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

function escapeCell(text: string): string {
  return text.replace(/[\\|*_`<>~&$]|\](?=[([:])/g, (mark) => `\\${mark}`);
}
