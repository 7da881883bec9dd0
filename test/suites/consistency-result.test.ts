/** What a consistency row comes to: both answers compared, the options chosen, and who is right. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fields, MeanMetric, ShareMetric } from '../../src/contract/index.ts';
import { checkRow } from '../../src/dataset/index.ts';
import { loadLexicon } from '../../src/lexicon/index.ts';
import type { FinishReason } from '../../src/observation/observation.ts';
import { holdsKey } from '../../src/suites/consistency/compare.ts';
import { consistency } from '../../src/suites/consistency/consistency.ts';
import { contextOf, generated, type MadeUp, observedScore } from './observations.ts';

const lexicon = await loadLexicon('gender-en');

interface Given {
  readonly row?: object;
  readonly answers?: readonly [string, string];
  readonly options?: readonly [readonly MadeUp[], readonly MadeUp[]];
  readonly normalise?: 'sum' | 'token' | 'byte';
  readonly finishes?: readonly [FinishReason, FinishReason];
}

const CONTEXT = contextOf(
  {
    maxTokens: 64,
    stop: null,
    template: '{prompt}',
    chat: false,
    normalise: 'sum' as 'sum' | 'token' | 'byte',
    between: null,
  },
  { lexicon },
);

function resultOf({
  row = {},
  answers = ['', ''],
  options,
  normalise = 'sum',
  finishes = ['end', 'end'],
}: Given): Fields {
  const value = { id: 'a', x: 'x', x_swap: 'y', ...row };
  const read = checkRow(consistency.schema, { file: 'rows.jsonl', line: 1, index: 0, value });
  if (!read.ok) throw read.error;
  const observed = [generated(answers[0], finishes[0]), generated(answers[1], finishes[1])];
  const scores = (options ?? []).map((continuations) => observedScore(...continuations));
  const context = { ...CONTEXT, options: { ...CONTEXT.options, normalise } };
  return consistency.score([...observed, ...scores], context, read.value, {});
}

/** What a row adds to each metric: its hit, or its value. */
function hitsOf(result: Fields): Record<string, boolean | number | null> {
  const entries = consistency.metrics(CONTEXT).map((metric) => {
    if (metric.kind === 'share') return [metric.name, (metric as ShareMetric).hit(result, {})];
    return [metric.name, (metric as MeanMetric).steps(result, {}).values[0] ?? null];
  });
  return Object.fromEntries(entries);
}

const listed = (result: Fields) => consistency.lists![0]!.keep(result);

describe('two answers', () => {
  it.each<[string, string, boolean, boolean, boolean | null]>([
    ['Yes.', 'Yes.', true, true, true],
    [' Yes', 'YES!', false, true, true],
    ['ﬁne', 'fine', false, true, true],
    ['1,000.0', '1000', false, true, true],
    ['-5', '5', false, false, false],
    ['3.5', '35', false, false, false],
    ['She is kind', 'He is kind.', false, false, true],
    ['She is kind', 'She is kind', true, true, false],
    ['His book', 'her book', false, false, true],
    ['yes', 'no', false, false, false],
    ['', '', true, true, true],
    ['', '...', false, true, true],
  ])('%j and %j', (x, swap, exact, normalised, swapNormalised) => {
    for (const answers of [[x, swap] as const, [swap, x] as const]) {
      const result = resultOf({ answers });
      expect(hitsOf(result)).toMatchObject({
        'ansCons.exact': exact,
        'ansCons.normalised': normalised,
        'ansCons.swapNormalised': swapNormalised,
        'ansCons.choice': null,
        'ansCons.correctness': null,
        'accuracy.x': null,
        'accuracy.gap': null,
        notSwappable: false,
        choiceTies: null,
        truncated: false,
      });
      expect(listed(result)).toBe(swapNormalised === false);
    }
  });

  it('are kept as they are, with what came of them', () => {
    expect(resultOf({ answers: [' She.', ' he'], finishes: ['end', 'stop'] })).toEqual({
      answer: ' She.',
      answerSwap: ' he',
      answerSwapped: ' He.',
      answerSwapBack: ' she',
      sameText: false,
      sameNormalised: false,
      sameSwapNormalised: true,
      choice: null,
      choiceSwap: null,
      sameChoice: null,
      choiceTie: null,
      correct: null,
      correctSwap: null,
      sameCorrectness: null,
      finish: 'end',
      finishSwap: 'stop',
      truncated: false,
      truncatedSwap: false,
    });
  });

  it.each<[string, boolean, string, boolean, boolean | null]>([
    ['She was', true, 'He was', true, true],
    ['She was old', true, 'He was', true, true],
    ['She was', true, 'He was old', false, true],
    // The one that came to its end is shorter.
    ['She was', false, 'He was old', true, false],
    ['She was', true, 'He is', true, false],
    ['**', true, 'no', true, false],
    ['', true, 'no', false, false],
  ])('%j (cut: %s) and %j (cut: %s), as far as they go', (x, cut, swap, cutSwap, same) => {
    const end = (wasCut: boolean) => (wasCut ? 'length' : 'end');
    const result = resultOf({ answers: [x, swap], finishes: [end(cut), end(cutSwap)] });
    expect(result).toMatchObject({ truncated: cut, truncatedSwap: cutSwap, sameSwapNormalised: same });
    expect(hitsOf(result).truncated).toBe(cut || cutSwap);
    const other = resultOf({ answers: [swap, x], finishes: [end(cutSwap), end(cut)] });
    expect(other).toMatchObject({ sameSwapNormalised: same, sameNormalised: result.sameNormalised });
  });

  it('may be cut by the context too', () => {
    const result = resultOf({ answers: ['It is', 'It is so'], finishes: ['context', 'stop'] });
    expect(result).toMatchObject({
      truncated: true,
      truncatedSwap: false,
      sameNormalised: true,
      sameText: false,
    });
  });
});

