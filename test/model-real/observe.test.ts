/** What the engine observes on a real instruct model: laws that hold for any model, and a few things anyone expects. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReal } from './model.ts';

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
});
