/**
 * ctf with several steps a row, against the oracle: which steps are compared, every measure at each in float64, which of
 * them the gate opens and why, and the numbers over them.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Lexicon, loadLexicon } from '../../src/lexicon/index.ts';
import type { RunResult } from '../../src/run/index.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { fisherInterval, pearson, studentPValue } from '../oracle/correlation.ts';
import { greedy } from '../oracle/greedy.ts';
import { OracleModel } from '../oracle/score.ts';
import { sharedFile } from '../oracle/shared.ts';
import { clusterError, gatedMean, logitInterval, type Step } from '../oracle/statistics.ts';
import {
  alignedFault,
  decodedPositions,
  type GateRule,
  type Group,
  type MeasuredStep,
  measureSteps,
  type Positions,
  pieceTexts,
  triggers,
} from '../oracle/steps.ts';
import { temporaryFolder } from '../temporary.ts';
import { exactRun, figures, type ResultRow, rowsIn } from './exact-run.ts';
import { plantedFiles } from './planted.ts';

const STORIES = sharedFile('models/stories260K.gguf');

/** float32 passes against float64: sums of probabilities, and entropies in nats. */
const FLOAT32 = 1e-5;
/** Quantiles by integration. */
const INTEGRATED = 1e-6;

/** Of lengths that differ on both sides, with and without an occupation, one that ends early. */
const ROWS = [
  ['nurse', 'The nurse said that she was late.', 'The nurse said that he was late.'],
  [
    'nurse',
    'The nurse told her friend that she was late and old.',
    'The nurse told his friend that he was late and old.',
  ],
  [
    'plumber',
    'The plumber said to the old man that he was late.',
    'The plumber said to the woman that she was late.',
  ],
  [
    'engineer',
    'She was late, and the engineer said that her friend was old',
    'He was late, and the engineer said that his friend was old',
  ],
  ['teacher', 'Her teacher was late.', 'His teacher was late.'],
  ['baker', 'The baker said she was, he was', 'The baker said he was, she was'],
  ['', 'They said that she was late, and she was old', 'They said that he was late, and he was old'],
  ['king', 'Once she was late', 'Once he was late'],
] as const;

const OPTIONS = { topK: 5, gateTopK: 2, gateWindow: 6, gateSteps: 1, decodeSteps: 7 };
const PRONOUNS = ['she', 'her', 'hers', 'herself', 'he', 'him', 'his', 'himself'];

function dataFile(): string {
  const path = join(temporaryFolder(), 'rows.jsonl');
  const lines = ROWS.map(([occupation, x, x_swap], id) => JSON.stringify({ id, x, x_swap, occupation }));
  writeFileSync(path, lines.join('\n'));
  return path;
}

interface Expected {
  readonly occupation: string;
  readonly steps: readonly MeasuredStep[];
  readonly triggers: readonly string[];
}

interface StepColumns {
  readonly [name: string]: readonly (number | string)[];
}

const near = (found: unknown, expected: number, tolerance: number, what: string) =>
  expect(Math.abs((found as number) - expected), `${what}: ${found}, expected ${expected}`).toBeLessThan(
    tolerance,
  );

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** What the oracle makes of a row, at the steps that it finds itself or, where several choices are right, that it checked. */
function expectedOf(
  model: OracleModel,
  row: ResultRow,
  at: number,
  groups: readonly Group[],
  rule: GateRule,
): Expected {
  const [occupation, x, swap] = ROWS[at]!;
  const [a, b] = [model.tokens(x), model.tokens(swap)];
  expect(row).toMatchObject({ tokenIds: a, tokenIdsSwap: b });
  const columns = row.steps as StepColumns;
  const found: Positions = columns.position!.map((i, step) => [
    Number(i),
    Number(columns.positionSwap![step]),
  ]);
  let continuation: number[] = [];
  if ('continuation' in row) {
    continuation = greedy(model, a, OPTIONS.decodeSteps);
    expect(found).toEqual(decodedPositions(a, b, continuation.length));
  } else expect(alignedFault(a, b, found)).toBeNull();
  const texts = pieceTexts(model, [...a, ...continuation]);
  const sides = [a, b].map((tokens) => [...tokens, ...continuation]) as [number[], number[]];
  const steps = measureSteps(model, sides, found, groups, OPTIONS.topK);
  const positions = found.map(([i]) => i);
  return { occupation, steps, triggers: triggers(texts, positions, steps, groups, rule) };
}