describe('a choice', () => {
  const one = (...logProbs: number[]): MadeUp => ({ logProbs });
  const row = { options: ['yes', 'no'], options_swap: ['ja', 'nein'], answer_key: 'no' };

  it('is the likeliest option of either side, and right where that is the key', () => {
    const result = resultOf({
      row,
      options: [
        [one(-2), one(-1, -0.5)],
        [one(-3), one(-4)],
      ],
    });
    expect(result).toMatchObject({
      choice: 1,
      choiceSwap: 0,
      sameChoice: false,
      choiceTie: false,
      correct: true,
      correctSwap: false,
      sameCorrectness: false,
      optionScores: [
        { text: ' yes', logProb: -2, tokens: 1, tokenIds: [100], backedOff: false },
        { text: ' no', logProb: -1.5, tokens: 2, logProbPerToken: -0.75, tokenIds: [200, 201] },
      ],
      optionScoresSwap: [
        { text: ' ja', logProb: -3 },
        { text: ' nein', logProb: -4 },
      ],
    });
    expect(hitsOf(result)).toMatchObject({
      'ansCons.choice': false,
      'ansCons.correctness': false,
      'accuracy.x': true,
      'accuracy.swap': false,
      'accuracy.gap': 1,
      choiceTies: false,
    });
    // The answers themselves are the same.
    expect(listed(result)).toBe(true);
  });

  it('goes by what is compared', () => {
    const side = [
      { logProbs: [-2], bytes: 1 },
      { logProbs: [-1.2, -1.2], bytes: 2 },
      { logProbs: [-1.5, -1.5, -1.5], bytes: 9 },
    ];
    const chosen = (normalise: 'sum' | 'token' | 'byte') =>
      resultOf({ row: { options: 'a|b|c' }, options: [side, side], normalise }).choice;
    expect([chosen('sum'), chosen('token'), chosen('byte')]).toEqual([0, 1, 2]);
  });

  it('is none in a tie: not the same as any, and not right', () => {
    const result = resultOf({
      row,
      options: [
        [one(-2), one(-2)],
        [one(-3), one(-1)],
      ],
    });
    expect(result).toMatchObject({
      choice: null,
      choiceSwap: 1,
      sameChoice: null,
      correct: false,
      correctSwap: true,
    });
    expect(hitsOf(result)).toMatchObject({ 'ansCons.choice': null, choiceTies: true, 'accuracy.gap': -1 });
    // A tie below the best is none.
    const below = [one(-2), one(-2), one(-1)];
    expect(resultOf({ row: { options: 'a|b|c' }, options: [below, below] }).choice).toBe(2);
  });

  it('is no matter of the order in which scores come', () => {
    const [x, swap] = [observedScore(one(-2), one(-1)), observedScore(one(-1), one(-2))];
    const backwards = { ...x, scores: x.scores.toReversed() };
    const read = checkRow(consistency.schema, {
      file: 'rows.jsonl',
      line: 1,
      index: 0,
      value: { id: 'a', x: 'x', x_swap: 'y', ...row },
    });
    if (!read.ok) throw read.error;
    const observed = [generated(''), generated(''), backwards, swap];
    expect(consistency.score(observed, CONTEXT, read.value, {})).toMatchObject({ choice: 1, choiceSwap: 0 });
  });
});

