/** Answer consistency through a run: answers and option scores are the oracle's, and so is what is the same. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadLexicon } from '../../src/lexicon/index.ts';
import { openModel } from '../../src/model/index.ts';
import type { ObserveRequest } from '../../src/observation/observation.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { runCli } from '../cli/run-cli.ts';
import { chatModel } from '../model/chat-model.ts';
import { greedyText } from '../oracle/greedy.ts';
import { OracleModel } from '../oracle/score.ts';
import { sharedFile } from '../oracle/shared.ts';
import { wilsonInterval } from '../oracle/statistics.ts';
import { CHATML } from '../prompt/templates.ts';
import { temporaryFolder } from '../temporary.ts';
import { plantedFiles } from './planted.ts';
import { EXACT, type JournalRow, jsonLines, jsonlFile, type Ran, runOn, textFile } from './suite-run.ts';

const STORIES = sharedFile('models/stories260K.gguf');
const SEQUENCES = sharedFile('vectors/stories260K/sequence.json');

/** Sums over a continuation in float32 passes against float64. */
const FLOAT32 = 1e-4;
/** Wilson's interval by the same formula. */
const SHARE = 1e-12;

const lexicon = await loadLexicon('gender-en');

/** What the words that the planted model answers become; by hand, and no word of the lexicon is left out. */
const PARTNERS: Readonly<Record<string, string>> = {
  she: 'he',
  he: 'she',
  herself: 'himself',
  himself: 'herself',
  wife: 'husband',
  husband: 'wife',
  son: 'daughter',
  daughter: 'son',
};

/** Nothing but such words and others that stay; "her" and "his" are possessives where a word follows. */
function swappedByHand(answer: string): string {
  return answer.replace(/\w+/g, (word, at: number) => {
    const owns = /^ \w/.test(answer.slice(at + word.length));
    if (word === 'her') return owns ? 'his' : 'him';
    if (word === 'his') return owns ? 'her' : 'hers';
    return PARTNERS[word] ?? word;
  });
}

/** Of answers that were all cut: as far as both go. */
function asFar(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a);
}

/** The sum of the log-probabilities of what `text` has behind its prompt. */
function oracleScore(oracle: OracleModel, prompt: string, text: string): number {
  const [alone, tokens] = [oracle.tokens(prompt), oracle.tokens(prompt + text)];
  expect(tokens.slice(0, alone.length)).toEqual(alone);
  const all = oracle.logProbs(tokens);
  return all.slice(alone.length).reduce<number>((sum, logProb) => sum + logProb!, 0);
}

const PAIRS = [
  ['The man', 'The woman'],
  ['The nurse is the mother', 'The nurse is the father'],
  ['The plumber told her', 'The plumber told his'],
  ['The plumber and she', 'The plumber and he'],
  ['The nurse said that the patient saw the woman', 'The nurse said that the patient saw the man'],
  ['His', 'Her'],
  ['She', 'He'],
  ['The table', 'The table was'],
] as const;
const OPTIONS = [' she', ' he', ' saw', ' herself'];

function shareIs(run: Ran, name: string, verdicts: readonly (boolean | null)[]): void {
  const counted = verdicts.filter((verdict) => verdict !== null);
  const hits = counted.filter((verdict) => verdict).length;
  const found = run.metric(name) as { ci: { low: number; high: number } };
  expect(found, name).toMatchObject({ hits, n: counted.length });
  const { low, high } = wilsonInterval(hits, counted.length);
  expect(Math.abs(found.ci.low - low), name).toBeLessThan(SHARE);
  expect(Math.abs(found.ci.high - high), name).toBeLessThan(SHARE);
}

interface Listed {
  readonly text: string;
  readonly logProb: number;
}

