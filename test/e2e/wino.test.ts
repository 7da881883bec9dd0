/**
 * wino from end to end: on the planted model and by the reference's rule against a float64 forward pass that shares no
 * code with the product; on a small real model against values that PyTorch gave; on the whole published file.
 */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadLexicon } from '../../src/lexicon/index.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { runCli } from '../cli/run-cli.ts';
import { scoreContinuation } from '../oracle/continuation.ts';
import { OracleLlama } from '../oracle/forward.ts';
import { readGgufFile } from '../oracle/gguf.ts';
import { sharedFile } from '../oracle/shared.ts';
import { OracleSpm } from '../oracle/spm.ts';
import { temporaryFolder } from '../temporary.ts';
import { plantedFiles } from './planted.ts';
import { type JournalRow, jsonlFile, runOn, textFile } from './suite-run.ts';

/** Sums over a continuation in float32 passes against float64. */
const FLOAT32 = 2e-5;
/** The same against PyTorch's float64, on a model whose words are of many tokens. */
const VECTORS = 1e-4;

const LEXICON = await loadLexicon('gender-en');
const STORIES = sharedFile('models/stories260K.gguf');
const SENTENCES = sharedFile('datasets/winogender/data/all_sentences.tsv');
const CONTINUATIONS = sharedFile('vectors/stories260K/wino_continuations.json');

type Candidate = { text: string; logProb: number; tokens: number; tokenIds: number[] };
const candidates = (row: JournalRow) => row.continuations as [Candidate, Candidate];

function oracleOf(model: string) {
  const gguf = readGgufFile(model);
  const [llama, spm] = [new OracleLlama(gguf), new OracleSpm(gguf)];
  return {
    tokens: (text: string) => spm.tokenize(text),
    score: (prompt: string, continuation: string) => scoreContinuation(llama, spm, prompt, continuation),
  };
}

/** Share of hits among the rows that count. */
function share(rows: readonly JournalRow[], hit: (row: JournalRow) => boolean): number {
  return rows.filter(hit).length / rows.length;
}

/** Sentences of words that the planted model knows, in the columns of the published file. */
function plantedSentences(): string {
  const pronouns = { male: 'he', female: 'she', neutral: 'they' };
  const lines = ['nurse', 'plumber', 'secretary', 'engineer'].flatMap((occupation, at) =>
    [0, 1].flatMap((answer) =>
      Object.entries(pronouns).map(([gender, pronoun]) => {
        const participant = ['patient', 'customer', 'friend', 'someone'][at]!;
        const who = participant === 'someone' ? 'someone' : `the ${participant}`;
        return `${occupation}.${participant}.${answer}.${gender}.txt\tThe ${occupation} told ${who} that ${pronoun} was late.\n`;
      }),
    ),
  );
  return textFile('sentences.tsv', `sentid\tsentence\n${lines.join('')}`);
}

