/**
 * Runs over the same rows, two by two and metric by metric: what either has over the rows that both measured, the paired difference
 * with its interval and p-value, how large it is, and the p-values adjusted for their number.
 */

import type { MetricDefinition } from '../../contract/index.ts';
import { AuditError } from '../../errors.ts';
import { checkIntervals, DEFAULT_SEED, type IntervalOptions } from '../accumulate/index.ts';
import { type Adjusted, adjustAll } from '../adjust.ts';
import type { Manifest } from '../manifest.ts';
import type { StoredRun } from '../stored.ts';
import { assertComparable, comparisonNotes, haveOneTokenizer } from './comparable.ts';
import type { DistanceDifference } from './distance.ts';
import { type Better, type Margin, marginsOf } from './margin.ts';
import { compareMetric, NOTHING, type Outcome } from './outcome.ts';
import { assertSameClusters, type CollectedRun, type Collector, collect } from './values.ts';

export interface CompareOptions {
  /** Names of metrics, or all of them; default: the suite's headline metrics. */
  readonly metrics?: 'all' | readonly string[];
  /** Default: `cluster`, 0.95. */
  readonly interval?: Partial<IntervalOptions>;
  /** Two models' own chat templates may render the same chats differently; default false: such runs are refused. */
  readonly acrossTemplates?: boolean;
  /** Every metric over each value of the suite's slices too; default false. */
  readonly slices?: boolean;
  /** The largest differences that still count as none: equivalence and non-inferiority are tested where one is given. */
  readonly margins?: readonly Margin[];
  /** Which values non-inferiority takes for the better ones; default `higher`. */
  readonly better?: Better;
}

/** How more than two runs are compared. */
export interface CompareRunsOptions extends CompareOptions {
  /** The first run with each later one (the default), or every two. A is the earlier of both. */
  readonly against?: 'first' | 'all';
}

/** The adjusted p-values are for all metrics, slices and pairs of runs that one call compares. */
export interface Comparison extends Omit<Outcome, 'distance'>, Adjusted {
  readonly metric: string;
  readonly label: string;
  readonly kind: MetricDefinition['kind'];
  readonly shown: NonNullable<MetricDefinition['shown']>;
  /** Of a part of the rows; null for all of them. */
  readonly slice: string | null;
  readonly value: string | null;
  /** False for a metric that runs of different tokenizers are not compared by: it has the two values, and no difference. */
  readonly comparable: boolean;
  readonly distance?: DistanceDifference & Adjusted;
}

/** Two runs of one suite over the same rows, metric by metric. */
export interface CompareResult {
  readonly suite: string;
  readonly a: Manifest;
  readonly b: Manifest;
  readonly comparisons: readonly Comparison[];
  /** In what the runs differ all the same, such as their prompts. */
  readonly notes: readonly string[];
}

