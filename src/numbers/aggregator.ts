/**
 * The streaming aggregator: a gated mean of steps that come in batches, or from several processes whose parts are merged.
 * Part of `logit-audit/metrics`.
 */
import { checkArgument, checkObject } from '../native/arguments.ts';
import { inPlace } from '../native/memory.ts';
import { callingAsync, callingSync, type MetricsAddon } from '../native/metrics.ts';
import { type AggregateResult, INTERVAL_FIELDS, type IntervalOptions } from './statistics.ts';

type Native = InstanceType<MetricsAddon['Aggregator']>;

/** A batch of steps: values, and where wanted gates and clusters, one a step. */
export type StepColumns = Parameters<Native['add']>[0];

/** All that an aggregator knows, as plain JSON with a format and a version. */
export type AggregatorState = ReturnType<Native['toJSON']>;

/**
 * `add` and `merge` give what `aggregate` gives for all steps at once, however they were cut and in whatever order they
 * were merged. Memory grows with the number of clusters that have a gated step, not with the steps; steps without
 * clusters are clusters of their own, and their values are kept.
 */
export class Aggregator {
  readonly #native: Native;

  constructor() {
    this.#native = callingSync((addon) => new addon.Aggregator());
  }

  /**
   * Adds a batch; after an error, nothing of it was added. Clusters are numbers (Uint32Array) or names (strings), of one
   * kind in all batches; the same id in two batches is the same cluster.
   *
   * Throws `length_mismatch`, `bad_argument` for a gate that is neither 0 nor 1 or clusters of another kind than
   * before, `not_finite` for a gated value that is not finite; `data.row` is the step.
   */
  add(columns: StepColumns): this {
    callingSync(() => {
      // Read once here too: whether clusters are names decides what they must be.
      const cluster = (columns as Partial<StepColumns> | null | undefined)?.cluster;
      const clusters = Array.isArray(cluster) ? ({ listOf: 'string' } as const) : Uint32Array;
      const read = checkObject('columns', columns, { values: Float64Array }, { gate: Uint8Array });
      if (cluster !== undefined) read.cluster = checkArgument('cluster', cluster, clusters);
      this.#native.add(inPlace({ columns: read }).columns);
    });
    return this;
  }

  /** Adds the steps of another aggregator, which stays as it is. Throws `bad_argument` for clusters of another kind. */
  merge(other: Aggregator): this {
    callingSync(() => {
      checkArgument('other', other, Aggregator);
      this.#native.merge(other.#native);
    });
    return this;
  }

  /**
   * The gated mean of all steps so far with its interval, as `aggregate` gives it; steps that are added meanwhile do
   * not count. Rejects with `empty_input` when no step was added, and as `aggregate` does.
   */
  result(options?: IntervalOptions): Promise<AggregateResult> {
    return callingAsync(() => {
      return this.#native.result(checkObject('options', options, {}, INTERVAL_FIELDS));
    });
  }

  /** {@link Aggregator.result} at once, on the event loop. */
  resultSync(options?: IntervalOptions): AggregateResult {
    return callingSync(() => {
      return this.#native.resultSync(checkObject('options', options, {}, INTERVAL_FIELDS));
    });
  }

  /** All that the aggregator knows, as plain JSON; `JSON.stringify(aggregator)` works. */
  toJSON(): AggregatorState {
    return callingSync(() => this.#native.toJSON());
  }

  /**
   * The aggregator that gave `state`, which may come from anywhere: what no aggregator gives is refused with
   * `bad_argument` or `not_finite`, and so is another version.
   */
  static fromJSON(state: unknown): Aggregator {
    const aggregator = new Aggregator();
    callingSync((addon) => {
      aggregator.#native.merge(addon.Aggregator.fromJSON(checkedState(state)));
    });
    return aggregator;
  }
}

const NUMBERS = { listOf: 'number' } as const;

function checkedState(state: unknown): AggregatorState {
  const fields = { format: 'string', version: 'number', steps: 'number', squares: NUMBERS } as const;
  const read = checkObject('state', state, fields) as AggregatorState;
  const { values, clusters } = state as AggregatorState;
  read.values = values === null ? null : checkArgument('values', values, NUMBERS);
  read.clusters = clusters === null ? null : checkedClusters(clusters);
  return read;
}

function checkedClusters(clusters: NonNullable<AggregatorState['clusters']>) {
  const fields = { by: 'string', weights: NUMBERS, sums: NUMBERS, rests: NUMBERS } as const;
  const read = checkObject('clusters', clusters, fields);
  read.ids = checkArgument('ids', clusters.ids, read.by === 'name' ? { listOf: 'string' } : NUMBERS);
  return read;
}