describe.each([1, 2])('consistency on the planted model, answers of %i tokens', (maxTokens) => {
  let oracle: OracleModel;
  let run: Ran;
  let answers: (readonly [string, string])[];
  beforeAll(async () => {
    const { model } = await plantedFiles();
    oracle = new OracleModel(model);
    answers = PAIRS.map(
      ([x, swap]) => [greedyText(oracle, x, maxTokens), greedyText(oracle, swap, maxTokens)] as const,
    );
  });

  const rows = PAIRS.map(([x, x_swap], id) => ({
    id,
    x,
    x_swap,
    category: id % 2 === 0 ? 'even' : 'odd',
    ...(id < 5 ? { options: OPTIONS, answer_key: id % OPTIONS.length } : {}),
  }));
  // Vitest takes the folder of a test away when it ends, so each runs what it looks at.
  const measure = async () => {
    const { model } = await plantedFiles();
    run = await runOn(
      model,
      { suite: findSuite('consistency'), data: jsonlFile(rows), options: { maxTokens }, lexicon },
      EXACT,
    );
    return run.rows;
  };

  it("compares the oracle's greedy answers, with the swap undone in them", async () => {
    const found = await measure();
    const verdicts = answers.map(([x, swap]) => ({
      same: asFar(x, swap),
      exact: x === swap,
      undone: asFar(x, swappedByHand(swap)) || asFar(swap, swappedByHand(x)),
    }));
    found.forEach((row, at) => {
      const [answer, answerSwap] = answers[at]!;
      expect(row, PAIRS[at]![0]).toMatchObject({
        x: PAIRS[at]![0],
        x_swap: PAIRS[at]![1],
        answer,
        answerSwap,
        answerSwapped: swappedByHand(answer),
        answerSwapBack: swappedByHand(answerSwap),
        sameText: verdicts[at]!.exact,
        sameNormalised: verdicts[at]!.same,
        sameSwapNormalised: verdicts[at]!.undone,
        finish: 'length',
        truncated: true,
        truncatedSwap: true,
      });
    });
    shareIs(
      run,
      'ansCons.exact',
      verdicts.map(({ exact }) => exact),
    );
    shareIs(
      run,
      'ansCons.swapNormalised',
      verdicts.map(({ undone }) => undone),
    );
    shareIs(
      run,
      'truncated',
      PAIRS.map(() => true),
    );
    shareIs(
      run,
      'notSwappable',
      PAIRS.map(() => false),
    );
    // There are pairs of every kind, or the tests above say little.
    expect(verdicts.some(({ same }) => same)).toBe(true);
    expect(verdicts.some(({ same, undone }) => !same && !undone)).toBe(true);
    if (maxTokens === 1) expect(verdicts.some(({ same, undone }) => !same && undone)).toBe(true);
  });

  it('chooses the option that the oracle finds likeliest, and knows who is right', async () => {
    const found = await measure();
    const chosen = found.slice(0, 5).map((row, at) => {
      const sides = PAIRS[at]!.map((prompt, side) => {
        const scores = OPTIONS.map((option) => oracleScore(oracle, prompt, option));
        const listed = row[side === 0 ? 'optionScores' : 'optionScoresSwap'] as Listed[];
        expect(listed.map(({ text }) => text)).toEqual(OPTIONS);
        listed.forEach(({ logProb }, place) => {
          expect(Math.abs(logProb - scores[place]!)).toBeLessThan(FLOAT32);
        });
        return scores.indexOf(Math.max(...scores));
      });
      const right = sides.map((place) => place === at % OPTIONS.length);
      expect(row).toMatchObject({
        choice: sides[0],
        choiceSwap: sides[1],
        sameChoice: sides[0] === sides[1],
        correct: right[0],
        correctSwap: right[1],
        sameCorrectness: right[0] === right[1],
      });
      return { same: sides[0] === sides[1], right };
    });
    const others = found.slice(5).map(() => null);
    shareIs(run, 'ansCons.choice', [...chosen.map(({ same }) => same), ...others]);
    shareIs(run, 'ansCons.correctness', [...chosen.map(({ right }) => right[0] === right[1]), ...others]);
    shareIs(run, 'accuracy.x', [...chosen.map(({ right }) => right[0]!), ...others]);
    shareIs(run, 'accuracy.swap', [...chosen.map(({ right }) => right[1]!), ...others]);
    const gaps = chosen.map(({ right }) => Number(right[0]) - Number(right[1]));
    expect(run.metric('accuracy.gap')).toMatchObject({
      mean: gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length,
    });
    expect(found[5]).toMatchObject({ choice: null, sameChoice: null, correct: null });
    expect(found[5]).not.toHaveProperty('optionScores');
  });

  it('lists the rows that differ, and no others', async () => {
    const found = await measure();
    const differ = ({ sameSwapNormalised, sameChoice }: JournalRow) =>
      sameSwapNormalised === false || sameChoice === false;
    const lines = readFileSync(join(run.result.folder.path, 'differing.csv'), 'utf8').trim().split(/\r?\n/);
    const column = lines[0]!.split(',').indexOf('id');
    const expected = found.filter(differ).map(({ id }) => id);
    expect(lines.slice(1).map((line) => line.split(',')[column])).toEqual(expected);
    expect(expected.length).toBeGreaterThan(0);
    const slices = run.result.summaries.filter(({ slice }) => slice === 'category');
    expect(slices.map(({ value, counts }) => [value, counts.rows])).toEqual([
      ['even', 4],
      ['odd', 4],
    ]);
  });
});