describe('what is right without options', () => {
  it('is an answer that holds its key', () => {
    const row = { answer_key: 'she', answer_key_swap: 'he' };
    const result = resultOf({ row, answers: ['It was she.', 'It was there.'] });
    expect(result).toMatchObject({ correct: true, correctSwap: false, sameCorrectness: false });
    expect(hitsOf(result)).toMatchObject({ 'accuracy.x': true, 'accuracy.swap': false, 'accuracy.gap': 1 });
    const one = resultOf({ row: { answer_key_swap: 'he' }, answers: ['he', 'he'] });
    expect(one).toMatchObject({ correct: null, correctSwap: true, sameCorrectness: null });
    expect(hitsOf(one)['accuracy.gap']).toBe(null);
  });

  it.each([
    ['It is Paris, France.', 'paris france'],
    ['(he)', 'He'],
    ['yes—certainly', 'yes'],
    ['The answer is **New  York**!', 'new york'],
    ["Don't!", "don't"],
    ['about 1,500 people', '1500'],
    ['It is 5.0.', '5'],
    ['minus: −5', '-5'],
    ['Ｐａｒｉｓ', 'paris'],
    ['答案是东京。', '东京'],
    ['GPT的答案', 'gpt'],
    ['คำตอบคือใช่ครับ', 'ใช่'],
    ['I don’t know', "don't"],
    ['said.Then he', 'then'],
    ['well-known', 'well-known'],
    ['किताब है', 'किताब'],
    ['she she he', 'she he'],
  ])('%j holds %j', (answer, key) => {
    expect(holdsKey(answer, key)).toBe(true);
  });

  it.each([
    ['there', 'he'],
    ['a drunk', 'unk'],
    ['he-goat', 'he'],
    ['non-binary', 'binary'],
    ['-5', '5'],
    ['3.5', '5'],
    ['1,500', '500'],
    ['3-5', '5'],
    ['3–5', '3'],
    ["don't", 'don'],
    ['5kg', '5'],
    ['(3)-5', '-5'],
    ['किताब', 'क'],
    ['New Delhi and York', 'new york'],
    ['new', 'new york'],
    ['', 'a'],
    ['!', 'a'],
  ])('%j does not hold %j', (answer, key) => {
    expect(holdsKey(answer, key)).toBe(false);
  });

  const word = fc.string({ unit: fc.constantFrom(...'abcxyz'), minLength: 1, maxLength: 4 });
  const words = fc.array(word, { minLength: 1, maxLength: 6 });

  it('holds for words exactly where they stand one after the other', () => {
    fc.assert(
      fc.property(words, words, fc.constantFrom(' ', ', ', '. ', '\n'), (said, key, between) => {
        const expected = ` ${said.join(' ')} `.includes(` ${key.join(' ')} `);
        expect(holdsKey(said.join(between).toUpperCase(), key.join(' '))).toBe(expected);
      }),
    );
  });

  it('holds for a key with anything around it that is apart', () => {
    fc.assert(
      fc.property(words, fc.string(), fc.string(), (key, before, behind) => {
        expect(holdsKey(`${before} " ${key.join(' ')} " ${behind}`, key.join(' '))).toBe(true);
      }),
    );
  });

  it('comes to an end, whatever an answer holds', () => {
    // Time of the square of so many would be minutes.
    for (const piece of ['-', 'a-', '5.', `e${'\u0301'.repeat(50)}`, '1,', 'word ', "a'", '東', 'ภ่']) {
      expect(holdsKey(piece.repeat(200_000 / piece.length), 'a b c')).toBe(false);
    }
    expect(holdsKey(`e${'\u0301'.repeat(30)}`.repeat(100_000), 'a')).toBe(false);
  });
});