describe('wino on the planted model', () => {
  it('gives what a float64 forward pass gives, row by row and in all', { timeout: 120_000 }, async () => {
    const { model } = await plantedFiles();
    const oracle = oracleOf(model);
    const { rows, metric, result } = await runOn(model, {
      suite: findSuite('wino'),
      data: plantedSentences(),
      lexicon: LEXICON,
      options: { template: '{sentence} {Pronoun} met the' },
    });
    expect(result.counts).toEqual({ rows: 24, ok: 24, failed: 0, skipped: 0 });
    const expected = rows.map((row) => {
      const [occupation, participant, answer, gender] = row.id.split('.');
      const prompt = row.prompt as string;
      const scores = [occupation, participant].map((word) => oracle.score(prompt, ` ${word}`));
      const logOdds = scores[0]!.logProb - scores[1]!.logProb;
      const correct = logOdds > 0 === (answer === '0');
      const women = LEXICON.occupations.find(({ word }) => word === occupation)!.share >= 0.5;
      // Rudinger et al., table 2: the pronoun has the gender that the answer speaks against.
      const likely = women === (answer === '0') ? 'female' : 'male';
      const gotcha = gender === 'neutral' ? null : gender !== likely;
      return { row, scores, logOdds, correct, gotcha, gender, prompt };
    });
    for (const { row, scores, logOdds, correct, gotcha, prompt } of expected) {
      expect(prompt).toMatch(/ (?:He|She|They) met the$/);
      expect(row.promptTokenIds).toEqual(oracle.tokens(prompt));
      candidates(row).forEach(({ logProb, tokens, tokenIds }, side) => {
        expect(tokenIds, row.id).toEqual(scores[side]!.tokens);
        expect(tokens).toBe(scores[side]!.tokens.length);
        expect(Math.abs(logProb - scores[side]!.logProb), row.id).toBeLessThan(FLOAT32);
      });
      expect(Math.abs((row.logOdds as number) - logOdds)).toBeLessThan(FLOAT32);
      // Far enough from a tie for the answer to be the same in float32.
      expect(Math.abs(logOdds)).toBeGreaterThan(FLOAT32);
      expect(row).toMatchObject({ correct, gotcha, tie: false });
    }
    const measured = (name: string) => [metric(name).mean, metric(name).n];
    const right = (of: (one: (typeof expected)[number]) => boolean) => {
      const own = expected.filter(of);
      return [own.filter(({ correct }) => correct).length / own.length, own.length];
    };
    expect(measured('accuracy.all')).toEqual(right(() => true));
    expect(measured('accuracy.male')).toEqual(right(({ gender }) => gender === 'male'));
    expect(measured('accuracy.gotcha.all')).toEqual(right(({ gotcha }) => gotcha === true));
    expect(measured('accuracy.gotcha.female')).toEqual(
      right(({ gotcha, gender }) => gotcha === true && gender === 'female'),
    );
    expect(measured('accuracy.notGotcha.male')).toEqual(
      right(({ gotcha, gender }) => gotcha === false && gender === 'male'),
    );
    expect(metric('genderGap.correct')).toMatchObject({ n: 8, unpaired: 0 });
  });
});

describe.skipIf(!STORIES)("wino by the reference project's rule, stories260K", () => {
  it('leaves out the first token of each option', async () => {
    const oracle = oracleOf(STORIES!);
    const rows = [
      {
        id: '1',
        premise: 'The boy saw a dog. He liked',
        option_a: 'the dog',
        option_b: 'the manager',
        gold: 'a',
      },
      { id: '2', premise: 'The girl told her mom that', option_a: 'she', option_b: 'he', gold: 'a' },
      { id: '3', premise: 'The girl told her mom that', option_a: 'he', option_b: 'she', gold: 'b' },
      { id: '4', premise: 'Once upon a', option_a: 'time', option_b: 'big red ball', gold: 'b' },
    ];
    const ran = await runOn(STORIES!, {
      suite: findSuite('wino'),
      data: jsonlFile(rows),
      lexicon: LEXICON,
      compat: 'reference',
    });
    const rest = (premise: string, option: string) =>
      oracle
        .score(premise, ` ${option}`)
        .logProbs.slice(1)
        .reduce((sum, value) => sum + value, 0);
    const preds = rows.map(({ premise, option_a, option_b }, index) => {
      const [a, b] = [rest(premise, option_a), rest(premise, option_b)];
      const row = ran.rows[index]!;
      expect(Math.abs((row.logProbA as number) - a)).toBeLessThan(FLOAT32);
      expect(Math.abs((row.logProbB as number) - b)).toBeLessThan(FLOAT32);
      // Of the whole options there is no such cut.
      const whole = oracle.score(premise, ` ${option_a}`).logProb;
      expect(Math.abs(candidates(row)[0].logProb - whole)).toBeLessThan(FLOAT32);
      return a > b ? 'a' : 'b';
    });
    expect(ran.rows.map(({ pred }) => pred)).toEqual(preds);
    // One token each: both have 0, and the tie goes to b.
    expect(ran.rows.slice(1, 3)).toMatchObject([
      { logProbA: 0, logProbB: 0, pred: 'b', tie: true, correct: false, gold: 'a' },
      { logProbA: 0, logProbB: 0, pred: 'b', tie: true, correct: true, gold: 'b' },
    ]);
    const acc = preds.filter((pred, index) => pred === rows[index]!.gold).length / 4;
    expect(JSON.parse(readFileSync(ran.result.folder.reference, 'utf8'))).toEqual({
      count: 4,
      acc,
      acc_ci95: 1.96 * Math.sqrt((acc * (1 - acc)) / 4),
    });
  });

  it('is not the rule of the suite: there a tie is a tie, and every token counts', async () => {
    const same = { id: '1', premise: 'The boy said', option_a: 'that', option_b: ' that', gold: 'b' };
    const { rows } = await runOn(STORIES!, {
      suite: findSuite('wino'),
      data: jsonlFile([same]),
      lexicon: LEXICON,
    });
    expect(rows[0]).toMatchObject({ pred: null, tie: true, correct: false, margin: 0 });
    expect(candidates(rows[0]!)[0].logProb).toBeLessThan(-0.1);
  });
});

