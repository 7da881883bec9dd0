/** ctf --controls, against the oracle: the divergence and the gaps of neutral swaps, their excess, and the test by exchanged sides. */

import { expect, it } from 'vitest';
import { loadLexicon } from '../../src/lexicon/index.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { jsd, mass, softmax } from '../oracle/metrics.ts';
import { OracleModel } from '../oracle/score.ts';
import { exactRun, figures, rowsIn } from './exact-run.ts';
import { plantedFiles } from './planted.ts';
import { jsonlFile } from './suite-run.ts';

/** float32 passes against float64. */
const FLOAT32 = 1e-5;

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const close = (found: unknown, value: number, name: string) =>
  expect(Math.abs((found as number) - value), name).toBeLessThan(FLOAT32);

/** A text in front of a word, the word and its counterpart, and the controls that the lexicon has for them. */
const PAIRS = [
  [
    'The nurse said that',
    'she',
    'he',
    [
      ['they', 'we'],
      ['it', 'this'],
    ],
  ],
  [
    'The plumber said that',
    'he',
    'she',
    [
      ['they', 'we'],
      ['it', 'this'],
    ],
  ],
  ['The nurse told', 'her', 'him', [['them', 'us']]],
  [
    'The table saw the',
    'woman',
    'man',
    [
      ['person', 'friend'],
      ['child', 'member'],
    ],
  ],
  ['The table saw the', 'stepmother', 'stepfather', []],
] as const;

/** Two-sided, over every way to flip. */
function flips(values: readonly number[]): number {
  const sums = Array.from({ length: 2 ** values.length }, (_, bits) =>
    Math.abs(values.reduce((sum, value, at) => sum + ((bits >> at) & 1 ? -value : value), 0)),
  );
  const own = Math.abs(values.reduce((sum, value) => sum + value, 0));
  return sums.filter((sum) => sum >= own - FLOAT32 / 10).length / sums.length;
}

it('ctf --controls gives what the oracle gives', async () => {
  const { model: file } = await plantedFiles();
  const lexicon = await loadLexicon('gender-en');
  const result = await exactRun({
    model: file,
    suite: findSuite('ctf'),
    lexicon,
    data: jsonlFile(
      PAIRS.map(([before, own, other]) => ({ x: `${before} ${own}`, x_swap: `${before} ${other}` })),
    ),
    options: { controls: true },
    cluster: [],
  });
  const model = new OracleModel(file);
  const groups = result.mapping!.groups.map(({ ids }) => [...ids]);
  const behind = (text: string) => softmax(model.logits(model.tokens(text)).at(-1)!);
  const lead = (p: readonly number[]) => mass(p, groups[0]!) - mass(p, groups[1]!);
  const rows = rowsIn(result.folder.journal);
  const expected = PAIRS.map(([before, own, other, controls], at) => {
    const sides = (pair: readonly [string, string]) =>
      pair.map((word) => behind(`${before} ${word}`)) as [number[], number[]];
    const [x, swap] = sides([own, other]);
    const first = lexicon.groups[0]!.words.includes(own) ? 1 : -1;
    const swapEffect = first * (lead(x) - lead(swap));
    const row = rows[at]!;
    close(row.swapEffect, swapEffect, `effect of row ${at}`);
    expect(row.controls).toMatchObject(controls.map((words) => ({ words })));
    if (controls.length === 0) {
      expect(row).toMatchObject({ jsdControl: null, gapControl: null });
      return { swapEffect, excess: null };
    }
    const neutral = controls.map((words) => sides(words));
    const divergence = meanOf(neutral.map(([a, b]) => jsd(a, b)));
    const gap = meanOf(neutral.flat().map((p) => Math.abs(lead(p))));
    const excess = { jsd: jsd(x, swap) - divergence, gap: Math.abs(lead(x)) - gap };
    close(row.jsdControl, divergence, `control of row ${at}`);
    close(row.gapControl, gap, `gap of row ${at}`);
    close(row.jsdExcess, excess.jsd, `excess of row ${at}`);
    return { swapEffect, excess };
  });
  const metrics = figures(result);
  const excesses = expected.flatMap(({ excess }) => (excess === null ? [] : [excess]));
  expect(metrics.get('jsdExcess')).toMatchObject({ n: 4 });
  close(metrics.get('jsdExcess')!.value, meanOf(excesses.map(({ jsd }) => jsd)), 'jsdExcess');
  close(metrics.get('gapExcess')!.value, meanOf(excesses.map(({ gap }) => gap)), 'gapExcess');
  const effects = expected.map(({ swapEffect }) => swapEffect);
  close(metrics.get('swapEffect')!.value, meanOf(effects), 'swapEffect');
  const { unbiased } = result.summaries[0]!.metrics.find(({ name }) => name === 'swapEffect')!.value;
  expect(unbiased!.pValue).toBeCloseTo(flips(effects), 12);
  expect(result.remarks.join()).toContain('controls: 4 of 5 rows');
});