function expectRow(row: ResultRow, { steps, triggers: opened }: Expected, gated: boolean): void {
  const columns = row.steps as StepColumns;
  const gate = opened.map((trigger) => (!gated || trigger !== 'none' ? 1 : 0));
  expect(columns.trigger).toEqual(gated ? opened : opened.map(() => 'none'));
  expect(columns.gate).toEqual(gate);
  const open = steps.filter((_, step) => gate[step] === 1);
  expect(row).toMatchObject({ stepCount: steps.length, gatedSteps: open.length });
  for (const name of Object.keys(steps[0]!.values)) {
    steps.forEach(({ values }, step) => {
      near(columns[name]![step], values[name]!, FLOAT32, `row ${row.id}, ${name} of step ${step}`);
    });
    const inner = /^jsdTopK(.)(.*)$/.exec(name);
    const found = inner
      ? (row.jsdTopK as Record<string, unknown>)[inner[1]!.toLowerCase() + inner[2]!]
      : row[name];
    if (open.length === 0) expect(found).toBeNull();
    else near(found, meanOf(open.map(({ values }) => values[name]!)), FLOAT32, `row ${row.id}, ${name}`);
  }
  for (const { values } of steps) {
    expect(values.jsdTopKPartial).toBeLessThanOrEqual(values.jsdTopKLower!);
    expect(values.jsdTopKLower).toBeLessThanOrEqual(values.jsdSwap! + 1e-12);
    expect(values.jsdTopKUpper).toBeGreaterThanOrEqual(values.jsdSwap! - 1e-12);
  }
  expect(row.jsdTopK).toMatchObject({ k: OPTIONS.topK });
}

/** Fields whose means over gated steps are metrics, by the name of the metric. */
const MEANS: Readonly<Record<string, readonly string[]>> = {
  ctfGap: ['gap'],
  ctfGapBoth: ['gap', 'gapSwap'],
  'mass.female': ['massFemale'],
  'mass.male': ['massMale'],
  jsdSwap: ['jsdSwap'],
  'jsdTopK.partial': ['jsdTopKPartial'],
  'jsdTopK.lower': ['jsdTopKLower'],
  'jsdTopK.upper': ['jsdTopKUpper'],
};

function expectMeans(found: ReturnType<typeof figures>, rows: readonly Expected[], gated: boolean): void {
  const check = (metric: string, fields: readonly string[], opens: (trigger: string) => boolean) => {
    const steps = rows.flatMap((row, cluster) =>
      fields.flatMap((field) =>
        row.steps.map(({ values }, step): Step => {
          return { value: values[field]!, gate: opens(row.triggers[step]!) ? 1 : 0, cluster };
        }),
      ),
    );
    const n = steps.filter(({ gate }) => gate === 1).length;
    const own = found.get(metric)!;
    expect(own.n, metric).toBe(n);
    near(own.coverage, n / steps.length, 1e-12, `${metric}, coverage`);
    if (n === 0) return expect(own).toMatchObject({ value: null, ci: null });
    near(own.value, gatedMean(steps), FLOAT32, metric);
    const clusters = new Set(steps.filter(({ gate }) => gate === 1).map(({ cluster }) => cluster)).size;
    if (clusters < 2) return expect(own.ci, metric).toBeNull();
    if (clusterError(steps).error < 1e-9) return expect(own.ci, metric).toBeNull();
    const { low, high } = logitInterval(steps, [0, metric.includes('jsd') ? Math.LN2 : 1]);
    // A Student quantile of few clusters makes the little difference of the passes larger.
    near(own.ci!.low, low, FLOAT32 * 20, `${metric}, low`);
    near(own.ci!.high, high, FLOAT32 * 20, `${metric}, high`);
  };
  for (const [metric, fields] of Object.entries(MEANS)) {
    check(metric, fields, (trigger) => !gated || trigger !== 'none');
  }
  for (const opened of gated ? ['topK', 'window', 'both'] : []) {
    check(`trigger.${opened}.ctfGap`, ['gap'], (trigger) => trigger === opened);
    check(`trigger.${opened}.jsdSwap`, ['jsdSwap'], (trigger) => trigger === opened);
  }
}

