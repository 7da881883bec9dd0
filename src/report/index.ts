/** Public API of this folder: numbers for people, tables for terminals, CSV and JSON files for programs. */
export { Alike } from './alike.ts';
export type { CsvColumn, CsvFile, CsvOptions } from './csv.ts';
export { formatCsv, guardSpreadsheets, openCsv, writeCsv } from './csv.ts';
export { FlatColumns, flatten, type Nested } from './flatten.ts';
export {
  ABSENT,
  formatBytes,
  formatCount,
  formatDuration,
  formatInterval,
  formatMetric,
  formatNumber,
  formatOutOf,
  formatP,
  formatPercent,
  formatPoints,
  formatRate,
  formatUnbiased,
} from './format.ts';
export { formatJson, writeJson } from './json.ts';
export { markdownCode, markdownTable, markdownText } from './markdown.ts';
export { type FloatTree, pythonFloat, pythonJson } from './python.ts';
export type { Cell, Column, Row, TableOptions } from './table.ts';
export { renderTable } from './table.ts';
export { textWidth } from './width.ts';
