/** A prompt and its continuation are tokenized as one text, and what is scored is the continuation's tokens and no other. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalModel } from '../../src/model/index.ts';
import type { Observations } from '../../src/observation/observation.ts';
import { FAMILIES, type Family } from './family.ts';

/** Log-probabilities of float32 passes with values of a few units, against float64. */
const FLOAT32 = 1e-5;
/** The same step in a batch of another shape. */
const BATCH_SHAPE = 1e-5;

/** [prompt, continuation, does a token span the join] */
const JOINS: readonly (readonly [string, string, boolean])[] = [
  ['The nurse said that', ' she', false],
  ['The nurse said that', ' she was late.', false],
  ['The nurse said that s', 'he', true],
  ['The nur', 'se said that she', true],
  ['The nurse said that she', '.', false],
];
/** What of these spans a join differs from family to family; the oracle says. */
const ODD_JOINS = [
  ['The nurse said ', 'she'],
  ['The nurse said ', ' she'],
  ['na\u00ef', 've 日本'],
  ['The nurse', '<s> she'],
  ['he said', '\n\nshe'],
  ['', 'she was late'],
] as const;

/** The oracle's tokens of both together, and where they leave those of the prompt. */
function joined(family: Family, prompt: string, continuation: string) {
  const alone = family.oracle.data(prompt);
  const ids = family.oracle.data(prompt + continuation);
  const differs = alone.findIndex((id, index) => ids[index] !== id);
  const boundary = differs < 0 ? alone.length : differs;
  return { ids, boundary, backedOff: boundary < alone.length };
}

/** ln p of a token in a probe of all positions that returned the whole vocabulary, and its rank. */
function inProbe({ rows }: Observations, vocabSize: number, position: number, token: number) {
  const row = rows.position.indexOf(position);
  const at = rows.topKIds.subarray(row * vocabSize, (row + 1) * vocabSize).indexOf(token);
  return { logProb: Math.log(rows.topKProbs[row * vocabSize + at]!), rank: at + 1 };
}

/** ln p of a token after others, in float64. */
function inOracle(family: Family, ids: readonly number[], token: number): number {
  const { logits } = family.oracle.llama.forward(ids);
  const highest = Math.max(...logits);
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - highest), 0);
  return logits[token]! - highest - Math.log(sum);
}

describe.each(FAMILIES)('a join in $name', (family) => {
  let model: LocalModel;
  beforeAll(async () => {
    model = await family.open();
  });
  afterAll(async () => {
    await model.close();
  });

  it.each(JOINS)('"%s" + "%s": does a token span the join? %s', async (prompt, continuation, spans) => {
    const joint = await model.tokenizeJoint(prompt, continuation);
    expect({ ...joint, ids: [...joint.ids] }).toEqual(joined(family, prompt, continuation));
    expect(joint.backedOff).toBe(spans);
    const head = await model.detokenize(joint.ids.subarray(0, joint.boundary));
    expect(prompt.startsWith(head)).toBe(true);
    const tail = (await model.pieces(joint.ids.subarray(joint.boundary))).join('');
    // Nothing between both is lost, and nothing is in both.
    expect(head + tail).toBe(prompt + continuation);
    expect(head === prompt).toBe(!spans);
  });

  it.each(ODD_JOINS)('"%s" + "%s": as the oracle says', async (prompt, continuation) => {
    const joint = await model.tokenizeJoint(prompt, continuation);
    expect({ ...joint, ids: [...joint.ids] }).toEqual(joined(family, prompt, continuation));
  });

  it.each(['fast', 'exact'] as const)('scores the tokens of the continuations (%s)', async (mode) => {
    await using own = await family.open({ mode });
    const joins = [...JOINS, ...ODD_JOINS].map(([prompt, continuation]) => ({ prompt, continuation }));
    const requests = joins.map(({ prompt, continuation }) => ({
      kind: 'score' as const,
      perToken: true,
      prompt,
      // A neighbour that shares the prompt, and a second continuation whose tokens are its own.
      continuations: [continuation, `${continuation} was late`],
    }));
    const { targets, sequences, failures } = await own.observeWindow(requests, {});
    expect(failures).toEqual([]);
    let target = 0;
    let sequence = 0;
    for (const [request, { prompt, continuations }] of requests.entries()) {
      for (const [side, continuation] of continuations.entries()) {
        const { ids, boundary, backedOff } = joined(family, prompt, continuation);
        expect(sequences.backedOff[sequence]).toBe(backedOff ? 1 : 0);
        sequence += 1;
        const probe = await own.observeWindow(
          [{ kind: 'probe', text: prompt + continuation, positions: 'all' }],
          { topK: own.vocabSize },
        );
        // Nothing stands in front of the first token of a text without BOS.
        for (let at = Math.max(boundary, 1); at < ids.length; at += 1) {
          const where = `${prompt} + ${continuation}, token ${at}`;
          expect(
            [targets.request[target], targets.side[target], targets.position[target], targets.token[target]],
            where,
          ).toEqual([request, side, at - 1, ids[at]]);
          const found = targets.logProb[target]!;
          const { logProb, rank } = inProbe(probe, own.vocabSize, at - 1, ids[at]!);
          expect(Math.abs(found - logProb), where).toBeLessThan(BATCH_SHAPE);
          expect(targets.rank[target]).toBe(rank);
          const expected = inOracle(family, ids.slice(0, at), ids[at]!);
          expect(Math.abs(found - expected), where).toBeLessThan(FLOAT32);
          target += 1;
        }
      }
    }
    expect([target, sequence]).toEqual([targets.targets, sequences.sequences]);
  });

  it('a continuation without tokens fails alone, and says which one it is', async () => {
    const score = (continuations: string[]) => ({
      kind: 'score' as const,
      perToken: true,
      prompt: 'The nurse',
      continuations,
    });
    const { failures, targets } = await model.observeWindow(
      [score([' said']), score([' said', '']), score([' said'])],
      {},
    );
    expect(failures).toEqual([
      { request: 1, code: 'empty_input', message: expect.any(String), data: { continuation: 1 } },
    ]);
    expect([...new Set(targets.request)]).toEqual([0, 2]);
  });
});

describe.each(FAMILIES.filter(({ name }) => name.startsWith('unigram')))(
  'an unknown token in $name',
  (family) => {
    it('that spans the join is backed off and flagged, one that ends there is not', async () => {
      await using model = await family.open();
      const unknown = family.vocabulary.tokens.indexOf('<unk>');
      const joint = async (prompt: string, continuation: string) => {
        const { ids, boundary, backedOff } = await model.tokenizeJoint(prompt, continuation);
        expect([...ids]).toEqual(family.oracle.data(prompt + continuation));
        return [boundary - ids.indexOf(unknown), backedOff];
      };
      // Both characters are one unknown token.
      expect(await joint('The 日', '本 she')).toEqual([0, true]);
      expect(await joint('The 日', '本')).toEqual([0, true]);
      expect(await joint('The 日', ' she')).toEqual([1, false]);
      expect(await joint('The 日', 'he')).toEqual([1, false]);
    });
  },
);
