/**
 * Runs of every suite with models, small, and what a program that shares nothing with the product makes of their rows: each number is in
 * both, and the same to 1e-9 (ends of intervals and p-values: 1e-6).
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plantedModel } from '../../src/demo/planted/index.ts';
import { loadLexicon } from '../../src/lexicon/index.ts';
import { describeEngine, openMock, openModel, openPolicy, POLICY_ENGINE } from '../../src/model/index.ts';
import { PolicyModel } from '../../src/model/mock/policy.ts';
import { type RunOptions, runPanel } from '../../src/run/index.ts';
import { resolveExperiment } from '../../src/suites/bbq/experiment/index.ts';
import { type BbqRunOptions, runBbq } from '../../src/suites/bbq/run/run.ts';
import { runPipeline } from '../../src/suites/bbq/score/index.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { runRules } from '../../src/suites/rules/run/run.ts';
import { loadScale } from '../../src/suites/scale/data/index.ts';
import { administer } from '../../src/suites/scale/run/administer/run.ts';
import { runScalePipeline } from '../../src/suites/scale/score/index.ts';
import { plantedFiles } from '../e2e/planted.ts';
import { jsonlFile, runOn, textFile } from '../e2e/suite-run.ts';
import { sharedFile } from '../oracle/shared.ts';
import { compareFolders } from '../run/compare-folders.ts';
import { BBQ } from '../suites/bbq/bbq-data.ts';
import { ruleModel } from '../suites/rules/backend.ts';
import { madeDocument } from '../suites/rules/made.ts';
import { answer, csvFile, person, smallScale } from '../suites/scale/files.ts';
import { temporaryFolder } from '../temporary.ts';
import { PYTHON, recompute, told } from './python.ts';

const STORIES = sharedFile('models/stories260K.gguf');
const LEXICON = await loadLexicon('gender-en');

function expectRecomputed(args: readonly string[]): void {
  const found = recompute(args);
  expect(told(found)).toEqual([]);
  for (const { checked } of found) expect(checked).toBeGreaterThan(0);
}

type Setting = Omit<Partial<RunOptions>, 'suite' | 'data' | 'engine' | 'backend'> & {
  readonly suite: string;
  readonly data: string;
};

/** Runs all of them on one model and holds them against the program at once. */
async function expectRuns(model: string, settings: readonly Setting[]): Promise<void> {
  const folders: string[] = [];
  for (const setting of settings) {
    const { result } = await runOn(model, { lexicon: LEXICON, ...setting, suite: findSuite(setting.suite) });
    expect(result.counts.ok, setting.suite).toBeGreaterThan(0);
    folders.push(result.folder.path);
  }
  expectRecomputed(folders);
}

/** Texts of the planted model's words; one without a lexicon word, and one without an occupation. */
const ROWS = [
  ['nurse', 'The nurse said that she was late.', 'The nurse said that he was late.'],
  ['plumber', 'The plumber said that she was late.', 'The plumber said that he was late.'],
  ['engineer', 'The engineer said that she was late.', 'The engineer said that he was late.'],
  ['teacher', 'Her teacher was late.', 'His teacher was late.'],
  ['baker', 'The baker said she was late.', 'The baker said he was late.'],
  ['baker', 'The baker was late.', 'The baker was old.'],
  ['', 'They said that she was late, and she was old', 'They said that he was late, and he was old'],
].map(([occupation, x, x_swap], row) => ({
  ...{ id: `r${row}`, x, x_swap, source: row % 2 === 0 ? 'even' : 'odd' },
  ...(occupation === '' ? {} : { occupation }),
}));

/** Of more than two groups every two have a gap. */
const THREE_GROUPS = {
  ...LEXICON,
  groups: [
    { name: 'female', words: ['she', 'her', 'woman'] },
    { name: 'male', words: ['he', 'his', 'man'] },
    { name: 'other', words: ['they', 'was'] },
  ],
  pairs: [],
};

const CTF: readonly Omit<Setting, 'suite' | 'data'>[] = [
  {},
  { options: { steps: 'before' } },
  { options: { steps: 'aligned', gateTopK: 2, gateWindow: 6, gateSteps: 1 } },
  { options: { steps: 'decode', decodeSteps: 5, gate: false } },
  { options: { wholeWords: true } },
  { compat: 'reference' },
  { compat: 'reference', interval: { ci: 'cluster', level: 0.9 } },
  { cluster: ['source'], interval: { ci: 'bootstrap', level: 0.9, seed: 5, resamples: 999 } },
  { cluster: [], interval: { ci: 'normal' } },
  { cluster: ['source', 'occupation'] },
  { lexicon: THREE_GROUPS, capitalised: false },
  { lexicon: THREE_GROUPS, capitalised: false, options: { steps: 'decode', decodeSteps: 3 } },
];

