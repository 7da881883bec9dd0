/** What `run` prints once it is done. */
import { describeThreads, isQuantised, type Usage } from '../../model/index.ts';
import {
  formatCount,
  formatMetric,
  formatNumber,
  formatP,
  formatPercent,
  formatUnbiased,
  renderTable,
} from '../../report/index.ts';
import {
  type ClusterInfo,
  type Manifest,
  partOfData,
  type RunResult,
  type SliceSummary,
} from '../../run/index.ts';
import { clusterLines } from '../cluster-lines.ts';
import { mappingLines } from '../mapping-sheet.ts';

/** Sums of prices have digits that say nothing. */
const COST_DIGITS = 9;
const MOST_NOTES = 5;

/** What was asked of an endpoint and what it cost. */
export function usageLines(usage: Usage | null): string[] {
  if (!usage) return [];
  const tokens = (count: number | null) => (count === null ? 'not reported' : formatCount(count));
  const tally = (what: string, { requests, inputTokens, outputTokens, cost }: Usage['asked']) =>
    `${formatCount(requests)} answers ${what}; tokens: ${tokens(inputTokens)} in, ${tokens(outputTokens)} out; cost: ${cost === null ? 'not known (--prices)' : Number(cost.toPrecision(COST_DIGITS))}`;
  const { asked, reused, notes = {} } = usage;
  const noted = Object.entries(notes).sort(([, a], [, b]) => b - a);
  return [
    tally('from the endpoint', asked),
    ...(reused.requests > 0 ? [tally('that were there already, not asked again', reused)] : []),
    ...noted.slice(0, MOST_NOTES).map(([note, count]) => `note on ${formatCount(count)} answers: ${note}`),
    ...(noted.length > MOST_NOTES ? [`${noted.length - MOST_NOTES} more notes are in manifest.json`] : []),
  ];
}

/** For programs: the folder, and what metrics.json holds. */
export function runJson({ folder, manifest, metrics, counts, remarks }: RunResult): string {
  const { usage, experiment } = manifest;
  const { limit, sample } = experiment;
  const part = { ...(limit === null ? {} : { limit }), ...(sample ? { sample } : {}) };
  const paid = usage === null ? {} : { usage };
  return JSON.stringify({ runDir: folder.path, ...part, metrics, counts, remarks, ...paid }, null, 2);
}

/** For people. */
export function runSheet({ folder, manifest, summaries, firstFailure, mapping, remarks }: RunResult): string {
  const [whole] = summaries;
  return [
    `${manifest.suite} on ${manifest.model.path}, device ${manifest.devices.join(', ')}`,
    ...modelLines(manifest.model),
    ...(manifest.threads ?? []).map(describeThreads),
    ...manifest.model.adapters.map(({ path, scale }) => `with the LoRA adapter ${path}, scale ${scale}`),
    ...partOfData(manifest.experiment),
    ...countLines(whole!),
    ...(firstFailure === null ? [] : [`the first that failed: ${firstFailure}`]),
    ...(hasNumbers(whole!)
      ? [
          '',
          metricsTable(whole!),
          ...clusterLines(clustersOf(whole!)),
          ...reasonLines(whole!),
          ...biasLines(summaries),
        ]
      : []),
    ...remarks.map((remark) => `note: ${remark}`),
    ...(mapping ? ['', ...mappingLines(mapping, 'lexicon.json lists them'), ''] : ['']),
    ...modeLines(manifest),
    ...usageLines(manifest.usage),
    `written to ${folder.path}`,
  ].join('\n');
}

/** Architecture, size and type of weights, where a file has them. */
export function modelLines({ description, parameters }: Manifest['model']): string[] {
  return parameters === null ? [] : [`${description}, ${formatCount(parameters)} parameters counted`];
}

/** docs/design/engine.md has the figures. */
function modeLines({ engine, model, rounding }: Manifest): string[] {
  if (engine.options.mode !== 'fast' || !isQuantised(model)) return [];
  const head =
    'quantised weights in mode fast: single rows depend on what is decoded beside them (--mode exact: on nothing)';
  if (!rounding) return [head];
  const { rows, texts, meanDifference, maxDifference, preferences, flipped } = rounding;
  const moved = `${formatNumber(meanDifference)} nats in the mean and ${formatNumber(maxDifference)} at most`;
  const turned = preferences === 0 ? '' : `, and ${flipped} of ${preferences} preferences changed sides`;
  return [
    `${head}; ${rows} of the rows decoded alone too: their log-probabilities (of ${texts} texts) moved by ${moved}${turned}`,
  ];
}

