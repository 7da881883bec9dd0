/** A number made of ratios of sums over rows, with the percentile interval of a bootstrap over clusters. */
import { bootstrapRatios, percentileInterval } from '../../metrics.ts';
import type { CompositeMetric, Fields, Ratio, RowIdentity } from '../../suite/index.ts';
import { type Accumulator, DEFAULT_RESAMPLES, DEFAULT_SEED, type IntervalOptions } from './accumulator.ts';
import type { CompositeValue } from './value.ts';

/** Sums of a cluster, or of all rows. */
interface Sums {
  readonly numerators: number[];
  readonly denominators: number[];
}

function addTo(sums: Sums, parts: readonly Ratio[]): void {
  parts.forEach(([numerator, denominator], column) => {
    sums.numerators[column] = (sums.numerators[column] ?? 0) + numerator;
    sums.denominators[column] = (sums.denominators[column] ?? 0) + denominator;
  });
}

export class CompositeAccumulator implements Accumulator {
  readonly #metric: CompositeMetric;
  readonly #clusters = new Map<string | number, Sums>();
  #rows = 0;

  constructor(metric: CompositeMetric) {
    this.#metric = metric;
  }

  add(row: number, result: Fields, slices: RowIdentity['slices']): void {
    const parts = this.#metric.parts(result, slices);
    if (parts === null) return;
    this.#rows += 1;
    const key = this.#metric.cluster?.(result, slices) ?? row;
    const sums = this.#clusters.get(key) ?? { numerators: [], denominators: [] };
    addTo(sums, parts);
    this.#clusters.set(key, sums);
  }

  addSkipped(): void {}

  /** The clusters' sums; where they count alike, each as its own ratio over 1. */
  sums(): Sums[] {
    const own = [...this.#clusters.values()];
    if (!this.#metric.clustersAlike) return own;
    return own.map(({ numerators, denominators }) => ({
      numerators: numerators.map((sum, column) =>
        denominators[column] === 0 ? 0 : sum / denominators[column]!,
      ),
      denominators: denominators.map((sum) => (sum === 0 ? 0 : 1)),
    }));
  }

  async value({
    level,
    resamples = DEFAULT_RESAMPLES,
    seed = DEFAULT_SEED,
  }: IntervalOptions): Promise<CompositeValue> {
    const clusters = this.sums();
    const head = { kind: 'composite', n: this.#rows, clusters: clusters.length } as const;
    const columns = clusters[0]?.numerators.length ?? 0;
    if (columns === 0) return { ...head, value: null, ci: null, reason: 'no row counts' };
    const { ratios, resampled } = await bootstrapRatios({
      numerators: Float64Array.from(clusters.flatMap(({ numerators }) => numerators)),
      denominators: Float64Array.from(clusters.flatMap(({ denominators }) => denominators)),
      columns,
      resamples,
      seed,
    });
    const value = this.#metric.combine([...ratios]);
    if (!Number.isFinite(value))
      return { ...head, value: null, ci: null, reason: 'a ratio has nothing below the line' };
    const values = Float64Array.from({ length: resamples }, (_, draw) =>
      this.#metric.combine([...resampled.subarray(draw * columns, (draw + 1) * columns)]),
    );
    const { ci, reason } = percentileInterval(values, { level });
    return {
      ...head,
      value,
      ci: ci ? { ...ci, method: 'bootstrap' } : null,
      ...(reason ? { reason } : {}),
    };
  }
}