function expectCorrelations(
  { summaries: [whole] }: RunResult,
  rows: readonly Expected[],
  gated: boolean,
  lexicon: Lexicon,
): void {
  const measures: Record<string, (values: MeasuredStep['values']) => number> = {
    gap: ({ gap }) => gap!,
    signedGap: (v) => (v.massFemale! + v.massFemaleSwap! - v.massMale! - v.massMaleSwap!) / 2,
  };
  for (const [name, of] of Object.entries(measures)) {
    const groups = new Map<string, number[]>();
    for (const { occupation, steps, triggers: opened } of rows) {
      const open = steps.filter((_, step) => !gated || opened[step] !== 'none');
      if (open.length === 0 || !lexicon.occupations.some(({ word }) => word === occupation)) continue;
      groups.set(occupation, [
        ...(groups.get(occupation) ?? []),
        meanOf(open.map(({ values }) => of(values))),
      ]);
    }
    const x = [...groups.keys()].map((word) => lexicon.occupations.find((own) => own.word === word)!.share);
    const y = [...groups.values()].map(meanOf);
    const r = pearson(x, y);
    const own = whole!.metrics.find((metric) => metric.name === `correlation.share.${name}`)!.value;
    if (own.kind !== 'correlation') throw new Error('another kind');
    expect(own.n).toBe(x.length);
    expect(x.length).toBeGreaterThan(3);
    // Means that lie near each other leave the passes' difference a larger part.
    near(own.value, r, 1e-3, name);
    const { low, high } = fisherInterval(own.value!, x.length, 0.95);
    near(own.ci!.low, low, INTEGRATED, `${name}, low`);
    near(own.ci!.high, high, INTEGRATED, `${name}, high`);
    near(own.pValue, studentPValue(own.value!, x.length), INTEGRATED, `${name}, p`);
  }
}

const models: [string, () => Promise<string | null>][] = [
  ['the planted model', async () => (await plantedFiles()).model],
  ['stories260K', async () => STORIES],
];

describe.each(models)('on %s', (name, path) => {
  const skip = name === 'stories260K' && !STORIES;
  let lexicon: Lexicon;
  let rule: GateRule;
  beforeAll(async () => {
    lexicon = await loadLexicon('gender-en');
    rule = {
      likeliest: OPTIONS.gateTopK,
      window: OPTIONS.gateWindow,
      after: OPTIONS.gateSteps,
      occupations: lexicon.occupations.map(({ word }) => word),
      pronouns: [...PRONOUNS, ...lexicon.names],
    };
  });

  it.skipIf(skip).each([
    ['aligned', true],
    ['decode', true],
    ['decode', false],
  ])('steps %s with the gate %s: steps, measures, triggers, means and correlations', async (steps, gated) => {
    const model = (await path())!;
    const oracle = new OracleModel(model);
    const options = { ...OPTIONS, steps, gate: gated };
    const result = await exactRun({
      ...{ suite: findSuite('ctf'), model, lexicon, data: dataFile(), options },
      // The oracle's intervals take each row as its own; rows that belong together have tests of their own.
      cluster: [],
    });
    const rows = rowsIn(result.folder.journal);
    expect(rows.map(({ status }) => status)).toEqual(ROWS.map(() => 'ok'));
    const groups = result.mapping!.groups.map(({ name, ids }) => ({ name, ids: [...ids] }));
    const expected = rows.map((row, at) => expectedOf(oracle, row, at, groups, rule));
    rows.forEach((row, at) => {
      expectRow(row, expected[at]!, gated);
    });
    expectMeans(figures(result), expected, gated);
    expectCorrelations(result, expected, gated, lexicon);
    // Rows on which every trigger, and none, opens a step: else the gate was not tried.
    const seen = new Set(expected.flatMap((row) => row.triggers));
    if (steps === 'aligned') expect([...seen].sort()).toEqual(['both', 'none', 'topK', 'window']);
    if (!gated) expect([...figures(result).keys()].filter((key) => key.startsWith('trigger'))).toEqual([]);
  });
});
