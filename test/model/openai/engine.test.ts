/** An endpoint behind which our own engine sits: its answers are the engine's, and bounds hold the engine's exact numbers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalModel, openModel } from '../../../src/model/index.ts';
import { listedStep } from '../../../src/model/openai/lists.ts';
import {
  listedGroup,
  listedPairMetrics,
  listedRowMetrics,
  listedRows,
  TokenNumbers,
} from '../../../src/numbers/index.ts';
import { faultOf } from '../../fault.ts';
import { jsd, mass } from '../../oracle/metrics.ts';
import { sharedFile } from '../../oracle/shared.ts';
import { engineBrain } from '../../server/engine-brain.ts';
import { ask, observe, openLoopback, textsOf } from './world.ts';

const MODEL = sharedFile('models/stories260K.gguf');
const TEXTS = [
  'Once upon a time, there was a little girl named',
  'Lily liked to play with',
  'The nurse said that she',
  'The farmer said that he',
  'The mother said that',
  'Tom and his dog',
];
const SWAPS = TEXTS.map((text) =>
  text.replace('girl', 'boy').replace('she', 'he').replace('mother', 'father'),
);
const NO_MEASURE = { groups: [], topK: 0, pairTopK: [] };
const FEMALE = new Set([' she', ' her', 'she', ' She', ' girl', ' mom']);
const MALE = new Set([' he', ' his', 'he', ' He', ' boy', ' dad']);

describe.skipIf(MODEL === null)('an endpoint with our engine behind it', () => {
  let local: LocalModel;
  beforeAll(async () => {
    local = await openModel(MODEL!, { threads: 1 });
  });
  afterAll(() => local.close());

  /** Whole distributions after texts. */
  async function distributions(texts: readonly string[]): Promise<number[][]> {
    const { vocabSize } = local;
    const requests = texts.map((text) => ({ kind: 'probe' as const, text }));
    const { rows } = await local.observeWindow(requests, { ...NO_MEASURE, topK: vocabSize });
    return texts.map((_, row) => {
      const p = new Array<number>(vocabSize).fill(0);
      for (let at = row * vocabSize; at < (row + 1) * vocabSize; at += 1)
        p[rows.topKIds[at]!] = rows.topKProbs[at]!;
      return p;
    });
  }

  it.each(['chat', 'completions'] as const)('writes by %s what the engine writes', async (api) => {
    const { model } = await openLoopback({ brain: engineBrain(local) }, { api });
    const requests = TEXTS.map((text) => ask(text, { maxTokens: 6 }));
    const [over, here] = [await observe(model, requests), await local.observeWindow(requests, NO_MEASURE)];
    expect(textsOf(over)).toEqual(textsOf(here));
    expect(over.generations.finish).toEqual(here.generations.finish);
  });

  it('finds out what it can do', async () => {
    const { model: chat } = await openLoopback({ brain: engineBrain(local) });
    expect(chat.capabilities).toMatchObject({ topLogProbs: 20, echo: null });
    const { model: text } = await openLoopback({ brain: engineBrain(local) }, { api: 'completions' });
    expect(text.capabilities).toMatchObject({
      topLogProbs: 20,
      echo: { maxTokens: 0 },
    });
  });

  it('scores given continuations exactly, by the tokens that it echoes', async () => {
    const { model } = await openLoopback({ brain: engineBrain(local) }, { api: 'completions' });
    const requests = TEXTS.map((prompt) => ({
      kind: 'score' as const,
      prompt,
      continuations: [' she', ' he said no', 'gs.'],
    }));
    const [over, here] = [await observe(model, requests), await local.observeWindow(requests, NO_MEASURE)];
    expect(textsOf(over).every((said) => said === 'nothing')).toBe(true);
    expect(over.scores.scores).toBe(TEXTS.length * 3);
    expect([...over.scores.tokens]).toEqual([...here.scores.tokens]);
    expect([...over.scores.bytes]).toEqual([...here.scores.bytes]);
    expect([...over.sequences.backedOff]).toEqual(
      [...here.sequences.side].flatMap((_, at) => [here.sequences.backedOff[at]!]),
    );
    over.scores.logProb.forEach((logProb, at) => {
      expect(logProb).toBeCloseTo(here.scores.logProb[at]!, 3);
    });
    const perToken = { ...requests[0]!, perToken: true };
    expect(textsOf(await observe(model, [perToken]))[0]).toMatch(/^not_supported: .*token ids/);
  });

  it.each([
    ['ids, as llama-server lists them', { ids: true, style: 'llama', api: 'completions' }],
    ['bytes, in chats', { ids: false, style: 'vllm', api: 'chat' }],
    ['texts, as vLLM lists completions', { ids: false, style: 'vllm', api: 'completions' }],
  ] as const)('bounds group masses, gap and divergence by %s', async (_, { ids, style, api }) => {
    const { model } = await openLoopback({ brain: engineBrain(local, { ids }), style }, { api });
    const numbers = new TokenNumbers();
    const [steps, swaps] = [await model.likeliest(TEXTS), await model.likeliest(SWAPS)];
    expect(steps.map(({ tokens }) => tokens.length).every((count) => count > 15)).toBe(true);
    const lists = [listedRows(steps, numbers), listedRows(swaps, numbers)] as const;
    const groups = [FEMALE, MALE].map((texts) => listedGroup([...steps, ...swaps], texts, numbers));
    const bounds = await listedRowMetrics(lists[0], { groups });
    const pieces = await local.pieces(Array.from({ length: local.vocabSize }, (_, id) => id));
    const wanted = [FEMALE, MALE].map((texts) =>
      pieces.flatMap((piece, id) => (texts.has(piece) ? [id] : [])),
    );
    expect(wanted.every((own) => own.length > 1)).toBe(true);
    const [p, q] = [await distributions(TEXTS), await distributions(SWAPS)];
    const masses = p.flatMap((row) => wanted.map((own) => mass(row, own)));
    masses.forEach((exact, at) => {
      expect(bounds.masses.lower[at]!).toBeLessThanOrEqual(exact);
      expect(bounds.masses.upper[at]!).toBeGreaterThanOrEqual(exact);
    });
    p.forEach((_row, at) => {
      const gap = Math.abs(masses[2 * at]! - masses[2 * at + 1]!);
      expect(bounds.gap.lower[at]!).toBeLessThanOrEqual(gap);
      expect(bounds.gap.upper[at]!).toBeGreaterThanOrEqual(gap);
    });
    const { jsd: between } = await listedPairMetrics(lists[0], lists[1]);
    p.forEach((row, at) => {
      const exact = jsd(row, q[at]!);
      expect(between.lower[at]!).toBeLessThanOrEqual(exact);
      expect(between.upper[at]!).toBeGreaterThanOrEqual(exact);
    });
    // And they say something.
    expect(Math.max(...between.lower)).toBeGreaterThan(0.001);
    expect(Math.min(...between.upper)).toBeLessThan(0.4);
  });

  it('lists nothing where it is asked for nothing, or where it gives what was chosen from', async () => {
    const silent = await openLoopback({ brain: () => ({ text: 'x' }) });
    expect(await faultOf(silent.model.likeliest(['x']))).toMatchObject({ code: 'not_supported' });
    const sampled = await openLoopback({
      brain: () => ({
        text: 'x',
        top: [
          { token: 'x', logprob: 0 },
          { token: 'y', logprob: -9999 },
        ],
      }),
    });
    expect(sampled.model.capabilities.topLogProbs).toBe(0);
    expect(await faultOf(sampled.model.likeliest(['x']))).toMatchObject({
      code: 'not_supported',
      message: expect.stringContaining('after sampling'),
    });
  });
});

describe('a list', () => {
  const token = (key: string, logProb: number) => ({ key, text: key, logProb });

  it('allows others no more than its last one, or than the K-th where more came', () => {
    const three = [token('a', -1), token('b', -2), token('c', -3)];
    expect(listedStep(three, 3).mostUnlisted).toBe(-3);
    expect(listedStep(three, 2).mostUnlisted).toBe(-2);
    expect(listedStep(three, 4).mostUnlisted).toBe(Number.POSITIVE_INFINITY);
  });

  it('does not know two tokens of one name', () => {
    const two = listedStep([token('a', -1), token('b', -1.5), token('b', -3)], 3);
    expect(two).toEqual({ tokens: [token('a', -1)], mostUnlisted: -1.5 });
  });
});