/** A table says something unless every row failed. */
function hasNumbers({ counts: { rows, failed } }: SliceSummary): boolean {
  return failed < rows;
}

function countLines({ counts: { rows, ok, failed, skipped } }: SliceSummary): string[] {
  const line = `${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'}: ${formatCount(ok)} measured, ${formatCount(skipped)} skipped, ${formatCount(failed)} failed`;
  return failed + skipped === 0 ? [line] : [`${line} (rows.csv says why)`];
}

function metricsTable({ metrics }: SliceSummary): string {
  const level = metrics.find(({ value }) => value.ci)?.value.ci?.level;
  const interval = level === undefined ? '' : ` [${formatPercent(level, null, 0)} interval]`;
  const gated = metrics.some(({ value }) => value.coverage !== null);
  return renderTable(
    [
      { key: 'metric' },
      { key: 'value', header: `value${interval}`, align: 'right' },
      { key: 'n', format: formatCount },
      ...(gated ? [{ key: 'coverage', align: 'right' } as const] : []),
    ],
    // What these data have nothing of is named below the table.
    metrics
      .filter(({ value }) => value.n > 0)
      .map(({ label, shown, value }) => {
        const { n, coverage } = value;
        return {
          metric: label,
          value: formatMetric(shown, value),
          n,
          coverage: formatPercent(coverage),
        };
      }),
  );
}

/** The numbers that have a value for an unbiased model: how far from it they lie. Nothing where no metric of the suite has one. */
export function biasLines(summaries: readonly SliceSummary[]): string[] {
  const metrics = summaries[0]!.metrics.filter(({ value }) => value.unbiased);
  if (metrics.length === 0) return [];
  const level = metrics.find(({ value }) => value.ci)?.value.ci?.level;
  const interval = level === undefined ? '' : ` [${formatPercent(level, null, 0)} interval]`;
  const tests = summaries
    .flatMap((summary) => summary.metrics)
    .filter(({ value }) => value.unbiased && value.unbiased.pHolm !== null).length;
  return [
    '',
    renderTable(
      [
        { key: 'metric' },
        { key: 'unbiased', align: 'right' },
        { key: 'distance', header: `distance${interval}`, align: 'right' },
        { key: 'p', align: 'right' },
        { key: 'pHolm', header: 'p (Holm)', align: 'right' },
      ],
      metrics.map(({ label, shown, value: { unbiased } }) => {
        const { value, distance, ci, pValue, pHolm } = unbiased!;
        return {
          metric: label,
          unbiased: formatUnbiased(shown, value),
          // A share less a share is in points.
          distance: formatMetric(shown === 'percent' ? 'points' : shown, { value: distance, ci }).replace(
            /^\+/,
            '',
          ),
          p: formatP(pValue),
          pHolm: formatP(pHolm),
        };
      }),
    ),
    ...metrics.flatMap(({ label, value: { unbiased } }) =>
      unbiased?.nullHigh == null
        ? []
        : [
            `${label}: p by exchanging the sides of clusters, under which ${formatPercent(level ?? 0.95, null, 0)} of means lie within ${formatNumber(unbiased.nullHigh)} of 0`,
          ],
    ),
    ...(tests > 0
      ? [
          `p (Holm): adjusted for the ${formatCount(tests)} tests of an unbiased value in summary.csv, slices included`,
        ]
      : []),
  ];
}

export function clustersOf({ metrics }: SliceSummary): (ClusterInfo | undefined)[] {
  return metrics.map(({ value }) => ('clusters' in value ? value.clusters : undefined));
}

/** How many metrics a line of reasons names. */
const SHOWN_LABELS = 3;

/** Why there is no value or no interval, each reason once, with what it concerns. */
function reasonLines({ metrics }: SliceSummary): string[] {
  const labels = new Map<string, string[]>();
  for (const { label, value } of metrics) {
    if (value.reason) labels.set(value.reason, [...(labels.get(value.reason) ?? []), label]);
  }
  return [...labels].map(([reason, own]) => {
    const more = own.length > SHOWN_LABELS ? `; and ${own.length - SHOWN_LABELS} more` : '';
    return `${own.slice(0, SHOWN_LABELS).join('; ')}${more}: ${reason}`;
  });
}
