/**
 * Two runs over the same rows, metric by metric: what either has over the rows that both measured, the paired difference
 * with its interval and p-value, and the p-values adjusted for their number.
 */
import { AuditError } from '../../errors.ts';
import { holm, pairedDifference, percentileInterval } from '../../metrics.ts';
import type { CompositeMetric, MetricDefinition, MetricHead } from '../../suite/index.ts';
import { clusterIdsOf } from '../accumulate/clusters.ts';
import { ClusterSums } from '../accumulate/composite.ts';
import {
  type ClusterInfo,
  checkInterval,
  DEFAULT_SEED,
  type Interval,
  type IntervalOptions,
} from '../accumulate/index.ts';
import { sharesDifference } from '../accumulate/shares-difference.ts';
import type { Manifest } from '../manifest.ts';
import { openRun } from '../stored.ts';
import { assertComparable, comparisonNotes, haveOneTokenizer } from './comparable.ts';
import { type Collector, collect } from './values.ts';

export interface CompareOptions {
  /** Names of metrics, or all of them; default: the suite's headline metrics. */
  readonly metrics?: 'all' | readonly string[];
  /** Default: `cluster`, 0.95. */
  readonly interval?: Partial<IntervalOptions>;
  /** Two models' own chat templates may render the same chats differently; default false: such runs are refused. */
  readonly acrossTemplates?: boolean;
}

export interface Comparison {
  readonly metric: string;
  readonly label: string;
  readonly kind: MetricDefinition['kind'];
  readonly shown: NonNullable<MetricDefinition['shown']>;
  /** Over the rows that both runs measured. */
  readonly a: number | null;
  readonly b: number | null;
  /** a - b. */
  readonly difference: number | null;
  readonly ci: Interval | null;
  /** Two-sided, of no difference. Shares: McNemar's test; where rows are clustered, that of the interval. */
  readonly pValue: number | null;
  /** Adjusted by Holm's method for all metrics that are compared. */
  readonly pHolm: number | null;
  /** False for a metric that runs of different tokenizers are not compared by: it has the two values, and no difference. */
  readonly comparable: boolean;
  /** Rows (or pairs of rows) that both runs measured. */
  readonly n: number;
  /** Those that only one of them did. */
  readonly unmatched: number;
  /** By what the rows were clustered; left out where each row (or pair of rows) is its own cluster. */
  readonly clusters?: ClusterInfo;
  readonly reason?: string;
}

export interface CompareResult {
  readonly suite: string;
  readonly a: Manifest;
  readonly b: Manifest;
  readonly comparisons: readonly Comparison[];
  /** In what the runs differ all the same, such as their prompts. */
  readonly notes: readonly string[];
}

export type Outcome = Omit<Comparison, 'metric' | 'label' | 'kind' | 'shown' | 'pHolm' | 'comparable'>;

/** The keys that both maps have, in the order of the first, and how many only one has. */
function common<T>(
  a: ReadonlyMap<string, T>,
  b: ReadonlyMap<string, T>,
): { keys: string[]; unmatched: number } {
  const keys = [...a.keys()].filter((key) => b.has(key));
  return { keys, unmatched: a.size + b.size - 2 * keys.length };
}

const NOTHING = { a: null, b: null, difference: null, ci: null, pValue: null } as const;

const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;

async function compareValues(a: Collector, b: Collector, interval: IntervalOptions): Promise<Outcome> {
  const [all, others] = [a.values, b.values];
  const { keys, unmatched } = common(all, others);
  const n = keys.length;
  if (n === 0) return { ...NOTHING, n, unmatched, reason: 'no row was measured in both runs' };
  const [first, second] = [all, others].map((values) =>
    Float64Array.from(keys, (key) => values.get(key)!.value),
  ) as [Float64Array, Float64Array];
  const head = { a: mean(first), b: mean(second), n, unmatched };
  // Both runs' rows in the clusters of the first.
  const clustered = clusterIdsOf(keys.map((key) => all.get(key)!.clusters));
  const isShare = a.metric.kind === 'share' || a.metric.kind === 'pairShare';
  if (isShare && !clustered) {
    const { mean: difference, ...found } = sharesDifference(first, second, interval.level);
    return { ...head, difference, ...found };
  }
  const range = differenceRange(isShare ? [0, 1] : a.metric.range);
  const {
    mean: difference,
    ci,
    pValue,
    reason,
  } = await pairedDifference(first, second, {
    ...(clustered?.ids ?? { cluster: Uint32Array.from(keys.keys()) }),
    ...(range ? { range } : {}),
    ...interval,
  });
  return {
    ...head,
    difference,
    ci: ci ?? null,
    pValue: pValue ?? null,
    ...(clustered?.clusters ? { clusters: clustered.clusters } : {}),
    ...reasonOf(reason),
  };
}

/** What the difference of two values of a range can be. */
function differenceRange(range: MetricHead['range']): MetricHead['range'] {
  return range && [range[0] - range[1], range[1] - range[0]];
}

/** Why there is no interval, and why no p-value: each reason once. */
function reasonOf(...reasons: (string | undefined)[]): { reason?: string } {
  const told = [...new Set(reasons.filter((reason) => reason !== undefined))];
  return told.length === 0 ? {} : { reason: told.join('; ') };
}