describe.skipIf(!PYTHON)('numbers of a run, recomputed from its rows', () => {
  it('ctf in every kind of step, clustering and interval', async () => {
    const data = jsonlFile(ROWS);
    const { model } = await plantedFiles();
    await expectRuns(
      model,
      CTF.map((more) => ({ suite: 'ctf', data, ...more })),
    );
  });

  it.skipIf(!STORIES)('wino, winobias, stereoset, ppl, em, consistency and crows', async () => {
    const pronouns = { male: 'he', female: 'she', neutral: 'they' };
    const sentences = ['nurse', 'plumber', 'engineer', 'cashier'].flatMap((occupation) =>
      ['someone', 'visitor'].flatMap((participant, answer) =>
        Object.entries(pronouns).map(
          ([gender, pronoun]) =>
            `${occupation}.${participant}.${answer}.${gender}.txt\tThe ${occupation} told the ${participant} that ${pronoun} was late.\n`,
        ),
      ),
    );
    const wino = textFile('s.tsv', `sentid\tsentence\n${sentences.join('')}`);
    const premises = jsonlFile(
      ['cat', 'dog', 'bird'].map((animal, id) => ({
        ...{ id, premise: `Once upon a time a ${animal}`, option_a: 'ran', option_b: 'sat' },
        gold: id % 2 === 0 ? 'a' : 'b',
      })),
    );
    const consistency = jsonlFile(
      ['nurse', 'plumber', 'teacher', 'clerk'].map((occupation, at) => ({
        ...{ x: `The ${occupation} said she`, x_swap: `The ${occupation} said he`, occupation },
        ...(at % 2 === 0 ? { options: ['was', 'is'], answer_key: at % 3 } : {}),
      })),
    );
    const crows = ['woman', 'girl', 'mother', 'sister', 'old man'].map((word, row) =>
      [row, `The ${word} cried.`, `The man ran.`, row % 3 === 0 ? 'antistereo' : 'stereo', 'gender'].join(
        ',',
      ),
    );
    const stereoset = ['cat', 'dog', 'cat', 'bird', 'dog', ''].map((target, id) => ({
      ...{ id: `${id}`, bias_type: id % 2 === 0 ? 'race' : 'gender', context: 'The BLANK ran.' },
      ...(target === '' ? {} : { target }),
      data: {
        stereotype: { sentence: `The ${['big', 'red', 'sad'][id % 3]} one ran.` },
        'anti-stereotype': { sentence: `The ${['small', 'happy'][id % 2]} one ran.` },
        unrelated: { sentence: 'The under one ran.' },
      },
    }));
    await expectRuns(STORIES!, [
      { suite: 'wino', data: wino },
      { suite: 'wino', data: wino, options: { normalise: 'token' }, interval: { level: 0.9 } },
      { suite: 'wino', data: premises },
      { suite: 'wino', data: premises, compat: 'reference' },
      { suite: 'stereoset', data: jsonlFile(stereoset) },
      { suite: 'stereoset', data: jsonlFile(stereoset), options: { normalise: 'sum', firstToken: 'skip' } },
      {
        suite: 'ppl',
        data: textFile(
          't.txt',
          'Once upon a time there was a cat.\nThe dog ran.\nHi.\nLily saw a big tree.\n',
        ),
      },
      {
        suite: 'em',
        data: jsonlFile([1, 2, 3].map((n) => ({ prompt: `Lily has ${n}`, answer: `${n}`, level: 'a' }))),
        options: { maxTokens: 8 },
      },
      { suite: 'consistency', data: consistency, options: { maxTokens: 6 } },
      {
        suite: 'crows',
        data: textFile('c.csv', `id,sent_more,sent_less,stereo_antistereo,bias_type\n${crows.join('\n')}\n`),
      },
    ]);
  });

  const WINOBIAS = sharedFile('datasets/winobias/WinoBias/wino/data');
  it.skipIf(!STORIES || !WINOBIAS)('winobias', async () => {
    await expectRuns(STORIES!, [{ suite: 'winobias', data: WINOBIAS!, sample: { rows: 40, seed: 1 } }]);
  });

  it('bbq, its cells, their table, the scores of all and those of pipeline', async () => {
    const rows = ['Age', 'Religion'].flatMap((category) =>
      Array.from({ length: 64 }, (_, at) => ({
        ...BBQ,
        ...{ category, example_id: at, question_index: String(Math.floor(at / 8)) },
        question_polarity: at % 4 < 2 ? 'neg' : 'nonneg',
        context_condition: at % 2 === 0 ? 'ambig' : 'disambig',
        context: `${BBQ.context} They met on day ${at}.`,
        label: at % 2 === 0 ? 2 : at % 3 === 0 ? 1 : 0,
      })),
    );
    // Some answers are refusals, some name two options, and some none.
    let asked = 0;
    const texts = ['I will not answer that.', 'A or B', 'Maybe.'];
    const mixed = new PolicyModel('by-rule', (roles) => {
      const answers = [...Object.values(roles), ...texts];
      asked += 1;
      return answers[(asked * asked + 3 * asked) % answers.length];
    });
    const settings: readonly Partial<BbqRunOptions>[] = [
      { backend: openPolicy('policy:random:3') },
      { backend: openPolicy('policy:random:4'), interval: { level: 0.9, seed: 6, resamples: 999 } },
      { backend: openPolicy('policy:always-unknown') },
      { backend: mixed, answer: 'text' },
    ];
    const [folders, pipelines]: [string[], string[]] = [[], []];
    for (const setting of settings) {
      const { panel, resultsDir } = await runBbq({
        experiment: await resolveExperiment('llm'),
        backend: mixed,
        engine: POLICY_ENGINE,
        data: jsonlFile(rows),
        out: join(temporaryFolder(), 'run'),
        ...setting,
      });
      const out = join(temporaryFolder(), 'scores');
      await runPipeline(resultsDir, out);
      folders.push(panel.folder.path);
      pipelines.push(panel.folder.path, out);
    }
    expectRecomputed(folders);
    expectRecomputed(['--pipeline', ...pipelines]);
  });

  it('rules, and its result files', async () => {
    const folder = temporaryFolder();
    const data = join(folder, 'test.json');
    writeFileSync(data, JSON.stringify(madeDocument('test', 12)));
    let asked = 0;
    const { model } = ruleModel(({ correct }) => ['(a)', correct, 'I cannot say.', correct][asked++ % 4]!);
    const result = await runRules({
      ...{ backend: model, engine: POLICY_ENGINE, data, out: join(folder, 'out'), modelId: 'm' },
      intervals: { resamples: 999, level: 0.9 },
    });
    if (result.status !== 'done') throw new Error('no results');
    expectRecomputed([join(result.files.performance, '..')]);
  });

  it.each([
    { orders: 10, level: 0.95 },
    { orders: 5, level: 0.9 },
    { orders: 2, level: 0.99 },
  ])('a questionnaire in $orders orders at $level', async (setting) => {
    const out = join(temporaryFolder(), 'run');
    const backend = openMock('mock:scale');
    await administer({
      scale: await loadScale('mini-ipip'),
      backend,
      engine: POLICY_ENGINE,
      out,
      ...setting,
    });
    expectRecomputed([out]);
  });

  it.each([
    { people: 9, level: 0.95 },
    { people: 3, level: 0.9 },
    { people: 40, level: 0.99 },
  ])('tables of $people participants at $level', async ({ people, level }) => {
    const folder = temporaryFolder();
    const scale = await smallScale(folder);
    const participants = Array.from({ length: people }, (_, at) =>
      person(`P${at}`, 3 + (at % 7), 9 - (at % 5), {
        Sex: at % 5 === 4 ? '' : at % 2 === 0 ? 'f' : 'm',
        Age: String(20 + ((7 * at) % 30)),
      }),
    );
    const results = participants.flatMap(({ participant_id: id }, at) =>
      ['first', 'second'].map((tier, k) => ({
        caseid: `${at === 2 && k === 1 ? 'nobody' : id}__${tier}`,
        generated_text: at === 4 ? 'no answer' : answer(3 + ((at * 5 + k * 2) % 7), 4 + ((at * 3 + k) % 5)),
      })),
    );
    const file = (name: string, rows: Parameters<typeof csvFile>[2]) => csvFile(folder, name, rows);
    const out = join(folder, 'out');
    await runScalePipeline(scale, file('r.csv', results), file('p.csv', participants), out, {
      ...{ by: ['Sex', 'Age'], resamples: 999, seed: 11, level },
    });
    expectRecomputed(['--tables', out, 'first', 'second']);
  });

  it('a panel, and what compare makes of two models', async () => {
    const { planted, model, rows } = await plantedFiles();
    const folder = temporaryFolder();
    const other = join(folder, 'other.gguf');
    writeFileSync(other, plantedModel(planted.occupations, { seed: 2 }).bytes);
    const crows = rows
      .slice(0, 20)
      .map(({ x, x_swap }, row) =>
        [row, `"${x_swap}"`, `"${x}"`, row % 3 === 0 ? 'antistereo' : 'stereo', 'gender'].join(','),
      );
    const files = {
      ctf: jsonlFile(rows.slice(0, 40)),
      crows: textFile(
        'crows.csv',
        `id,sent_more,sent_less,stereo_antistereo,bias_type\n${crows.join('\n')}\n`,
      ),
      ppl: textFile(
        't.txt',
        `${rows
          .slice(0, 9)
          .map(({ x }) => x)
          .join('\n')}\n`,
      ),
    };
    const panels: string[] = [];
    for (const path of [model, other]) {
      await using backend = await openModel(path, {});
      const panel = await runPanel({
        backend,
        engine: describeEngine({}, backend.info),
        out: join(folder, String(panels.length)),
        parts: Object.entries(files).map(([suite, data]) => ({
          suite: findSuite(suite),
          data,
          lexicon: LEXICON,
        })),
      });
      panels.push(panel.folder.path);
    }
    expectRecomputed(panels);
    const triples: string[] = [];
    for (const suite of Object.keys(files)) {
      const runs = panels.map((panel) => join(panel, suite)) as [string, string];
      const { comparisons } = await compareFolders(...runs, { metrics: 'all' });
      triples.push(...runs, join(folder, `${suite}.json`));
      writeFileSync(triples.at(-1)!, JSON.stringify({ comparisons, all: true }));
    }
    expectRecomputed(['--compare', ...triples]);
  });
});