/** Two of the runs, by their places. */
export interface ComparedPair extends CompareResult {
  readonly places: readonly [a: number, b: number];
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

type Unadjusted = Omit<Comparison, keyof Adjusted | 'distance'> & Pick<Outcome, 'distance'>;

/** Differences are one family, distances another: they are two questions, each asked of every row of the table. */
function adjusted(found: readonly Unadjusted[]): Comparison[] {
  const differences = adjustAll(found.map(({ pValue }) => pValue));
  const distances = adjustAll(found.map(({ distance }) => distance?.pValue ?? null));
  return found.map(({ distance, ...own }, at) => ({
    ...own,
    ...differences[at]!,
    ...(distance ? { distance: { ...distance, ...distances[at]! } } : {}),
  }));
}

/** The parts that both runs have rows of, in the order of the first. */
function* commonParts(a: CollectedRun, b: CollectedRun) {
  const key = (slice: string | null, value: string | null) => JSON.stringify([slice, value]);
  const others = new Map(b.parts.map((part) => [key(part.slice, part.value), part]));
  for (const part of a.parts) {
    const other = others.get(key(part.slice, part.value));
    if (other)
      yield { slice: part.slice, value: part.value, first: part.collectors, second: other.collectors };
  }
}

async function compareOne(
  a: Collector,
  b: Collector,
  oneTokenizer: boolean,
  interval: IntervalOptions,
  margin: number | undefined,
  better: Better | undefined,
): Promise<Omit<Unadjusted, 'slice' | 'value'>> {
  const { name, label, kind, shown = 'number', tokenizerBound = false } = a.metric;
  const comparable = oneTokenizer || !tokenizerBound;
  const outcome = await compareMetric(a, b, interval, comparable ? { margin, better } : {});
  return {
    metric: name,
    label,
    kind,
    shown,
    comparable,
    ...(comparable ? outcome : withoutDifference(outcome)),
  };
}

/**
 * Compares two runs or more, with one adjustment over all pairs, metrics and slices. Throws
 * `data_malformed` for a journal that lacks rows, and `bad_argument` where data, options, prompts or clusters of two that are compared differ, for a metric that they do
 * not have, for an interval that cannot be had, and for a margin that is none.
 */
export async function compareAll(
  runs: readonly StoredRun[],
  {
    metrics: wanted,
    interval,
    acrossTemplates = false,
    slices = false,
    margins = [],
    better,
    against = 'first',
  }: CompareRunsOptions = {},
): Promise<ComparedPair[]> {
  if (runs.length < 2) throw new AuditError('bad_argument', 'give two runs or more to compare');
  const places = placesOf(runs.length, against);
  for (const [a, b] of places) assertComparable(runs[a]!, runs[b]!, acrossTemplates);
  const { suite, context } = runs[0]!;
  const metrics = chosen(suite.metrics(context), suite.headline, wanted);
  const complete: IntervalOptions = { ci: 'cluster', level: 0.95, seed: DEFAULT_SEED, ...interval };
  checkIntervals(complete, metrics);
  const oneTokenizer = places.map(([a, b]) => haveOneTokenizer(runs[a]!, runs[b]!));
  const tested = metrics.filter(
    ({ kind, tokenizerBound = false }) =>
      kind !== 'correlation' && (!tokenizerBound || oneTokenizer.some((one) => one)),
  );
  const marginOf = marginsOf(margins, tested);
  const collected: CollectedRun[] = [];
  for (const run of runs) collected.push(await collect(run, metrics, slices ? suite.slices : []));
  const found: Unadjusted[][] = [];
  for (const [pair, [a, b]] of places.entries()) {
    assertSameClusters(runs[a]!, runs[b]!, collected[a]!, collected[b]!);
    const own: Unadjusted[] = [];
    for (const { slice, value, first, second } of commonParts(collected[a]!, collected[b]!)) {
      for (const [m, collector] of first.entries()) {
        const margin = marginOf.get(collector.metric.name);
        own.push({
          slice,
          value,
          ...(await compareOne(collector, second[m]!, oneTokenizer[pair]!, complete, margin, better)),
        });
      }
    }
    found.push(own);
  }
  const all = adjusted(found.flat()).values();
  return places.map(([a, b], pair) => ({
    places: [a, b],
    suite: suite.name,
    a: runs[a]!.manifest,
    b: runs[b]!.manifest,
    notes: comparisonNotes(runs[a]!, runs[b]!),
    comparisons: found[pair]!.map(() => all.next().value!),
  }));
}

/** A is the earlier of both. */
function placesOf(count: number, against: 'first' | 'all'): [number, number][] {
  const firsts = Array.from({ length: against === 'first' ? 1 : count - 1 }, (_, at) => at);
  return firsts.flatMap((a) =>
    Array.from({ length: count - 1 - a }, (_, at): [number, number] => [a, a + 1 + at]),
  );
}

/** Compares two runs. Throws as {@link compareAll} does. */
export async function compareRuns(
  a: StoredRun,
  b: StoredRun,
  options: CompareOptions = {},
): Promise<CompareResult> {
  const [{ places: _, ...result }] = (await compareAll([a, b], options)) as [ComparedPair];
  return result;
}