/** Both runs draw the same clusters of the same rows, so that each resample has a difference of its own. */
async function compareComposites(
  metric: CompositeMetric,
  a: Collector,
  b: Collector,
  interval: IntervalOptions,
): Promise<Outcome> {
  const { keys, unmatched } = common(a.parts, b.parts);
  const n = keys.length;
  if (n === 0) return { ...NOTHING, n, unmatched, reason: 'no row was measured in both runs' };
  const [first, second] = await Promise.all(
    [a, b].map(async ({ parts }) => {
      const sums = new ClusterSums(metric);
      for (const key of keys) {
        // Both runs' rows in the clusters of the first, whatever a cluster is made of.
        sums.add(a.parts.get(key)!.clusters, parts.get(key)!.parts);
      }
      return { ...(await sums.bootstrap(interval)), clusters: sums.clusters };
    }),
  );
  const own = { a: finiteOf(first!.value), b: finiteOf(second!.value), n, unmatched };
  if (own.a === null || own.b === null) {
    return { ...NOTHING, ...own, reason: 'a ratio has nothing below the line' };
  }
  const { ci, pValue, reason } = await differencesOf(first!, second!, interval.level);
  return {
    ...own,
    difference: own.a - own.b,
    ci: ci ?? null,
    pValue: pValue ?? null,
    ...(first!.clusters ? { clusters: first!.clusters } : {}),
    ...reasonOf(reason),
  };
}

const finiteOf = (value: number) => (Number.isFinite(value) ? value : null);

type Bootstrap = Awaited<ReturnType<ClusterSums['bootstrap']>>;

/** Resample by resample. */
async function differencesOf(
  a: Bootstrap,
  b: Bootstrap,
  level: number,
): Promise<{ ci?: Interval | null; pValue?: number | null; reason?: string }> {
  if (!a.resampled || !b.resampled) return a.reason ? { reason: a.reason } : {};
  const others = b.resampled;
  return percentileInterval(
    a.resampled.map((value, draw) => value - others[draw]!),
    { level },
  );
}

/** One metric out of what the rows of two runs say of it. */
export async function compareMetric(a: Collector, b: Collector, interval: IntervalOptions): Promise<Outcome> {
  const { metric } = a;
  if (metric.kind === 'correlation') {
    return { ...NOTHING, n: 0, unmatched: 0, reason: 'correlations are not compared row by row' };
  }
  return metric.kind === 'composite'
    ? compareComposites(metric, a, b, interval)
    : compareValues(a, b, interval);
}

const TWO_TOKENIZERS =
  'tokenizers differ, or are not known: not comparable; across tokenizers shares and figures per byte are';

/** What is left of a metric that is no measure of a difference between these two runs. */
function withoutDifference({ a, b, n, unmatched }: Outcome): Outcome {
  return { ...NOTHING, a, b, n, unmatched, reason: TWO_TOKENIZERS };
}

function chosen(
  metrics: readonly MetricDefinition[],
  headline: readonly string[],
  wanted: CompareOptions['metrics'],
): readonly MetricDefinition[] {
  if (wanted === 'all') return metrics;
  // Which of the headline metrics there are depends on what was asked for.
  const names = wanted ?? headline.filter((name) => metrics.some((metric) => metric.name === name));
  const unknown = names.find((name) => !metrics.some((metric) => metric.name === name));
  if (unknown !== undefined) {
    const known = metrics.map(({ name }) => name).join(', ');
    throw new AuditError('bad_argument', `the runs have no metric "${unknown}"; they have ${known}`, {
      metric: unknown,
    });
  }
  return metrics.filter(({ name }) => names.includes(name));
}

/** The p-values that there are, each adjusted; the others stay null. */
function adjust(outcomes: readonly Outcome[]): (number | null)[] {
  const there = outcomes.flatMap(({ pValue }) => (pValue === null ? [] : [pValue]));
  const adjusted = [...holm(Float64Array.from(there))];
  return outcomes.map(({ pValue }) => (pValue === null ? null : adjusted.shift()!));
}

/**
 * Compares two runs by their folders. Throws what openRun throws, `data_malformed` for a journal that lacks rows, and
 * `bad_argument` where their data, options or prompts differ, for a metric that they do not have, and for an interval
 * that cannot be had.
 */
export async function compareRuns(
  pathA: string,
  pathB: string,
  { metrics: wanted, interval, acrossTemplates = false }: CompareOptions = {},
): Promise<CompareResult> {
  const [a, b] = [await openRun(pathA), await openRun(pathB)];
  assertComparable(a, b, acrossTemplates);
  const metrics = chosen(a.suite.metrics(a.context), a.suite.headline, wanted);
  const complete: IntervalOptions = { ci: 'cluster', level: 0.95, seed: DEFAULT_SEED, ...interval };
  checkInterval(complete, metrics);
  const [ofA, ofB] = [await collect(a, metrics), await collect(b, metrics)];
  const oneTokenizer = haveOneTokenizer(a, b);
  const comparable = metrics.map(({ tokenizerBound = false }) => oneTokenizer || !tokenizerBound);
  const outcomes: Outcome[] = [];
  for (const [m, collector] of ofA.entries()) {
    const outcome = await compareMetric(collector, ofB[m]!, complete);
    outcomes.push(comparable[m] ? outcome : withoutDifference(outcome));
  }
  const adjusted = adjust(outcomes);
  return {
    suite: a.suite.name,
    a: a.manifest,
    b: b.manifest,
    notes: comparisonNotes(a, b),
    comparisons: outcomes.map((outcome, m) => {
      const { name, label, kind, shown = 'number' } = metrics[m]!;
      return {
        ...{ metric: name, label, kind, shown, comparable: comparable[m]! },
        ...outcome,
        pHolm: adjusted[m]!,
      };
    }),
  };
}
