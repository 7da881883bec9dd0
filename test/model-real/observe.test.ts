/** What the engine observes on a real instruct model: laws that hold for any model, and a few things anyone expects. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelOptions, openModel } from '../../src/model/index.ts';
import type { Observations, ObserveRequest } from '../../src/observation/observation.ts';
import { modelPath, openReal } from './model.ts';

// Sums over 49,152 float32 probabilities.
const SUM = 1e-5;
// What is decoded together may change the last digits; four-bit weights widen that.
const SAME = 1e-6;

let model: Awaited<ReturnType<typeof openReal>>;
beforeAll(async () => {
  model = await openReal();
});
afterAll(async () => {
  await model?.close();
});

const tokens = async (text: string) => await model.tokenize(text, { bos: false });

describe('a real model', () => {
  it('gives distributions: the masses of a partition sum to 1', async () => {
    const all = Int32Array.from({ length: model.info.vocabSize }, (_, id) => id);
    const groups = [all.subarray(0, 1000), all.subarray(1000, 20_000), all.subarray(20_000)];
    const texts = ['The nurse said that', 'Once upon a time', '1 + 1 ='];
    const { rows, failures } = await model.observeWindow(
      texts.map((text) => ({ kind: 'probe' as const, text })),
      { groups, topK: 20 },
    );
    expect(failures).toEqual([]);
    expect(rows.rows).toBe(texts.length);
    for (let row = 0; row < rows.rows; row += 1) {
      const masses = rows.masses.subarray(row * 3, row * 3 + 3);
      expect(Math.abs(masses.reduce((sum, mass) => sum + mass, 0) - 1)).toBeLessThan(SUM);
      expect(rows.entropy[row]).toBeGreaterThan(0);
      expect(rows.entropy[row]).toBeLessThan(Math.log(model.info.vocabSize));
    }
  });

  it('expects a nurse to be she rather than he, and more so than a plumber', async () => {
    const [she, he] = [await tokens(' she'), await tokens(' he')];
    expect([she.length, he.length]).toEqual([1, 1]);
    const { rows } = await model.observeWindow(
      ['nurse', 'plumber'].map((who) => ({ kind: 'probe' as const, text: `The ${who} said that` })),
      { groups: [she, he] },
    );
    const [nurseShe, nurseHe, plumberShe, plumberHe] = rows.masses;
    expect(nurseShe).toBeGreaterThan(2 * nurseHe!);
    expect(nurseShe! / nurseHe!).toBeGreaterThan((2 * plumberShe!) / plumberHe!);
    expect(nurseShe! + nurseHe!).toBeGreaterThan(0.05);
    expect(plumberShe! + plumberHe!).toBeGreaterThan(0.05);
  });

  it('differs over a swap, within bounds, and not at all over none', async () => {
    const text = 'The nurse said that she';
    const { pairs } = await model.observeWindow(
      [
        { kind: 'pair', text, textSwap: 'The nurse said that he' },
        { kind: 'pair', text, textSwap: text },
      ],
      { pairTopK: [20] },
    );
    const [{ lower, partial, upper }] = [pairs.topK[0]!];
    expect(pairs.jsd[0]).toBeGreaterThan(1e-4);
    expect(pairs.jsd[0]).toBeLessThan(Math.LN2);
    expect(partial[0]).toBeLessThanOrEqual(lower[0]! + SUM);
    expect(lower[0]).toBeLessThanOrEqual(pairs.jsd[0]! + SUM);
    expect(pairs.jsd[0]).toBeLessThanOrEqual(upper[0]! + SUM);
    expect(pairs.jsd[1]).toBeLessThan(SAME);
  });

  it('knows where Paris lies', async () => {
    const { rows } = await model.observeWindow([{ kind: 'probe', text: 'The capital of France is' }], {
      topK: 1,
    });
    expect(await model.piece(rows.topKIds[0]!)).toBe(' Paris');
  });

  it('gives the same bits in the mode exact, in any order, company and batch', async () => {
    const prompt = 'The nurse told the patient that';
    const score = (continuations: readonly string[]): ObserveRequest => ({
      kind: 'score',
      prompt,
      continuations,
      perToken: true,
    });
    const long =
      'She had been working in the hospital for a very long time, and she knew every corner of it. '.repeat(
        5,
      );
    const requests: ObserveRequest[] = [
      score([' she would be late', ' he would be late']),
      { kind: 'probe', text: long, positions: 'all' },
      { kind: 'pair', text: `${prompt} she`, textSwap: `${prompt} he` },
      { kind: 'generate', prompt, maxTokens: 8 },
    ];
    const told = ({ rows, pairs, targets, generations }: Observations) => ({
      entropy: [...rows.entropy],
      jsd: [...pairs.jsd],
      logProb: [...targets.logProb],
      texts: generations.texts,
    });
    const observe = async (options: ModelOptions, asked: readonly ObserveRequest[]) => {
      await using exact = await openModel(modelPath(), { mode: 'exact', contextLength: 256, ...options });
      return await exact.observeWindow(asked, {});
    };
    const expected = told(await observe({ threads: 1 }, requests));
    expect(expected.entropy.length).toBeGreaterThan(90);
    expect(told(await observe({ threads: 2, batch: 17 }, requests))).toEqual(expected);
    const backwards = await observe({ threads: 1, batch: 512 }, requests.toReversed());
    expect([...backwards.targets.logProb]).toEqual(expected.logProb);
    expect([...backwards.pairs.jsd]).toEqual(expected.jsd);
    expect(backwards.generations.texts).toEqual(expected.texts);
    const alone = await observe({ threads: 1 }, [score([' she would be late'])]);
    expect([...alone.targets.logProb]).toEqual(expected.logProb.slice(0, alone.targets.targets));
  });

  it('continues a chat as anyone would expect', async () => {
    const messages = [
      { role: 'user', content: 'What is the capital of France? Answer in one word.' },
    ] as const;
    const ask = { kind: 'generate', prompt: { messages: [...messages] }, maxTokens: 24 } as const;
    const letters = { ...ask, grammar: 'root ::= "Paris" | "Rome" | "Berlin"' } as const;
    const { generations, failures } = await model.observeWindow([ask, letters], {});
    expect(failures).toEqual([]);
    expect(generations.texts[0]).toContain('Paris');
    expect(generations.texts[1]).toBe('Paris');
    expect(generations.finish[1]).toBe('end');
  });
});
