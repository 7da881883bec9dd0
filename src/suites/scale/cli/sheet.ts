/** What the stages found, as tables for a terminal. */

import { interval } from '../../../numbers/estimate.ts';
import {
  type Column,
  formatCount,
  formatInterval,
  formatOutOf,
  formatP,
  formatPercent,
  renderTable,
} from '../../../report/index.ts';
import type { AssociationRow, Evaluation, GapRow, Ingested, OwnTables, SummaryRow } from '../score/index.ts';

/** Metrics that a terminal has room for, by subscale. */
const SHOWN: readonly { readonly metric: string; readonly title: string; readonly percent: boolean }[] = [
  { metric: 'mae', title: 'MAE', percent: false },
  { metric: 'exact_acc', title: 'exact', percent: true },
  { metric: 'band_acc', title: 'band', percent: true },
];
/** A corrected p-value below it is told. */
const NOTABLE = 0.05;
const SHOWN_TESTS = 5;

/** How many answers were read, by tier, and why the others were not. */
export function ingestSheet({ rows, parsed, parseSuccess, errorsByKind, repaired }: Ingested): string {
  const kinds = Object.entries(errorsByKind).map(([kind, count]) => `${kind} ${formatCount(count)}`);
  return [
    renderTable(
      [
        { key: 'tier' },
        { key: 'rows', format: formatCount },
        { key: 'parsed', format: formatCount },
        { key: 'success', header: 'parse_success', align: 'right' },
        { key: 'remark', header: '' },
      ],
      parseSuccess.map((success) => ({
        tier: success.tier,
        rows: success.rows,
        parsed: success.parsed,
        success: formatPercent(success.parse_success, interval(success.ci_low, success.ci_high)),
        remark: success.known === false ? 'no tier of the scale' : '',
      })),
    ),
    '',
    `${formatOutOf(parsed, rows)} answers read, ${formatCount(repaired)} of them repaired`,
    ...(kinds.length === 0 ? [] : [`not read: ${kinds.join(', ')}`]),
  ].join('\n');
}

/** "171 of 214 rows scored; error 37, ...". */
export function evaluationLine({ rows, statuses }: Evaluation): string {
  const { scored, error, unmatched, no_truth: noTruth } = statuses;
  return (
    `${formatOutOf(scored, rows)} rows count; ${formatCount(error)} failed, ` +
    `${formatCount(unmatched)} of nobody, ${formatCount(noTruth)} without a score of the participant`
  );
}

export function tablesSheet({ settings, summary, gaps, association }: OwnTables): string {
  return [
    `errors by tier [${formatPercent(settings.level, null, 0)} interval]`,
    '',
    summarySheet(summary),
    '',
    ...widestGaps(gaps),
    ...testLines(association),
  ].join('\n');
}

function summarySheet(summary: readonly SummaryRow[]): string {
  const tiers = [...new Set(summary.map(({ tier }) => tier))];
  const subscales = [...new Set(summary.map(({ subscale }) => subscale))].filter((name) => name !== 'all');
  const columns: Column[] = [
    { key: 'tier' },
    ...subscales.flatMap((subscale) => [
      ...SHOWN.map(
        ({ metric, title }): Column => ({
          key: `${metric} ${subscale}`,
          header: `${subscale} ${title}`,
          align: 'right',
        }),
      ),
      { key: `n ${subscale}`, header: 'n', format: formatCount } satisfies Column,
    ]),
  ];
  const rows = tiers.map((tier) => {
    const own = summary.filter((row) => row.tier === tier);
    const cells = subscales.flatMap((subscale) => [
      ...SHOWN.map(({ metric, percent }) => {
        const found = own.find((row) => row.subscale === subscale && row.metric === metric);
        return [`${metric} ${subscale}`, found === undefined ? null : estimate(found, percent)] as const;
      }),
      [`n ${subscale}`, own.find((row) => row.subscale === subscale && row.metric === 'mae')?.n] as const,
    ]);
    return { tier, ...Object.fromEntries(cells) };
  });
  return renderTable(columns, rows);
}

function estimate({ value, ci_low, ci_high }: SummaryRow, percent: boolean): string {
  const ci = interval(ci_low, ci_high);
  return percent ? formatPercent(value, ci, 0) : formatInterval(value, ci);
}

/** Of each attribute the tier and subscale at which groups lie furthest apart. */
function widestGaps(gaps: readonly GapRow[]): string[] {
  const widest = new Map<string, GapRow>();
  for (const row of gaps) {
    const before = widest.get(row.attribute);
    if (row.gap !== null && (before === undefined || row.gap > before.gap!)) widest.set(row.attribute, row);
  }
  if (widest.size === 0) return [];
  const rows = [...widest.values()].map((row) => ({
    attribute: row.attribute,
    where: `${row.tier}, ${row.subscale}`,
    gap: formatInterval(row.gap, interval(row.ci_low, row.ci_high)),
    least: `${row.min_group} (n ${row.min_n})`,
    most: `${row.max_group} (n ${row.max_n})`,
  }));
  const columns: Column[] = [
    { key: 'attribute' },
    { key: 'where', header: 'widest at' },
    { key: 'gap', header: 'gap of MAE', align: 'right' },
    { key: 'least', header: 'least error', maxWidth: 32 },
    { key: 'most', header: 'most error', maxWidth: 32 },
  ];
  return [renderTable(columns, rows), ''];
}

function testLines(association: readonly AssociationRow[]): string[] {
  const tests = association.filter(({ p_value }) => p_value !== null);
  if (tests.length === 0) return [];
  const notable = tests
    .filter(({ p_holm }) => p_holm !== null && p_holm < NOTABLE)
    .sort((a, b) => a.p_holm! - b.p_holm!);
  const shown = notable
    .slice(0, SHOWN_TESTS)
    .map(
      (row) =>
        `  ${row.attribute}, ${row.tier}, ${row.error} of ${row.subscale} (${row.test}): p ${formatP(row.p_holm)}, uncorrected ${formatP(row.p_value)}`,
    );
  const more = notable.length - shown.length;
  return [
    `${formatOutOf(notable.length, tests.length)} tests of errors against attributes have a corrected p below ${NOTABLE}${notable.length === 0 ? '' : ':'}`,
    ...shown,
    ...(more > 0 ? [`  and ${formatCount(more)} more: see the table`] : []),
  ];
}

/** What of the tables is printed as JSON. */
export function tablesJson({ settings, summary, gaps, gapDeltas, association }: OwnTables) {
  return { settings, summary, gaps, gapDeltas, association };
}
