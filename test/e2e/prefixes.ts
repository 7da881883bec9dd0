/**
 * What shared prefixes save on whole public data sets: decoded tokens over naive tokens, as the engine plans them. Nothing
 * is decoded, so the counts are the same on every machine; test/native holds such counts against what is decoded then.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { costOf } from '../../bench/engine/cost.ts';
import { BENCHMARKS, rowsOf } from '../../bench/engine/requests.ts';
import { engineAddon, type RawModel } from '../../src/native/engine.ts';

/** The most that may be decoded of what a loop over continuations would. */
const REACH = { 'crows-pairs': 0.8, winogender: 0.4, bbq: 0.25 };

/** Adds a test for each data set in the folder `data`, on the tokens of a model. */
export function testPrefixes(modelPath: () => string, data: string): void {
  let model: RawModel;
  beforeAll(async () => {
    // The batch of a CPU, named because an accelerator's default is another.
    model = await engineAddon().openModel(modelPath(), { batch: 128, threads: 1 });
  });
  afterAll(async () => {
    await model?.close();
  });

  it.each(BENCHMARKS)('save what they should on $name', async (benchmark) => {
    const cost = await costOf(model, rowsOf(benchmark, data));
    expect(cost).toMatchSnapshot();
    expect(cost.decodedTokens / cost.naiveTokens).toBeLessThanOrEqual(REACH[benchmark.name]);
  });
}