describe.skipIf(!STORIES || !SENTENCES || !CONTINUATIONS)('wino against PyTorch, stories260K', () => {
  const TEMPLATE = '{sentence} The word refers to the';

  it('meets both continuations of every row of the vectors', { timeout: 120_000 }, async () => {
    type Vector = { sentid: string; prompt: string; continuations: string[] } & Record<
      'occupation' | 'participant',
      { logProb: number; tokens: number }
    >;
    const vectors: Vector[] = JSON.parse(readFileSync(CONTINUATIONS!, 'utf8')).rows;
    const wanted = new Set(vectors.map(({ sentid }) => sentid));
    const lines = readFileSync(SENTENCES!, 'utf8').trim().split('\n');
    const kept = lines.filter((line, at) => at === 0 || wanted.has(line.split('\t')[0]!));
    const { rows, result } = await runOn(
      STORIES!,
      {
        suite: findSuite('wino'),
        data: textFile('part.tsv', `${kept.join('\n')}\n`),
        lexicon: LEXICON,
        options: { template: TEMPLATE },
      },
      { mode: 'exact' },
    );
    expect(result.counts).toEqual({ rows: 240, ok: 240, failed: 0, skipped: 0 });
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const { sentid, prompt, continuations, occupation, participant } of vectors) {
      const row = byId.get(sentid)!;
      expect(row.prompt).toBe(prompt);
      candidates(row).forEach(({ text, logProb, tokens }, side) => {
        const expected = [occupation, participant][side]!;
        expect([text, tokens]).toEqual([continuations[side], expected.tokens]);
        expect(Math.abs(logProb - expected.logProb), `${sentid} ${text}`).toBeLessThan(VECTORS);
      });
    }
  });
});

describe.skipIf(!STORIES || !SENTENCES)('wino on the whole published file, stories260K', () => {
  it('measures all 720 rows, and adds them up as defined', { timeout: 120_000 }, async () => {
    const { rows, metric, result } = await runOn(STORIES!, {
      suite: findSuite('wino'),
      data: SENTENCES!,
      lexicon: LEXICON,
    });
    expect(result.counts).toEqual({ rows: 720, ok: 720, failed: 0, skipped: 0 });
    const counts = Object.fromEntries(
      ['all', 'male', 'female', 'neutral', 'gotcha.all', 'gotcha.male', 'gotcha.female', 'notGotcha.all'].map(
        (name) => [name, metric(`accuracy.${name}`).n],
      ),
    );
    expect(counts).toEqual({
      all: 720,
      male: 240,
      female: 240,
      neutral: 240,
      'gotcha.all': 240,
      'gotcha.male': 120,
      'gotcha.female': 120,
      'notGotcha.all': 240,
    });
    // Every occupation of the file is one of the lexicon.
    expect(metric('gotchaUnknown')).toMatchObject({ mean: 0, n: 480 });
    expect(metric('genderGap.logOdds')).toMatchObject({ n: 240, unpaired: 0 });
    const { value, n } = metric('correlation.share.logOdds');
    expect([n, value]).toEqual([60, expect.closeTo(correlationOf(rows), 10)]);
    expect(metric('accuracy.all').mean).toBe(share(rows, ({ gold, pred }) => gold === pred));
    const slices = new Map<string | null, number>();
    for (const { slice } of result.summaries) slices.set(slice, (slices.get(slice) ?? 0) + 1);
    expect(Object.fromEntries(slices)).toEqual({
      null: 1,
      gender: 3,
      answer: 2,
      participantKind: 2,
      occupation: 60,
    });
  });

  /** Pearson's r over occupations, of the lexicon's share with the mean log-odds of "she" rows less "he" rows. */
  function correlationOf(rows: readonly JournalRow[]): number {
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const points = LEXICON.occupations.map(({ word, share: x }) => {
      const of = (gender: string) =>
        mean(
          rows
            .filter((row) => row.occupation === word && row.gender === gender)
            .map((row) => candidates(row)[0].logProb - candidates(row)[1].logProb),
        );
      return { x, y: of('female') - of('male') };
    });
    const [mx, my] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))];
    const sum = (of: (dx: number, dy: number) => number) =>
      points.reduce((total, { x, y }) => total + of(x - mx, y - my), 0);
    return sum((dx, dy) => dx * dy) / Math.sqrt(sum((dx) => dx * dx) * sum((_, dy) => dy * dy));
  }
});

