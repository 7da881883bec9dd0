/** Rows that belong together: what is counted as one, and what is said of it, against the oracle's textbook variances. */
import { describe, expect, it } from 'vitest';
import type { Fields, MetricDefinition } from '../../../src/contract/index.ts';
import type { PairSide } from '../../../src/contract/metric.ts';
import { accumulatorOf, ClusterNumbers, type MetricValue } from '../../../src/run/accumulate/index.ts';
import { clusterError, clusterInterval, studentQuantile } from '../../oracle/statistics.ts';
import { INTERVAL, spread } from './rows.ts';

const DIGITS = 9;
const HEAD = { name: 'm', label: 'm' };

interface Row {
  readonly result: Fields;
  readonly clusters?: Readonly<Record<string, string | null>>;
}

function measured(metric: MetricDefinition, rows: readonly Row[], options = INTERVAL): Promise<MetricValue> {
  const accumulator = accumulatorOf(metric);
  const numbers = new ClusterNumbers();
  rows.forEach(({ result, clusters }, row) => {
    accumulator.add(row, result, {}, numbers.of(row, clusters));
  });
  return accumulator.value(options);
}

const MEAN: MetricDefinition = {
  ...HEAD,
  kind: 'mean',
  skippedSteps: 0,
  steps: ({ value }) => ({ values: value === null ? [] : [value as number] }),
};
const SHARE: MetricDefinition = { ...HEAD, kind: 'share', hit: ({ hit }) => hit as boolean };

/** 24 rows: 6 templates cross 4 occupations. */
const CROSSED: readonly (Row & { value: number; template: number; occupation: number })[] = spread(24, 5).map(
  (own, row) => {
    const [template, occupation] = [row % 6, Math.floor(row / 6)];
    const value = own + template;
    return {
      value,
      template,
      occupation,
      result: { value, hit: value > 3, row },
      clusters: { template: `t${template}`, occupation: `o${occupation}` },
    };
  },
);

const steps = (cluster: (row: (typeof CROSSED)[number]) => number) =>
  CROSSED.map((row) => ({ value: row.value, gate: 1 as const, cluster: cluster(row) }));

/** Cameron, Gelbach and Miller 2011, as the documents say it. */
function twoWayError(): number {
  const variance = (cluster: (row: (typeof CROSSED)[number]) => number) =>
    clusterError(steps(cluster)).error ** 2;
  const [first, second] = [variance(({ template }) => template), variance(({ occupation }) => occupation)];
  const both = variance(({ template, occupation }) => 10 * template + occupation);
  return Math.sqrt(Math.max(first + second - both, first, second));
}

/** Every two rows are a pair. */
const sideOf = ({ hit, row }: Fields): PairSide => ({
  pair: String(Math.floor((row as number) / 2)),
  side: (row as number) % 2 === 0 ? 'a' : 'b',
  value: Number(hit),
});

