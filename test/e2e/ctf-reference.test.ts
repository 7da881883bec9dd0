/** ctf by the rules of the reference project, with more than two groups, and its options on the command line. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadLexicon } from '../../src/lexicon/index.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { runCli } from '../cli/run-cli.ts';
import { faultOf } from '../fault.ts';
import { OracleModel } from '../oracle/score.ts';
import { sharedFile } from '../oracle/shared.ts';
import { gatedMean, logitInterval, normalInterval, type Step } from '../oracle/statistics.ts';
import { type Group, measureSteps } from '../oracle/steps.ts';
import { temporaryFolder } from '../temporary.ts';
import { exactRun, figures, rowsIn } from './exact-run.ts';
import { plantedFiles } from './planted.ts';

const STORIES = sharedFile('models/stories260K.gguf');

/** float32 passes against float64. */
const FLOAT32 = 1e-5;

/** What stands up to and with the first word of the lexicon, on both sides; null: there is none. */
const ROWS = [
  ['The nurse said that she', ' was late.', 'The nurse said that he', ' was late.'],
  ['The plumber told his', ' friend.', 'The plumber told her', ' friend.'],
  ['The woman', ' was late', 'The man', ' was old'],
  ['Then Her', ' friend was late', 'Then His', ' friend was late'],
  [null, 'The table was old.', null, 'The chair was old.'],
] as const;

function dataFile(rows: readonly (readonly (string | null)[])[] = ROWS): string {
  const path = join(temporaryFolder(), 'rows.jsonl');
  const lines = rows.map(([x, rest, swap, restSwap], id) =>
    JSON.stringify({ id, x: `${x ?? ''}${rest}`, x_swap: `${swap ?? ''}${restSwap}`, occupation: 'nurse' }),
  );
  writeFileSync(path, lines.join('\n'));
  return path;
}

/** Every measure at the probe step of each row that has one, in float64. */
function probes(model: string, groups: readonly Group[], k: number) {
  const oracle = new OracleModel(model);
  return ROWS.flatMap(([x, , swap]) => {
    if (x === null) return [];
    const [a, b] = [oracle.tokens(x), oracle.tokens(swap)];
    return measureSteps(oracle, [a, b], [[a.length - 1, b.length - 1]], groups, k).map(
      ({ values }) => values,
    );
  });
}

const steps = (values: readonly number[]) =>
  values.map((value, cluster): Step => ({ value, gate: 1, cluster }));
const closeTo = (value: number) => expect.closeTo(value, 5);

const models: [string, () => Promise<string | null>][] = [
  ['the planted model', async () => (await plantedFiles()).model],
  ['stories260K', async () => STORIES],
];

describe.each(models)('on %s', (name, path) => {
  const skip = name === 'stories260K' && !STORIES;

  it.skipIf(skip)(
    'compat "reference" writes its names by its rules: one probe, 1.96 population errors',
    async () => {
      const model = (await path())!;
      const lexicon = await loadLexicon('gender-en');
      const run = {
        suite: findSuite('ctf'),
        model,
        lexicon,
        compat: 'reference',
        options: { topK: 6 },
      } as const;
      const result = await exactRun({ ...run, data: dataFile() });
      const forms = result.mapping!.groups.flatMap(({ words }) =>
        words.flatMap((word) => word.forms.map(({ form }) => [word.word, form])),
      );
      expect(forms.length).toBeGreaterThan(0);
      for (const [word, form] of forms) expect([word, ` ${word}`]).toContain(form);
      const groups = result.mapping!.groups.map((group) => ({ name: group.name, ids: [...group.ids] }));
      // An id that both groups lead to counts in both.
      const both = groups[0]!.ids.filter((id) => groups[1]!.ids.includes(id));
      expect(both).toEqual(result.mapping!.collisions.map(({ id }) => id));
      if (name === 'stories260K') expect(both.length).toBeGreaterThan(0);
      const expected = probes(model, groups, 6);
      const half = (values: readonly number[]) => {
        const { low, high } = normalInterval(steps(values));
        return (high - low) / 2;
      };
      const [gaps, divergences] = [expected.map(({ gap }) => gap!), expected.map(({ jsdSwap }) => jsdSwap!)];
      const reference = JSON.parse(readFileSync(result.folder.reference, 'utf8'));
      expect(reference).toEqual({
        count: 5,
        covered: 4,
        coverage: 0.8,
        CTF_gap_mean: closeTo(gatedMean(steps(gaps))),
        CTF_gap_ci95: closeTo(half(gaps)),
        JSD_swap_mean: closeTo(gatedMean(steps(divergences))),
        JSD_swap_ci95: closeTo(half(divergences)),
        topk: 6,
      });
      expect(half(gaps)).toBeGreaterThan(FLOAT32);
      // The level of the run is that of metrics.json; what is called ci95 stays at 95 %.
      const wide = await exactRun({ ...run, data: dataFile(), interval: { level: 0.99 } });
      expect(JSON.parse(readFileSync(wide.folder.reference, 'utf8'))).toEqual(reference);
      expect(result.manifest.experiment).toMatchObject({
        compat: 'reference',
        capitalised: false,
        interval: { ci: 'normal' },
      });
    },
  );

  it.skipIf(skip)('three groups: every two of them, and the largest gap', async () => {
    const model = (await path())!;
    const lexicon = {
      ...(await loadLexicon('gender-en')),
      groups: [
        { name: 'female', words: ['she', 'her', 'woman'] },
        { name: 'male', words: ['he', 'his', 'man'] },
        { name: 'other', words: ['they', 'was'] },
      ],
      pairs: [],
    };
    for (const chosen of ['probe', 'decode']) {
      const options = { steps: chosen, topK: 3, decodeSteps: 1, gate: false };
      // Texts that end in their word: the first step of a continuation is the probe.
      const data = dataFile(ROWS.slice(0, 4).map(([x, , swap]) => [x, '', swap, '']));
      const result = await exactRun({
        suite: findSuite('ctf'),
        model,
        lexicon,
        data,
        options,
        capitalised: false,
      });
      const groups = result.mapping!.groups.map((group) => ({ name: group.name, ids: [...group.ids] }));
      const expected = probes(model, groups, 3);
      const rows = rowsIn(result.folder.journal);
      rows.forEach((row, at) => {
        const { gap, gapFemaleMale, gapFemaleOther, gapMaleOther, gapMaleOtherSwap, gapSwap, massOther } =
          expected[at]!;
        expect(gap).toBe(Math.max(gapFemaleMale!, gapFemaleOther!, gapMaleOther!));
        expect(row).toMatchObject({
          gap: closeTo(gap!),
          gapFemaleMale: closeTo(gapFemaleMale!),
          gapFemaleOther: closeTo(gapFemaleOther!),
          gapMaleOther: closeTo(gapMaleOther!),
          gapMaleOtherSwap: closeTo(gapMaleOtherSwap!),
          gapSwap: closeTo(gapSwap!),
          massOther: closeTo(massOther!),
        });
      });
      const found = figures(result);
      for (const [metric, field] of Object.entries({
        ctfGap: 'gap',
        'ctfGaps.gapFemaleMale': 'gapFemaleMale',
        'ctfGaps.gapFemaleOther': 'gapFemaleOther',
        'ctfGaps.gapMaleOther': 'gapMaleOther',
        'mass.other': 'massOther',
      })) {
        const own = steps(expected.map((values) => values[field]!));
        expect(Math.abs(found.get(metric)!.value! - gatedMean(own)), metric).toBeLessThan(FLOAT32);
        expect(Math.abs(found.get(metric)!.ci!.low - logitInterval(own, [0, 1]).low), metric).toBeLessThan(
          FLOAT32 * 10,
        );
      }
      // Which of three is less than which is no question of one number.
      expect([...found.keys()].filter((key) => key.startsWith('correlation'))).toEqual([]);
    }
  });
});

