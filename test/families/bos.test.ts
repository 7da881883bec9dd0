/** Exactly one BOS where a model wants one, none where it does not, and the texts of special tokens are text in data. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalModel } from '../../src/model/index.ts';
import type { ObserveRequest } from '../../src/observation/observation.ts';
import { FAMILIES, sequencesOf } from './family.ts';
import { TEXTS } from './texts.ts';
import { BOS, CONTROLS, EOS } from './vocabularies.ts';

describe.each(FAMILIES)('$name', (family) => {
  const { oracle } = family;
  const controls = CONTROLS.map((text) => family.id(text));
  let model: LocalModel;
  beforeAll(async () => {
    model = await family.open();
  });
  afterAll(async () => {
    await model.close();
  });

  it('says whether it wants BOS, and which tokens BOS and EOS are', async () => {
    expect(model.info).toMatchObject({
      addsBos: family.addsBos,
      bosToken: family.id(BOS),
      eosToken: family.id(EOS),
      vocabSize: family.vocabulary.tokens.length,
    });
    expect(await model.pieces(controls)).toEqual([...CONTROLS]);
  });

  it('reads every text as the oracle does: one BOS or none in front, and no other control token', async () => {
    const all = await model.tokenizeAll(TEXTS);
    const bare = await model.tokenizeAll(TEXTS, { bos: false });
    const front = family.addsBos ? [family.id(BOS)] : [];
    TEXTS.forEach((text, index) => {
      const ids = [...all[index]!];
      expect(ids, text).toEqual(oracle.data(text));
      expect(ids.filter((id) => controls.includes(id))).toEqual(front);
      expect([...front, ...bare[index]!]).toEqual(ids);
    });
  });

  it('observes exactly those tokens in probes, pairs and scores', async () => {
    const texts = TEXTS.filter((text) => family.addsBos || oracle.data(text).length > 0).slice(0, 40);
    const requests: ObserveRequest[] = [
      ...texts.map((text): ObserveRequest => ({ kind: 'probe', text })),
      ...texts.map((text): ObserveRequest => ({ kind: 'pair', text, textSwap: `${text} he` })),
      ...texts.map(
        (text): ObserveRequest => ({
          kind: 'score',
          perToken: true,
          prompt: text,
          continuations: [' she', ' <s>'],
        }),
      ),
    ];
    const observed = await model.observeWindow(requests, {});
    expect(observed.failures).toEqual([]);
    expect(sequencesOf(observed)).toEqual([
      ...texts.map((text) => oracle.data(text)),
      ...texts.flatMap((text) => [oracle.data(text), oracle.data(`${text} he`)]),
      ...texts.flatMap((text) => [oracle.data(`${text} she`), oracle.data(`${text} <s>`)]),
    ]);
  });

  it('has a step after BOS alone, and none where there is no BOS', async () => {
    const { rows, failures } = await model.observeWindow([{ kind: 'probe', text: '' }], {});
    if (family.addsBos) expect([[...rows.position], failures]).toEqual([[0], []]);
    else expect([rows.rows, failures]).toEqual([0, [expect.objectContaining({ code: 'empty_input' })]]);
  });
});