describe('rows with clusters', () => {
  it('of one name are one cluster in a mean, and the value says so', async () => {
    const rows = CROSSED.map(({ result, template }) => ({ result, clusters: { template: `t${template}` } }));
    const value = await measured(MEAN, rows);
    const { low, high } = clusterInterval(steps(({ template }) => template));
    expect(value).toMatchObject({
      ci: { clusters: 6 },
      clusters: { by: ['template'], count: 6, counts: [6] },
    });
    expect(value.ci!.low).toBeCloseTo(low, DIGITS);
    expect(value.ci!.high).toBeCloseTo(high, DIGITS);
  });

  it.each<[string, MetricDefinition]>([
    ['mean', MEAN],
    ['share', SHARE],
    ['difference', { ...HEAD, kind: 'difference', yesNo: true, side: sideOf }],
    ['pairShare', { ...HEAD, kind: 'pairShare', side: sideOf, hit: (a, b) => a > b }],
  ])('that name clusters and are in none are rows by themselves: %s', async (_, metric) => {
    const alone = await measured(
      metric,
      CROSSED.map(({ result }) => ({ result })),
    );
    const named = CROSSED.map(({ result }) => ({ result, clusters: { template: null, occupation: null } }));
    expect(alone.ci).not.toBeNull();
    expect(await measured(metric, named)).toEqual(alone);
  });

  it('of two names are clustered both ways, with the degrees of freedom of the fewer clusters', async () => {
    const value = await measured(MEAN, CROSSED);
    expect(value).toMatchObject({
      ci: { clusters: 6, clusters2: 4 },
      clusters: { by: ['template', 'occupation'], count: 4, counts: [6, 4] },
    });
    const half = (value.ci!.high - value.ci!.low) / 2;
    expect(half).toBeCloseTo(studentQuantile(0.95, 3) * twoWayError(), DIGITS);
  });

  it('a way in which a part has one cluster is left out of it', async () => {
    const nurses = CROSSED.filter(({ occupation }) => occupation === 0);
    const value = await measured(MEAN, nurses);
    expect(value).toMatchObject({ clusters: { by: ['template'], count: 6, counts: [6] } });
    expect(value.ci).not.toHaveProperty('clusters2');
    expect(value.ci).not.toBeNull();
    const one = await measured(
      MEAN,
      nurses.map(({ result }) => ({ result, clusters: { template: 'same', occupation: 'same' } })),
    );
    expect(one).toMatchObject({ ci: null, clusters: { by: ['template'], count: 1 } });
    expect(one.reason).toMatch(/only 1/);
  });

  it('a row of null is a cluster of its own, and so is every row without names', async () => {
    const named = CROSSED.map(({ result }, row) => ({
      result,
      clusters: { template: row < 4 ? 'first four' : null },
    }));
    expect(await measured(MEAN, named)).toMatchObject({ ci: { clusters: 21 }, clusters: { count: 21 } });
    const plain = await measured(
      MEAN,
      CROSSED.map(({ result }) => ({ result })),
    );
    expect(plain).toMatchObject({ ci: { clusters: 24 } });
    expect(plain).not.toHaveProperty('clusters');
  });

  it("have a share with Wilson's interval at the effective sample size", async () => {
    const rows = CROSSED.map(({ result, template }) => ({ result, clusters: { template: `t${template}` } }));
    const value = await measured(SHARE, rows);
    if (value.kind !== 'share') throw new Error('another kind');
    const hits = CROSSED.map(({ value: own, template }) => ({
      value: own > 3 ? 1 : 0,
      gate: 1 as const,
      cluster: template,
    }));
    const p = value.value!;
    const n = Math.min((p * (1 - p)) / clusterError(hits).error ** 2, 24);
    const t = studentQuantile(0.95, 5);
    const centre = (p + (t * t) / (2 * n)) / (1 + (t * t) / n);
    const half = (t / (1 + (t * t) / n)) * Math.sqrt((p * (1 - p)) / n + (t * t) / (4 * n * n));
    expect(value).toMatchObject({
      ci: { method: 'clusterWilson', clusters: 6 },
      clusters: { by: ['template'], count: 6 },
    });
    expect(value.ci!.low).toBeCloseTo(centre - half, DIGITS);
    expect(value.ci!.high).toBeCloseTo(centre + half, DIGITS);
    expect(
      await measured(
        SHARE,
        CROSSED.map(({ result }) => ({ result })),
      ),
    ).toMatchObject({ ci: { method: 'wilson' } });
  });

  const pairs = (clusters: (pair: number) => Row['clusters']) =>
    CROSSED.flatMap(({ value }, pair) =>
      (['b', 'a'] as const).map((side) => ({
        result: { pair: `p${pair}`, side, value: side === 'a' ? value : 2 },
        ...(clusters(pair) ? { clusters: clusters(pair)! } : {}),
      })),
    );
  const side = (result: Fields) => result as unknown as { pair: string; side: 'a' | 'b'; value: number };

  it('have pairs in the clusters of their rows', async () => {
    const template = (pair: number) => ({ template: `t${pair % 6}` });
    const difference = await measured({ ...HEAD, kind: 'difference', side }, pairs(template));
    const { low, high } = clusterInterval(steps(({ template: own }) => own));
    expect(difference).toMatchObject({ n: 24, clusters: { by: ['template'], count: 6 } });
    expect(difference.ci!.low).toBeCloseTo(low - 2, DIGITS);
    expect(difference.ci!.high).toBeCloseTo(high - 2, DIGITS);
    const hit = (a: number, b: number) => a > b;
    const clustered = await measured({ ...HEAD, kind: 'pairShare', side, hit }, pairs(template));
    expect(clustered).toMatchObject({ n: 24, ci: { method: 'clusterWilson', clusters: 6 } });
    const alone = await measured(
      { ...HEAD, kind: 'pairShare', side, hit },
      pairs(() => undefined),
    );
    expect(alone).toMatchObject({ n: 24, ci: { method: 'wilson' } });
  });

  it('are drawn together by the bootstrap of a composite, unless its number is made of clusters of its own', async () => {
    const composite: MetricDefinition = {
      ...HEAD,
      kind: 'composite',
      parts: ({ value }) => [[value as number, 1]],
      combine: ([ratio]) => ratio!,
    };
    const rows = CROSSED.map(({ result, template }) => ({ result, clusters: { template: `t${template}` } }));
    const value = await measured(composite, rows);
    expect(value).toMatchObject({ n: 24, clusters: { by: ['template'], count: 6 } });
    const alone = await measured(
      composite,
      rows.map(({ result }) => ({ result })),
    );
    // Templates differ by design, so that rows drawn alone scatter less.
    const width = ({ ci }: MetricValue) => ci!.high - ci!.low;
    expect(width(value)).toBeGreaterThan(width(alone));
    const own = await measured({ ...composite, cluster: { by: 'all', of: () => 'one' } }, rows);
    expect(own).toMatchObject({ ci: null, clusters: { by: ['all'], count: 1 } });
  });
});
