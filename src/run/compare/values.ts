/** What each row of a run, or each pair of its rows, contributes to a metric: the values that two runs are compared by. */

import type { Fields, MetricDefinition, Ratio, RowIdentity } from '../../contract/index.ts';
import { AuditError } from '../../errors.ts';
import { NO_CRC } from '../../files/sealed-line.ts';
import { ClusterNumbers, ownCluster, type RowClusters } from '../accumulate/clusters.ts';
import { type DrawnWith, drawnWith } from '../accumulate/composite.ts';
import { Pairs } from '../accumulate/pairs.ts';
import { checkJournalOf, readCheckedJournal } from '../journal.ts';
import type { StoredRun } from '../stored.ts';

/** What a row (or a pair of rows) has, and the clusters that it is in. */
export interface RowValue {
  readonly value: number;
  readonly clusters: RowClusters;
}

/** By row (or by pair of rows); what was not measured is not there. */
export type Values = ReadonlyMap<string, RowValue>;
export type Parts = ReadonlyMap<string, { readonly clusters: DrawnWith; readonly parts: readonly Ratio[] }>;

/** One collector for each rule. Correlations have no value a row. */
export class Collector {
  readonly metric: MetricDefinition;
  readonly #values = new Map<string, RowValue>();
  readonly #pairs = new Pairs();
  readonly #parts = new Map<string, { clusters: DrawnWith; parts: readonly Ratio[] }>();

  constructor(metric: MetricDefinition) {
    this.metric = metric;
  }

  add(row: number, result: Fields, slices: RowIdentity['slices'], clusters = ownCluster(row)): void {
    const { metric } = this;
    const key = String(row);
    switch (metric.kind) {
      case 'mean': {
        const { values, gate } = metric.steps(result, slices);
        const counted = values.filter((_, step) => gate?.[step] !== 0);
        // The row's own mean: two models need not open the same steps.
        if (counted.length > 0) {
          const value = counted.reduce((sum, step) => sum + step, 0) / counted.length;
          this.#values.set(key, { value, clusters });
        }
        return;
      }
      case 'share': {
        const hit = metric.hit(result, slices);
        if (hit !== null) this.#values.set(key, { value: Number(hit), clusters });
        return;
      }
      case 'difference':
      case 'pairShare': {
        const own = metric.side(result, slices);
        if (own !== null) this.#pairs.add(own, clusters);
        return;
      }
      case 'composite': {
        const parts = metric.parts(result, slices);
        if (parts !== null) {
          this.#parts.set(key, { clusters: drawnWith(metric, row, result, slices, clusters), parts });
        }
        return;
      }
      case 'correlation':
        return;
    }
  }

  get values(): Values {
    const { metric } = this;
    for (const { pair, a, b, clusters } of this.#pairs.whole()) {
      const value = metric.kind === 'pairShare' ? Number(metric.hit(a, b)) : a - b;
      this.#values.set(pair, { value, clusters });
    }
    return this.#values;
  }

  get parts(): Parts {
    return this.#parts;
  }
}

/** The rows of a part of a run. `slice` and `value` are null for all rows. */
export interface Part {
  readonly slice: string | null;
  readonly value: string | null;
  readonly collectors: readonly Collector[];
}

/** What a run's journal holds for the metrics. */
export interface CollectedRun {
  /** All rows first, then the values of each slice in order of appearance. */
  readonly parts: readonly Part[];
  /** The names of each measured row's clusters, as JSON; {} of a row that is its own. */
  readonly clusters: ReadonlyMap<number, string>;
}

/** Reads a run's journal once and collects for every metric, and with `slices` for every value of each slice too. Throws `data_malformed` where rows are missing or others. */
export async function collect(
  { folder, suite, manifest }: StoredRun,
  metrics: readonly MetricDefinition[],
  slices: readonly string[] = [],
): Promise<CollectedRun> {
  const make = (slice: string | null, value: string | null): Part => ({
    slice,
    value,
    collectors: metrics.map((metric) => new Collector(metric)),
  });
  const whole = make(null, null);
  const bySlice = new Map(slices.map((slice) => [slice, new Map<string, Part>()]));
  const named = new Map<number, string>();
  const numbers = new ClusterNumbers();
  let [rows, last] = [0, NO_CRC];
  for await (const { entry, crc } of readCheckedJournal(folder.journal, suite.slices)) {
    rows += 1;
    last = crc;
    if (entry.status !== 'ok') continue;
    const clusters = numbers.of(entry.row, entry.clusters);
    named.set(entry.row, JSON.stringify(entry.clusters ?? {}));
    const parts = [whole];
    for (const [slice, values] of bySlice) {
      const value = entry.slices[slice] ?? null;
      if (value === null) continue;
      const part = values.get(value) ?? make(slice, value);
      values.set(value, part);
      parts.push(part);
    }
    for (const { collectors } of parts) {
      for (const collector of collectors) collector.add(entry.row, entry.result, entry.slices, clusters);
    }
  }
  const wanted = manifest.counts?.rows ?? manifest.data.rows;
  if (rows !== wanted) {
    const message = `${folder.journal} has ${rows} rows where the manifest counts ${wanted}; the run is damaged, make it again`;
    throw new AuditError('data_malformed', message, { file: folder.journal, rows });
  }
  checkJournalOf(folder.journal, last, { file: folder.manifest, journalCrc: manifest.journalCrc32 });
  return {
    parts: [whole, ...[...bySlice.values()].flatMap((values) => [...values.values()])],
    clusters: named,
  };
}

/** Throws `bad_argument` where a row that both runs measured is in other clusters in either: intervals rest on one partition. */
export function assertSameClusters(a: StoredRun, b: StoredRun, ofA: CollectedRun, ofB: CollectedRun): void {
  for (const [row, clusters] of ofA.clusters) {
    const others = ofB.clusters.get(row);
    if (others === undefined || others === clusters) continue;
    throw new AuditError(
      'bad_argument',
      `${a.folder.path} and ${b.folder.path}: row ${row} is in the clusters ${clusters} in one and ${others} in the other; run both by one version with the same --cluster`,
      { row },
    );
  }
}
