/** Effect sizes, equivalence, power, corrections and tests of logit-audit/metrics, held against their definitions in SciPy. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as metrics from '../../src/numbers/index.ts';
import { temporaryFolder } from '../temporary.ts';
import { Chance } from './made.ts';
import { PYTHON, recompute, told } from './python.ts';

type Args = readonly (number | readonly number[])[];

interface Call {
  readonly name: string;
  readonly args: Args;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Arrays as the functions take them. */
const FUNCTIONS: Readonly<Record<string, (args: Args, options: never) => unknown>> = {
  cohenD: ([a, b], options) => metrics.cohenD(of(a), of(b), options),
  oddsRatio: (args, options) => metrics.oddsRatio(...(args as [number, number, number, number]), options),
  pairedOddsRatio: (args, options) => metrics.pairedOddsRatio(...(args as [number, number]), options),
  cohenH: (args, options) => metrics.cohenH(...(args as [number, number, number, number]), options),
  meanEquivalence: ([a, b, margin], { cluster, ...options }: { cluster?: number[] }) =>
    metrics.meanEquivalence(of(a), of(b), margin as number, {
      ...options,
      ...(cluster ? { cluster: Uint32Array.from(cluster) } : {}),
    }),
  shareEquivalence: (args, options) =>
    metrics.shareEquivalence(...(args as [number, number, number, number]), options),
  minimumDetectableEffect: ([n], options) => metrics.minimumDetectableEffect(n as number, options),
  holm: ([p]) => [...metrics.holm(of(p))],
  benjaminiHochberg: ([p]) => [...metrics.benjaminiHochberg(of(p))],
  kruskalWallis: ([values, group]) =>
    metrics.kruskalWallisSync(of(values), Uint32Array.from(group as number[])),
  correlation: ([x, y], options) => metrics.correlationSync(of(x), of(y), options),
  mcnemar: ([b, c]) => metrics.mcnemar(b as number, c as number),
  tango: (args, options) => metrics.tango(...(args as [number, number, number]), options),
};

const of = (values: Args[number] | undefined) => Float64Array.from(values as readonly number[]);

function calls(): Call[] {
  const chance = new Chance(17);
  const many = (count: number, spread: () => number) => Array.from({ length: count }, spread);
  const real = () => 4 * chance.next() - 2;
  const coarse = () => chance.below(3);
  const found: Call[] = [];
  for (const n of [2, 3, 9, 12, 60]) {
    for (const spread of [real, coarse, () => 1]) {
      const [a, b] = [many(n, spread), many(n, spread)];
      const level = chance.of([0.9, 0.95, 0.99]);
      found.push({ name: 'cohenD', args: [a, b], options: { level } });
      found.push({ name: 'cohenD', args: [a, b], options: { level, paired: true } });
      found.push({ name: 'meanEquivalence', args: [a, b, 0.5], options: { level } });
      const cluster = many(n, coarse);
      found.push({ name: 'meanEquivalence', args: [a, b, 1], options: { level, cluster } });
      found.push({ name: 'kruskalWallis', args: [a, cluster] });
      for (const method of ['pearson', 'spearman']) {
        found.push({ name: 'correlation', args: [a, b], options: { method, level } });
      }
      found.push({ name: 'correlation', args: [a, a.map((x) => 2 * x)], options: { method: 'spearman' } });
    }
    const [b, c] = [chance.below(n), 1 + chance.below(n)];
    found.push({ name: 'oddsRatio', args: [b, c, c, b], options: { level: 0.9 } });
    found.push({ name: 'pairedOddsRatio', args: [b, c] });
    found.push({ name: 'pairedOddsRatio', args: [c, 0] });
    found.push({ name: 'cohenH', args: [b, n, c, n] });
    found.push({ name: 'mcnemar', args: [b, c] });
    found.push({ name: 'mcnemar', args: [40 * b, 500 + 40 * c] });
    for (const margin of [0.02, 0.2]) found.push({ name: 'shareEquivalence', args: [b, c, 2 * n, margin] });
    found.push({ name: 'tango', args: [b, c, 2 * n], options: { level: 0.9 } });
    found.push({ name: 'tango', args: [0, 0, n] }, { name: 'tango', args: [n, 0, n] });
    for (const independent of [false, true]) {
      found.push({ name: 'minimumDetectableEffect', args: [n], options: { independent } });
      found.push({
        name: 'minimumDetectableEffect',
        args: [n],
        options: { independent, power: 0.95, level: 0.9 },
      });
    }
    const p = many(n, () => chance.of([chance.next() ** 4, 0.04]));
    found.push({ name: 'holm', args: [p] }, { name: 'benjaminiHochberg', args: [p] });
  }
  return found;
}

describe.skipIf(!PYTHON)('the statistics as functions', () => {
  it('give the numbers of an independent program', () => {
    const made = calls().map(({ name, args, options = {} }) => ({
      ...{ name, args, options },
      result: FUNCTIONS[name]!(args, options as never),
    }));
    const file = join(temporaryFolder(), 'calls.json');
    writeFileSync(file, JSON.stringify(made));
    const found = recompute(['--calls', file]);
    expect(told(found)).toEqual([]);
    expect(found[0]!.checked).toBe(made.length);
  });
});
