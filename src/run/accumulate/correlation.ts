/** Pearson's correlation over groups of rows, between a group's attribute and the mean of its rows. */

import type { CorrelationMetric, Fields, RowIdentity } from '../../contract/index.ts';
import { correlation } from '../../numbers/index.ts';
import type { Accumulator, IntervalOptions } from './accumulator.ts';
import { fromUnbiased } from './unbiased.ts';
import type { MetricValue } from './value.ts';

class Mean {
  #sum = 0;
  #n = 0;

  add(value: number): void {
    this.#sum += value;
    this.#n += 1;
  }

  /** NaN where there was nothing. */
  get mean(): number {
    return this.#sum / this.#n;
  }
}

interface Group {
  readonly x: number;
  /** Rows of sides a and b; those without a side are a. */
  readonly a: Mean;
  readonly b: Mean;
  sided: boolean;
}

export class CorrelationAccumulator implements Accumulator {
  readonly #metric: CorrelationMetric;
  readonly #groups = new Map<string, Group>();

  constructor(metric: CorrelationMetric) {
    this.#metric = metric;
  }

  add(_row: number, result: Fields, slices: RowIdentity['slices']): void {
    const point = this.#metric.point(result, slices);
    if (point === null) return;
    const { group: name, x, y, side } = point;
    const group = this.#groups.get(name) ?? { x, a: new Mean(), b: new Mean(), sided: false };
    group[side ?? 'a'].add(y);
    group.sided ||= side !== undefined;
    this.#groups.set(name, group);
  }

  addSkipped(): void {}

  async value({ level }: IntervalOptions): Promise<MetricValue> {
    const points = [...this.#groups.values()]
      .map(({ x, a, b, sided }) => ({ x, y: sided ? a.mean - b.mean : a.mean }))
      .filter(({ y }) => !Number.isNaN(y));
    const n = points.length;
    const head = { kind: 'correlation', coverage: null } as const;
    if (n === 0) {
      return { ...head, value: null, n, ci: null, pValue: null, reason: 'no row has the attribute' };
    }
    const {
      r,
      ci,
      pValue,
      reason = null,
    } = await correlation(
      Float64Array.from(points, ({ x }) => x),
      Float64Array.from(points, ({ y }) => y),
      { level },
    );
    return {
      ...head,
      value: r,
      n,
      ci,
      pValue,
      ...fromUnbiased(this.#metric.unbiased, r, ci, pValue),
      reason,
    };
  }
}