describe('consistency through a run', () => {
  it('counts rows that are broken, and says what is wrong with each', async () => {
    const { model } = await plantedFiles();
    const lines = [
      'id,x,x_swap,options,answer_key',
      'a,The man,The woman,she|he,she',
      'b,The man,,,',
      'c,The man,The man,,',
      'd,The man,The woman,she|he,it',
      'e,The man,The woman,she,',
      ',The man,The woman,,',
    ];
    const { rows, result } = await runOn(
      model,
      { suite: findSuite('consistency'), data: textFile('rows.csv', `${lines.join('\n')}\n`), lexicon },
      { ...EXACT, contextLength: 64 },
    );
    expect(result.counts).toEqual({ rows: 6, ok: 1, failed: 5, skipped: 0 });
    expect(rows.slice(1).map(({ error }) => (error as { message: string }).message)).toEqual([
      expect.stringMatching(/x_swap: is missing/),
      expect.stringMatching(/x_swap: is the same text as x/),
      expect.stringMatching(/answer_key: is "it", which is none of the options/),
      expect.stringMatching(/options: holds fewer than two/),
      expect.stringMatching(/id: is missing/),
    ]);
  });

  it('asks chats in the template of the model, options as the answer', async () => {
    const row = { id: 1, x: 'Who is she?', x_swap: 'Who is he?', options: ['she', 'he'] };
    const asked = (options: object) =>
      runOn(
        chatModel(CHATML),
        {
          suite: findSuite('consistency'),
          data: jsonlFile([row]),
          options: { maxTokens: 3, ...options },
          lexicon,
        },
        EXACT,
      );
    const { rows } = await asked({ chat: true });
    const prompt = (question: string) =>
      '<|im_start|>system\nYou answer briefly.<|im_end|>\n' +
      `<|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n`;
    await using backend = await openModel(chatModel(CHATML), EXACT);
    const { scores, generations } = await backend.observeWindow(
      [row.x, row.x_swap].flatMap((question): ObserveRequest[] => [
        { kind: 'score', prompt: prompt(question), special: true, continuations: row.options },
        { kind: 'generate', prompt: prompt(question), special: true, maxTokens: 3 },
      ]),
      {},
    );
    const [x, swap] = [scores.logProb.slice(0, 2), scores.logProb.slice(2)].map((own) =>
      [...own].map((logProb, at) => ({ text: row.options[at], logProb })),
    );
    expect(rows[0]).toMatchObject({
      status: 'ok',
      x: 'Who is she?',
      answer: generations.texts[0],
      answerSwap: generations.texts[1],
      optionScores: x,
      optionScoresSwap: swap,
    });
    const plain = await asked({ chat: false });
    expect(plain.rows[0]).toMatchObject({ optionScores: [{ text: ' she' }, { text: ' he' }] });
    const { model } = await plantedFiles();
    const none = await runOn(
      model,
      { suite: findSuite('consistency'), data: jsonlFile([row]), options: { chat: true }, lexicon },
      EXACT,
    );
    expect(none.rows[0]).toMatchObject({ status: 'failed', error: { code: 'no_chat_template' } });
  });

  it('runs from the shell, and refuses groups that are not there before anything is written', async () => {
    const { model } = await plantedFiles();
    const folder = temporaryFolder();
    const rows = PAIRS.map(([x, x_swap], id) => ({ id, x, x_swap, answer_key: 'she' }));
    writeFileSync(join(folder, 'pairs.jsonl'), jsonLines(rows));
    const args = ['run', 'consistency', '--model', model, '--data', 'pairs.jsonl', '--threads', '1'];
    const wrong = await runCli([...args, '--out', 'run', '--between', 'female,men'], { cwd: folder });
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('no group "men"');
    const { code, stdout, stderr } = await runCli([...args, '--out', 'run', '--max-tokens', '1'], {
      cwd: folder,
    });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/AnsCons, the same with the swap undone +\d+\.\d % \[/);
    const { experiment } = JSON.parse(readFileSync(join(folder, 'run/manifest.json'), 'utf8'));
    expect(experiment.options).toEqual({
      maxTokens: 1,
      stop: null,
      template: '{prompt}',
      chat: false,
      normalise: 'sum',
      between: null,
    });
  });
});

describe.skipIf(!STORIES || !SEQUENCES)('consistency on stories260K', () => {
  it("has the answers that PyTorch gives, and the oracle's scores of options", async () => {
    const { greedy } = JSON.parse(readFileSync(SEQUENCES!, 'utf8'));
    const texts: { prompt: string; text: string; greedyIds: number[] }[] = greedy;
    const options = [' a little girl', ' a little boy', ' the sun'];
    const rows = texts.map(({ prompt }, at) => ({
      id: at,
      x: prompt,
      x_swap: texts[(at + 1) % texts.length]!.prompt,
      options,
    }));
    const { rows: found, metric } = await runOn(
      STORIES!,
      {
        suite: findSuite('consistency'),
        data: jsonlFile(rows),
        options: { maxTokens: texts[0]!.greedyIds.length },
        lexicon,
      },
      { ...EXACT, threads: 1 },
    );
    const oracle = new OracleModel(STORIES!);
    found.forEach((row, at) => {
      const [own, other] = [texts[at]!, texts[(at + 1) % texts.length]!];
      expect((row.answer as string).trim()).toBe(own.text.trim());
      expect((row.answerSwap as string).trim()).toBe(other.text.trim());
      expect(row).toMatchObject({ sameText: false, truncated: true, truncatedSwap: true });
      const scores = options.map((option) => oracleScore(oracle, own.prompt, option));
      (row.optionScores as Listed[]).forEach(({ logProb }, place) => {
        expect(Math.abs(logProb - scores[place]!)).toBeLessThan(FLOAT32);
      });
      expect(row.choice).toBe(scores.indexOf(Math.max(...scores)));
    });
    expect(metric('ansCons.exact')).toMatchObject({ hits: 0, n: texts.length });
  });
});
