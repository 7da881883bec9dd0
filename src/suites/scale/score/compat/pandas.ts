/** What the original sees through pandas: which cells count as missing. */

/** Cells that `read_csv` takes for missing, as its documentation lists them. */
const MISSING: ReadonlySet<string> = new Set([
  ...['', '#N/A', '#N/A N/A', '#NA', '-1.#IND', '-1.#QNAN', '-NaN', '-nan', '1.#IND', '1.#QNAN'],
  ...['<NA>', 'N/A', 'NA', 'NULL', 'NaN', 'None', 'n/a', 'nan', 'null'],
]);

/** The text of a cell, empty for one that is missing. */
export function pandasCell(text: string): string {
  return MISSING.has(text) ? '' : text;
}
