/** Scores as tables for a terminal. */

import { interval } from '../../../numbers/estimate.ts';
import {
  type Column,
  formatCount,
  formatInterval,
  formatPercent,
  type Row,
  renderTable,
} from '../../../report/index.ts';
import type { GroupScores, ScoredFile, TidyRow } from '../score/index.ts';
import { FIELDS } from '../score/index.ts';

const COUNTS: readonly Column[] = [{ key: 'rows', format: formatCount }];

const SHOWN_REASONS = 4;

/** One file: a row for all, and one a category. */
export function fileSheet({ overall, byCategory }: ScoredFile): string {
  const groups: [string, GroupScores][] = [['overall', overall], ...byCategory];
  return scoresTable('category', groups);
}

/** Many files: a row each. */
export function filesSheet(files: readonly ScoredFile[]): string {
  return scoresTable(
    'file',
    files.map(({ name, overall }) => [name, overall]),
  );
}

function scoresTable(first: string, groups: readonly (readonly [string, GroupScores])[]): string {
  const shown = FIELDS.filter(({ key }) => groups.some(([, { fields }]) => fields.has(key)));
  const columns: Column[] = [
    { key: first },
    ...shown.map(({ key, title }): Column => ({ key, header: title, align: 'right' })),
    ...COUNTS,
  ];
  const rows = groups.map(
    ([name, { rows, fields }]): Row => ({
      [first]: name,
      rows,
      ...Object.fromEntries(shown.map(({ key }) => [key, formatPercent(fields.get(key)?.value)])),
    }),
  );
  return renderTable(columns, rows);
}

/** The totals of each model and category, and why one is missing. */
export function totalsSheet(rows: readonly TidyRow[]): string {
  const byPlace = new Map<string, Record<string, string | number | null>>();
  const reasons: string[] = [];
  for (const { model, category, metric, value, ciLow, ciHigh, n, templates, scenarios, reason } of rows) {
    if (!/^[A-Z]+_total$/.test(metric)) continue;
    const key = JSON.stringify([model, category]);
    const row = byPlace.get(key) ?? { model, category, templates, scenarios };
    row[metric] = formatInterval(value, interval(ciLow, ciHigh), 4);
    row[`${metric} n`] = n;
    byPlace.set(key, row);
    if (reason !== null) reasons.push(`${model}, ${category}, ${metric}: ${reason}`);
  }
  const all = [...byPlace.values()];
  const totals = [...new Set(all.flatMap(Object.keys))].filter((key) => /_total(?: n)?$/.test(key));
  const columns: Column[] = [
    { key: 'model' },
    { key: 'category' },
    ...totals.map((key): Column => ({ key, align: 'right' })),
    { key: 'templates', format: formatCount },
    { key: 'scenarios', format: formatCount },
  ];
  const more = reasons.length - SHOWN_REASONS;
  return [
    renderTable(columns, all),
    ...reasons.slice(0, SHOWN_REASONS),
    ...(more > 0
      ? [`and ${formatCount(more)} more totals without a value: see the reasons in the table`]
      : []),
  ].join('\n');
}