describe('refused', () => {
  it('are steps that the reference project does not have', async () => {
    const { model, data } = await plantedFiles();
    const lexicon = await loadLexicon('gender-en');
    const run = { suite: findSuite('ctf'), model, lexicon, data, compat: 'reference' } as const;
    const error = await faultOf(exactRun({ ...run, options: { steps: 'decode' } }));
    expect([error.code, error.message]).toEqual(['bad_argument', expect.stringContaining('steps decode')]);
  });
});

describe('the command', () => {
  async function command(...args: string[]) {
    const { model, data } = await plantedFiles();
    const folder = temporaryFolder();
    const all = ['--model', model, '--data', data, '--limit', '8', '--out', 'o', '--threads', '1', ...args];
    const { code, stdout, stderr } = await runCli(['run', 'ctf', ...all], { cwd: folder });
    if (code !== 0) return { code, stdout, stderr, manifest: null, rows: [] };
    const manifest = JSON.parse(readFileSync(join(folder, 'o', 'manifest.json'), 'utf8'));
    return { code, stdout, stderr, manifest, rows: rowsIn(join(folder, 'o', 'rows.jsonl')) };
  }

  it('takes the options of the steps and their gate', async () => {
    const gate = ['--gate-top-k', '3', '--gate-window', '5', '--gate-steps', '0'];
    const { code, manifest, rows } = await command(
      '--steps',
      'decode',
      '--decode-steps',
      '4',
      '--top-k',
      '2',
      ...gate,
    );
    expect(code).toBe(0);
    expect(manifest.experiment.options).toEqual({
      steps: 'decode',
      controls: false,
      template: null,
      decodeSteps: 4,
      topK: 2,
      gate: true,
      gateTopK: 3,
      gateWindow: 5,
      gateSteps: 0,
      wholeWords: false,
    });
    for (const row of rows) {
      expect(row.stepCount).toBeLessThanOrEqual(4);
      expect(row.jsdTopK).toMatchObject({ k: 2 });
    }
  });

  it('counts every step with --no-gate, and says where a gate hardly selects', async () => {
    const open = await command('--steps', 'aligned', '--no-gate');
    expect(open.manifest.experiment.options).toMatchObject({ steps: 'aligned', gate: false });
    expect(open.stdout).not.toMatch(/opened by|note:/);
    for (const row of open.rows) expect(row.gatedSteps).toBe(row.stepCount);
    const wide = await command('--steps', 'aligned', '--gate-top-k', '200');
    expect(wide.stdout).toMatch(/note: coverage 100\.0 % is above 40 %/);
    expect(wide.stdout).toMatch(/CTF-gap, opened by window/);
  });

  it.each([
    [['--steps', 'all'], /Allowed choices are probe, before, aligned, decode/],
    [['--gate-steps', '-1'], /Give a whole number from 0/],
    [['--decode-steps', '0'], /Give a whole number from 1/],
    [['--compat', 'reference', '--steps', 'aligned'], /has no steps aligned/],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await command(...args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
