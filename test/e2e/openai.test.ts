/** Suites through an endpoint that has our own engine behind it: the same numbers as on the engine itself. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadLexicon } from '../../src/lexicon/index.ts';
import { describeEngine, openAny, openModel } from '../../src/model/index.ts';
import { type RunOptions, runSuite } from '../../src/run/index.ts';
import { openRun } from '../../src/run/stored.ts';
import { engineBrain } from '../server/engine-brain.ts';
import { LoopbackServer } from '../server/server.ts';
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
    const common = { suite, data: dataFile(), ...more };
    const here = await runSuite({
      ...common,
      backend: local,
      engine: describeEngine({}),
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
    expect((await openRun(join(out, 'over'))).manifest.model.tokenizerSha256).toBeNull();
    expect(
      JSON.parse(readFileSync(join(out, 'over', 'manifest.json'), 'utf8')).usage.asked.requests,
    ).toBeGreaterThan(0);
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
    const running = runSuite({ suite, data: textFile(name, text), backend, engine, lexicon: LEXICON, out });
    await expect(running).rejects.toMatchObject({
      code: 'not_supported',
      message: expect.stringContaining('run it on a GGUF model'),
    });
    await expect(openRun(out)).rejects.toMatchObject({ code: 'file_not_found' });
    await backend.close();
    expect(server.requests).toEqual([]);
  });
});
