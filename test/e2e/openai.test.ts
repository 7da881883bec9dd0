/** Suites through an endpoint that has our own engine behind it: the same numbers as on the engine itself. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadLexicon } from '../../src/lexicon/index.ts';
import { describeEngine, openAny, openModel } from '../../src/model/index.ts';
import { type RunOptions, runSuite } from '../../src/run/index.ts';
import { openRun } from '../../src/run/stored.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { engineBrain } from '../server/engine-brain.ts';
import { LoopbackServer, Refusal } from '../server/server.ts';
import { temporaryFolder } from '../temporary.ts';
import { plantedFiles } from './planted.ts';
import { jsonlFile, textFile } from './suite-run.ts';

/** Sums over a continuation, whose tokens are scored in another batch. */
const BATCHES = 4;

const LEXICON = await loadLexicon('gender-en');
const pronouns = { male: 'he', female: 'she', neutral: 'they' };
const sentences = ['nurse', 'plumber', 'engineer'].flatMap((occupation) =>
  Object.entries(pronouns).map(
    ([gender, pronoun]) =>
      `${occupation}.someone.0.${gender}.txt\tThe ${occupation} told someone that ${pronoun} was late.\n`,
  ),
);

const SUITES: readonly (readonly [suite: string, data: () => string, Partial<RunOptions>])[] = [
  ['wino', () => textFile('s.tsv', `sentid\tsentence\n${sentences.join('')}`), { lexicon: LEXICON }],
  [
    'em',
    () =>
      jsonlFile([
        { prompt: 'The nurse said that', answer: 'she' },
        { prompt: 'The plumber said that', answer: 'he was late' },
      ]),
    { options: { maxTokens: 6 } },
  ],
];

/** Every number of it, by its path. */
function numbersOf(value: unknown, path = ''): [string, number | null][] {
  if (typeof value === 'number' || value === null) return [[path, value]];
  if (typeof value !== 'object') return [];
  return Object.entries(value as object).flatMap(([key, own]) => numbersOf(own, `${path}.${key}`));
}

