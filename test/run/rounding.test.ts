/** The sample by which a run says how far its rows depend on their company: which rows, and what is made of them. */
import { describe, expect, it } from 'vitest';
import type { Backend } from '../../src/model/index.ts';
import { nothing } from '../../src/observation/empty.ts';
import type { ObserveRequest, ScoreRequest } from '../../src/observation/observation.ts';
import { RoundingSample, roundingSample } from '../../src/run/rounding.ts';
import { observedScore } from '../suites/observations.ts';

const score = (...continuations: string[]): ScoreRequest => ({
  kind: 'score',
  prompt: '',
  continuations,
  perToken: true,
});
const had = (...logProbs: number[]) => observedScore(...logProbs.map((logProb) => ({ logProbs: [logProb] })));

/** Answers each text by what it has alone, and keeps what it was asked. */
function backendOf(alone: Readonly<Record<string, number>>, description = 'llama 135M Q4_1') {
  const asked: (readonly ObserveRequest[])[] = [];
  const backend = {
    info: { description },
    observeWindow: async (requests: readonly ObserveRequest[]) => {
      asked.push(requests);
      const [request] = requests as [ScoreRequest];
      return { ...nothing(), scores: { logProb: Float64Array.of(alone[request.continuations[0]!]!) } };
    },
  } as unknown as Backend;
  return { backend, asked };
}

describe('a sample', () => {
  it('is of rows from one end of the data to the other, and of all where there are few', async () => {
    const taken = async (total: number) => {
      const sample = new RoundingSample(total);
      const { backend, asked } = backendOf(
        Object.fromEntries(Array.from({ length: total }, (_, row) => [`${row}`, 0])),
      );
      for (let row = 0; row < total; row += 1) sample.add([score(`${row}`)], [had(0)]);
      await sample.measure(backend);
      return asked.map(([request]) => Number((request as ScoreRequest).continuations[0]));
    };
    expect(await taken(5)).toEqual([0, 1, 2, 3, 4]);
    expect(await taken(160)).toEqual(Array.from({ length: 16 }, (_, at) => 10 * at + 5));
    const many = await taken(1508);
    expect([many.length, new Set(many).size, many[0]! < 100, many.at(-1)! > 1400]).toEqual([
      16,
      16,
      true,
      true,
    ]);
  });

  it('asks each text alone, and says how far it moved and which preferences turned', async () => {
    const sample = new RoundingSample(3);
    const { backend, asked } = backendOf({ a: -1, b: -2, c: -5, d: -4, e: -7 });
    sample.add([score('a', 'b')], [had(-1.5, -2)]);
    // c was the likelier one beside others, and is not alone.
    sample.add([score('c', 'd')], [had(-3.75, -4)]);
    sample.add([{ kind: 'generate', prompt: 'x' }, score('e')], [had(), had(-7)]);
    expect(await sample.measure(backend)).toEqual({
      rows: 3,
      texts: 5,
      meanDifference: (0.5 + 0 + 1.25 + 0 + 0) / 5,
      maxDifference: 1.25,
      preferences: 2,
      flipped: 1,
    });
    expect(asked.map((window) => window.length)).toEqual([1, 1, 1, 1, 1]);
  });

  it('is nothing where no row of it was scored', async () => {
    const sample = new RoundingSample(1);
    sample.add([{ kind: 'generate', prompt: 'x' }], [had()]);
    expect(await sample.measure(backendOf({}).backend)).toBeNull();
  });

  it('is taken of quantised weights in the mode fast alone', () => {
    const of = (description: string, mode?: string) =>
      roundingSample(backendOf({}, description).backend, mode, 9);
    expect(of('llama 135M Q4_1', 'fast')).not.toBeNull();
    expect([of('llama 135M Q4_1', 'exact'), of('llama 135M all F32', 'fast'), of('llama 135M Q4_1')]).toEqual(
      Array(3).fill(null),
    );
  });
});
