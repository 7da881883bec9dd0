/** Generations, decode steps, scores and embeddings through the public face, in the engine's process and in this one. */
import { describe, expect, it } from 'vitest';
import { openModel } from '../../src/model/index.ts';
import type { GenerateRequest, ObserveRequest } from '../../src/observation/observation.ts';
import { plantedFiles } from '../e2e/planted.ts';
import { faultOf } from '../fault.ts';

/** Float32 passes in batches of other shapes. */
const BATCH_SHAPE = 1e-6;
const MEASURE = { topK: 2 };

const generate = (prompt: string, more: Partial<GenerateRequest> = {}): GenerateRequest => ({
  kind: 'generate',
  prompt,
  maxTokens: 6,
  ...more,
});

describe.each([true, false])('with inProcess: %s', (inProcess) => {
  const open = async () => openModel((await plantedFiles()).model, { inProcess });

  it('each generated token is the likeliest of its row, and the rows come with it', async () => {
    await using model = await open();
    const window = [generate('The nurse said', { stepMetrics: true }), generate('The plumber')];
    const { rows, targets, generations } = await model.observeWindow(window, MEASURE);
    expect(generations.generations).toBe(2);
    expect([...generations.request]).toEqual([0, 1]);
    // Only the first asked for its steps.
    expect([...new Set(rows.request)]).toEqual([0]);
    const chosen = generations.ids.subarray(0, generations.offsets[1]);
    expect(chosen.length).toBe(rows.rows);
    expect([...targets.token]).toEqual([...chosen]);
    chosen.forEach((token, step) => {
      expect(rows.topKIds[2 * step]).toBe(token);
      expect(Math.exp(targets.logProb[step]!)).toBeCloseTo(rows.topKProbs[2 * step]!, 6);
    });
    const sum = targets.logProb.reduce((total, logProb) => total + logProb, 0);
    expect(generations.logProb[0]).toBeCloseTo(sum, 9);
    expect(generations.texts[0]).toBe((await model.pieces(chosen)).join(''));
  });

  it('the score of what was generated is its log-probability', async () => {
    await using model = await open();
    const prompt = 'The nurse said';
    const { generations } = await model.observeWindow([generate(prompt)], {});
    const text = generations.texts[0]!;
    const score: ObserveRequest = { kind: 'score', prompt, continuations: [text, ' that'] };
    const { scores, targets } = await model.observeWindow([score], {});
    expect([...scores.side]).toEqual([0, 1]);
    expect(Math.abs(scores.logProb[0]! - generations.logProb[0]!)).toBeLessThan(BATCH_SHAPE * 10);
    expect(scores.logProbPerToken[0]).toBe(scores.logProb[0]! / scores.tokens[0]!);
    expect(scores.logProbPerByte[1]).toBe(scores.logProb[1]! / 5);
    // Token by token on demand only.
    expect(targets.targets).toBe(0);
    const { targets: asked } = await model.observeWindow([{ ...score, perToken: true }], {});
    expect(asked.targets).toBe(scores.tokens[0]! + scores.tokens[1]!);
  });

  it('a seed repeats its draws, in any company', async () => {
    await using model = await open();
    const warm = (seed: number) =>
      generate('The nurse', { temperature: 1.2, topP: 0.95, seed, maxTokens: 8 });
    const company = Array.from({ length: 20 }, (_, seed) => warm(seed));
    const { generations } = await model.observeWindow(company, {});
    const { generations: alone } = await model.observeWindow([warm(13)], {});
    expect(generations.texts[13]).toBe(alone.texts[0]);
    expect(new Set(generations.texts).size).toBeGreaterThan(5);
  });

  it('decode steps compare both texts along the first one’s continuation', async () => {
    await using model = await open();
    const text = 'The nurse said that she';
    const pair: ObserveRequest = {
      kind: 'pair',
      text,
      textSwap: 'The nurse said that he',
      steps: 'decode',
      maxTokens: 4,
    };
    const observed = await model.observeWindow([pair, generate(text, { maxTokens: 4 })], MEASURE);
    const { pairs, rows, generations } = observed;
    expect(pairs.pairs).toBe(4);
    expect(generations.texts[0]).toBe(generations.texts[1]);
    expect([...pairs.row].map((row) => rows.side[row])).toEqual([0, 0, 0, 0]);
    expect([...pairs.rowSwap].map((row) => rows.side[row])).toEqual([1, 1, 1, 1]);
    // The first step is the step that `last` has.
    const last = await model.observeWindow([{ ...pair, steps: 'last' }], MEASURE);
    expect(Math.abs(pairs.jsd[0]! - last.pairs.jsd[0]!)).toBeLessThan(BATCH_SHAPE);
  });

  it('embeds texts as vectors of length 1', async () => {
    await using model = await open();
    const texts = ['The nurse said', 'The plumber said', 'The nurse said'];
    const window = texts.map((text): ObserveRequest => ({ kind: 'embed', text }));
    const { embeddings } = await model.observeWindow(window, {});
    const { dimensions, values } = embeddings;
    const vector = (at: number) => values.subarray(at * dimensions, (at + 1) * dimensions);
    const cosine = (a: number, b: number) =>
      vector(a).reduce((sum, value, index) => sum + value * vector(b)[index]!, 0);
    expect(cosine(0, 0)).toBeCloseTo(1, 5);
    expect(cosine(0, 2)).toBeCloseTo(1, 5);
    expect(cosine(0, 1)).toBeLessThan(0.9999);
  });

  it('refuses a grammar that cannot be read, for its request alone', async () => {
    await using model = await open();
    const window = [generate('The', { grammar: 'root ::= nowhere' }), generate('The nurse')];
    const { failures, generations } = await model.observeWindow(window, {});
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatchObject({ request: 0, code: 'bad_argument' });
    expect([...generations.request]).toEqual([1]);
  });
});

it.each([
  [{ maxTokens: 0 }, 'maxTokens'],
  [{ temperature: -0.1 }, 'temperature'],
  [{ topP: 0 }, 'topP'],
  [{ seed: 1.5 }, 'seed'],
  [{ stop: [''] }, 'stop.0'],
])('a generation with %o is refused, naming %s', async (options, key) => {
  await using model = await openModel((await plantedFiles()).model, { inProcess: true });
  const error = await faultOf(model.observeWindow([generate('The', options)], {}));
  expect(error.code).toBe('bad_argument');
  expect(error.data).toEqual({ request: 0, key });
});