describe('through an endpoint', () => {
  it.each(SUITES)('%s has the numbers of the engine', async (suite, dataFile, more) => {
    const { model: file } = await plantedFiles();
    await using local = await openModel(file, { threads: 1 });
    await using server = await LoopbackServer.start({ brain: engineBrain(local) });
    const { backend, engine } = await openAny('openai:planted', {
      endpoint: { baseUrl: server.url, api: 'completions' },
    });
    const out = temporaryFolder();
    const common = { suite: findSuite(suite), data: dataFile(), ...more };
    const here = await runSuite({
      ...common,
      backend: local,
      engine: describeEngine({}, local.info),
      out: join(out, 'here'),
    });
    const over = await runSuite({ ...common, backend, engine, out: join(out, 'over') });
    await backend.close();
    expect(over.counts).toEqual(here.counts);
    expect(over.counts.failed).toBe(0);
    const wanted = numbersOf(here.metrics);
    expect(wanted.length).toBeGreaterThan(3);
    const got = new Map(numbersOf(over.metrics));
    for (const [name, number] of wanted) {
      if (number === null) expect(got.get(name), name).toBeNull();
      else expect(got.get(name), name).toBeCloseTo(number, BATCHES);
    }
    // A run that is done can be opened again, whatever its model does not tell.
    expect((await openRun(join(out, 'over'), findSuite)).manifest.model.tokenizerSha256).toBeNull();
    expect(
      JSON.parse(readFileSync(join(out, 'over', 'manifest.json'), 'utf8')).usage.asked.requests,
    ).toBeGreaterThan(0);
  });

  it('ctf-bounds holds every number of ctf, row by row and over all rows', async () => {
    const { model: file, data } = await plantedFiles();
    await using local = await openModel(file, { threads: 1 });
    const brain = engineBrain(local);
    await using server = await LoopbackServer.start({
      // Five are listed, so that much is open.
      brain: (request) => {
        if (Number(request.body.logprobs) > 5) throw new Refusal(400, { message: 'at most 5 logprobs' });
        return brain(request);
      },
    });
    const { backend, engine } = await openAny('openai:planted', {
      endpoint: { baseUrl: server.url, api: 'completions' },
    });
    const out = temporaryFolder();
    const common = { data, lexicon: LEXICON, limit: 24 };
    const folder = (name: string) => ({ out: join(out, name) });
    const exact = await runSuite({
      ...common,
      ...folder('exact'),
      suite: findSuite('ctf'),
      policy: 'skip',
      backend: local,
      engine: describeEngine({}, local.info),
    });
    const bounds = await runSuite({
      ...common,
      ...folder('bounds'),
      suite: findSuite('ctf-bounds'),
      backend,
      engine,
    });
    await backend.close();
    expect(bounds.counts).toEqual({ rows: 24, ok: 24, failed: 0, skipped: 0 });
    const rowsOf = (name: string): Record<string, never>[] =>
      readFileSync(join(out, name, 'rows.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    const [wanted, got] = [rowsOf('exact'), rowsOf('bounds')];
    const names = ['massFemale', 'massMale', 'massFemaleSwap', 'massMaleSwap', 'gap', 'gapSwap', 'jsdSwap'];
    wanted.forEach((row, at) => {
      for (const name of names) {
        const { lower, upper } = got[at]![name]! as { lower: number; upper: number };
        expect(lower, name).toBeLessThanOrEqual(row[name]!);
        expect(upper, name).toBeGreaterThanOrEqual(row[name]!);
      }
      expect(got[at]!.listed).toBe(5);
    });
    const meanOf = (run: typeof exact, name: string) =>
      run.summaries[0]!.metrics.find((metric) => metric.name === name)!.value.value!;
    for (const name of ['ctfGap', 'ctfGapBoth', 'jsdSwap']) {
      expect(meanOf(bounds, `${name}.lower`), name).toBeLessThanOrEqual(meanOf(exact, name));
      expect(meanOf(bounds, `${name}.upper`), name).toBeGreaterThanOrEqual(meanOf(exact, name));
    }
    // They say something: the planted gap is not 0, and not anything.
    expect(meanOf(bounds, 'ctfGap.lower')).toBeGreaterThan(0);
    expect(meanOf(bounds, 'rest.upper')).toBeLessThan(1);
    // Exact numbers there are none.
    expect(
      bounds.summaries[0]!.metrics.map(({ name }) => name).every((name) => /\.(lower|upper)$/.test(name)),
    ).toBe(true);
  });

  it('ctf-bounds is refused by a chat, by an endpoint without lists, and by a GGUF model', async () => {
    const { model: file, data } = await plantedFiles();
    await using local = await openModel(file, { threads: 1 });
    const common = { suite: findSuite('ctf-bounds'), data, lexicon: LEXICON, limit: 2 };
    await using lists = await LoopbackServer.start({ brain: engineBrain(local) });
    await using none = await LoopbackServer.start();
    for (const [baseUrl, api] of [
      [lists.url, 'chat'],
      [none.url, 'completions'],
    ] as const) {
      const opened = await openAny('openai:planted', { endpoint: { baseUrl, api } });
      await expect(
        runSuite({ ...common, ...opened, out: join(temporaryFolder(), 'out') }),
      ).rejects.toMatchObject({
        code: 'not_supported',
        message: expect.stringContaining('the likeliest tokens'),
      });
      await opened.backend.close();
    }
    const here = {
      backend: local,
      engine: describeEngine({}, local.info),
      out: join(temporaryFolder(), 'out'),
    };
    const { counts, firstFailure } = await runSuite({ ...common, ...here });
    expect(counts.failed).toBe(2);
    expect(firstFailure).toContain('run ctf instead of ctf-bounds');
  });

  it.each([
    ['crows', 'sent_more,sent_less,stereo_antistereo,bias_type\na b,a c,stereo,gender\n', 'c.csv'],
    ['ppl', 'id,text\n1,The nurse said that she was late.\n', 'p.csv'],
    ['ctf', 'id,x,x_swap\n1,The nurse said that she,The nurse said that he\n', 'd.csv'],
  ])('%s is refused, with what to do instead, before there is a folder', async (suite, text, name) => {
    const { model: file } = await plantedFiles();
    await using local = await openModel(file, { threads: 1 });
    await using server = await LoopbackServer.start({ brain: engineBrain(local) });
    const { backend, engine } = await openAny('openai:planted', {
      endpoint: { baseUrl: server.url, api: 'completions' },
    });
    const out = join(temporaryFolder(), 'out');
    const running = runSuite({
      ...{ suite: findSuite(suite), data: textFile(name, text), lexicon: LEXICON },
      ...{ backend, engine, out },
    });
    await expect(running).rejects.toMatchObject({
      code: 'not_supported',
      message: expect.stringContaining('run it on a GGUF model'),
    });
    await expect(openRun(out, findSuite)).rejects.toMatchObject({ code: 'file_not_found' });
    await backend.close();
    expect(server.requests).toEqual([]);
  });
});
