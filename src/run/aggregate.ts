/**
 * From the journal to the numbers of a run: every metric over all rows and over each slice, with its interval.
 * The statistics are the metrics addon's; here rows are only sorted into columns.
 */
import type { MetricDefinition, RunCounts } from '../contract/index.ts';
import {
  type Accumulator,
  accumulatorOf,
  ClusterNumbers,
  type IntervalOptions,
  type MetricValue,
  type RowClusters,
} from './accumulate/index.ts';
import { adjustAll } from './adjust.ts';
import type { JournalEntry } from './journal.ts';

export interface AggregatedMetric {
  readonly name: string;
  readonly label: string;
  readonly shown: NonNullable<MetricDefinition['shown']>;
  readonly value: MetricValue;
}

/** The metrics of a part of the rows. `slice` and `value` are null for all rows. */
export interface SliceSummary {
  readonly slice: string | null;
  readonly value: string | null;
  readonly counts: RunCounts;
  readonly metrics: readonly AggregatedMetric[];
}

class SliceAccumulator {
  readonly #metrics: readonly MetricDefinition[];
  readonly #accumulators: readonly Accumulator[];
  #ok = 0;
  #failed = 0;
  #skipped = 0;

  constructor(metrics: readonly MetricDefinition[]) {
    this.#metrics = metrics;
    this.#accumulators = metrics.map(accumulatorOf);
  }

  add(entry: JournalEntry, clusters: RowClusters): void {
    if (entry.status === 'failed') {
      this.#failed += 1;
      return;
    }
    if (entry.status === 'skipped') {
      this.#skipped += 1;
      for (const accumulator of this.#accumulators) accumulator.addSkipped(entry.row);
      return;
    }
    this.#ok += 1;
    for (const accumulator of this.#accumulators) {
      accumulator.add(entry.row, entry.result, entry.slices, clusters);
    }
  }

  async summary(slice: string | null, value: string | null, options: IntervalOptions): Promise<SliceSummary> {
    const [ok, failed, skipped] = [this.#ok, this.#failed, this.#skipped];
    const metrics = await Promise.all(
      this.#metrics.map(async ({ name, label, shown = 'number' }, m) => ({
        name,
        label,
        shown,
        value: await this.#accumulators[m]!.value(options),
      })),
    );
    return { slice, value, counts: { rows: ok + failed + skipped, ok, failed, skipped }, metrics };
  }
}

/** The summary of all rows first, then one per value of each slice column, values in order of appearance. */
export async function aggregateRows(
  metrics: readonly MetricDefinition[],
  slices: readonly string[],
  entries: AsyncIterable<JournalEntry>,
  options: IntervalOptions,
): Promise<SliceSummary[]> {
  const whole = new SliceAccumulator(metrics);
  const bySlice = new Map(slices.map((slice) => [slice, new Map<string, SliceAccumulator>()]));
  const numbers = new ClusterNumbers();
  for await (const entry of entries) {
    const clusters = numbers.of(entry.row, entry.clusters);
    whole.add(entry, clusters);
    for (const [slice, byValue] of bySlice) {
      const value = entry.slices[slice] ?? null;
      if (value === null) continue;
      let part = byValue.get(value);
      if (!part) {
        part = new SliceAccumulator(metrics);
        byValue.set(value, part);
      }
      part.add(entry, clusters);
    }
  }
  const summaries = [await whole.summary(null, null, options)];
  for (const [slice, byValue] of bySlice) {
    for (const [value, part] of byValue) summaries.push(await part.summary(slice, value, options));
  }
  return adjusted(summaries);
}

/** Every p-value of an unbiased value is of one family, whatever its metric and its rows: they stand in one table. */
function adjusted(summaries: readonly SliceSummary[]): SliceSummary[] {
  const all = summaries.flatMap(({ metrics }) => metrics);
  const family = adjustAll(all.map(({ value }) => value.unbiased?.pValue ?? null)).values();
  return summaries.map((summary) => ({
    ...summary,
    metrics: summary.metrics.map(({ value, ...metric }) => {
      const own = family.next().value!;
      return {
        ...metric,
        value: value.unbiased ? { ...value, unbiased: { ...value.unbiased, ...own } } : value,
      };
    }),
  }));
}
