/** Scores of BBQ as a table for people. */

import { formatCount, formatInterval, formatPercent, renderTable } from '../../../report/index.ts';
import {
  type CategoryScore,
  METRICS,
  type Metric,
  type Mode,
  type ScoreResult,
  type SplitScores,
} from '../score/paper/index.ts';
import { reasonsText } from './shared.ts';

const SHOWN_UNRESOLVED = 5;

export function paperSheet(
  { mode, categories, unresolved }: Pick<ScoreResult, 'mode' | 'categories' | 'unresolved'>,
  level: number,
): string {
  const noTarget = categories.reduce((sum, category) => sum + category.noTarget, 0);
  return [
    `BBQ scores (${mode}) [${formatPercent(level, null, 0)} interval]`,
    '',
    renderTable(
      [
        { key: 'category' },
        { key: 'rows', format: formatCount },
        { key: 'unparsed', align: 'right' },
        { key: 'refused', format: formatCount },
        { key: 'noTarget', header: 'no target', format: formatCount },
        { key: 'accuracyAmbiguous', header: 'accuracy, ambiguous', align: 'right' },
        { key: 'accuracyDisambiguated', header: 'disambiguated', align: 'right' },
        { key: 'sAmb', align: 'right' },
        { key: 'sDis', align: 'right' },
      ],
      categories.map((score) => ({
        category: score.category,
        rows: score.rows,
        unparsed: formatPercent(score.unparsedRate),
        refused: score.unparsedReasons.refusal ?? 0,
        noTarget: score.noTarget,
        ...Object.fromEntries(METRICS.map((metric) => [metric, cell(score, metric)])),
      })),
    ),
    clusterLine(categories),
    ...unparsedLines(categories),
    ...reasonLines(categories).map((line) => line),
    ...(noTarget === 0 ? [] : ['', `${formatCount(noTarget)} rows without a target:`]),
    ...unresolved
      .slice(0, SHOWN_UNRESOLVED)
      .map(
        ({ category, reason, tags, rows }) =>
          `  ${formatCount(rows)} of ${category} [${tags.join(', ')}]: ${reason}`,
      ),
    ...(unresolved.length > SHOWN_UNRESOLVED ? ['  ... (--json lists all)'] : []),
  ].join('\n');
}

/** A table for each split, with an empty line between them. */
export function splitSheets(scores: readonly SplitScores[], mode: Mode, level: number): string[] {
  return scores.flatMap(({ split, categories }, at) => [
    ...(at === 0 ? [] : ['']),
    `${split}: ${paperSheet({ mode, categories, unresolved: [] }, level)}`,
  ]);
}

function clusterLine(categories: readonly CategoryScore[]): string {
  const templates = categories.map(({ category, clusters }) => `${category} ${formatCount(clusters)}`);
  return `intervals: rows clustered by template (${templates.join(', ')})`;
}

/** "Age: 60 unparsed: 58 refusal, 2 ambiguous" */
function unparsedLines(categories: readonly CategoryScore[]): string[] {
  return categories.flatMap(({ category, unparsed, unparsedReasons }) =>
    unparsed === 0 ? [] : [`${category}: ${formatCount(unparsed)} unparsed: ${reasonsText(unparsedReasons)}`],
  );
}

/** Why numbers and intervals are absent: what holds of several categories is said once. */
function reasonLines(categories: readonly CategoryScore[]): string[] {
  const named = new Map<string, string[]>();
  for (const metric of METRICS) {
    for (const { category, reasons } of categories) {
      const reason = reasons[metric];
      if (reason === undefined) continue;
      const line = `${metric}: ${reason}`;
      named.set(line, [...(named.get(line) ?? []), category]);
    }
  }
  return [...named].map(([line, names]) => `${names.join(', ')}, ${line}`);
}

function cell(score: CategoryScore, metric: Metric): string {
  const interval = score.ci[metric];
  return metric === 'sAmb' || metric === 'sDis'
    ? formatInterval(score[metric], interval, 4)
    : formatPercent(score[metric], interval);
}