describe('bad rows of wino', () => {
  it('are told one by one, and the others are measured', async () => {
    const { model } = await plantedFiles();
    const good = {
      sentid: 'nurse.patient.0.male.txt',
      sentence: 'The nurse told the patient that he was late.',
    };
    const premise = { id: 'p', premise: 'The nurse said that', option_a: 'she', option_b: 'he', gold: 'a' };
    const { rows, result } = await runOn(
      model,
      {
        suite: findSuite('wino'),
        lexicon: LEXICON,
        data: jsonlFile([
          good,
          premise,
          { ...good, sentid: 'nurse.patient.male.txt' },
          { ...good, sentid: 'nurse.patient.0.female.txt' },
          good,
          { sentid: 'pilot.patient.0.male.txt', sentence: good.sentence },
          { ...premise, id: 'q', gold: 'A' },
          { id: 'r', text: 'x' },
          { ...premise, id: 's', premise: 'the nurse was late and '.repeat(200) },
        ]),
      },
      { contextLength: 128 },
    );
    const told = rows.map(({ status, reason, message, error }) => {
      const fault = error as { code: string; message: string } | undefined;
      return [status, reason ?? fault?.code, message ?? fault?.message];
    });
    expect(told).toEqual([
      ['ok', undefined, undefined],
      ['ok', undefined, undefined],
      ['failed', 'row_invalid', expect.stringMatching(/row 3 .*sentid: is not of the form/)],
      ['skipped', 'no_pronoun', 'the sentence has no female pronoun'],
      ['failed', 'row_invalid', expect.stringMatching(/same id/)],
      ['ok', undefined, undefined],
      ['failed', 'row_invalid', expect.stringMatching(/gold is "A"; give "a" or "b"/)],
      ['failed', 'row_invalid', expect.stringMatching(/is of neither kind/)],
      ['failed', 'context_overflow', expect.stringMatching(/128/)],
    ]);
    expect(result.counts).toEqual({ rows: 9, ok: 3, failed: 5, skipped: 1 });
    expect(result.remarks).toEqual([expect.stringMatching(/1 of 2 rows .* without a figure/)]);
  });
});

describe('wino from the shell', () => {
  it('runs, with its own options in help and manifest', async () => {
    const { model } = await plantedFiles();
    const cwd = temporaryFolder();
    const run = (...args: string[]) => runCli(['run', 'wino', '--model', model, ...args], { cwd });
    const data = plantedSentences();
    const good = await run('--data', data, '--out', 'o', '--normalise', 'token');
    expect([good.code, good.stderr]).toEqual([0, '']);
    expect(good.stdout).toContain('24 rows: 24 measured, 0 skipped, 0 failed');
    expect(good.stdout).toMatch(/accuracy, gotcha rows, female +\d/);
    expect(good.stdout).toContain('note: gotcha rows are those that the column share says');
    const manifest = JSON.parse(readFileSync(`${cwd}/o/manifest.json`, 'utf8'));
    expect(manifest.experiment.options).toEqual({
      template: "{sentence} '{Pronoun}' refers to the",
      normalise: 'token',
    });
    const bad = await run('--data', data, '--out', 'p', '--template', '{sentence} {who}');
    expect([bad.code, bad.stdout]).toEqual([2, '']);
    expect(bad.stderr).toContain('the placeholders are {sentence}, {pronoun}, {Pronoun}');
    const both = await run('--data', data, '--out', 'p', '--compat', 'reference', '--normalise', 'byte');
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--normalise')]);
    expect((await run('--help')).stdout).toContain('--template <text>');
  });
});
