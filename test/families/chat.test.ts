/** The chat template of a file: rendered, tokenized with its special tokens as such, one BOS, and answers continued. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalModel } from '../../src/model/index.ts';
import { renderChat } from '../../src/prompt/chat.ts';
import { FAMILIES, sequencesOf } from './family.ts';
import { BOS, CONTROLS, END_OF_TURN, EOS, TURN } from './vocabularies.ts';

const TURNS =
  "{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}" +
  "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";
const TEMPLATES = [
  ['leaves BOS to the tokenizer', TURNS, false],
  ['writes BOS', `{{ bos_token }}${TURNS}`, true],
] as const;
const MESSAGES = [
  { role: 'system', content: 'The assistant said that she was early.' },
  { role: 'user', content: 'The nurse said that' },
] as const;
const TEXT =
  '<|im_start|>system\nThe assistant said that she was early.<|im_end|>\n' +
  '<|im_start|>user\nThe nurse said that<|im_end|>\n<|im_start|>assistant\n';

/** Log-probabilities of float32 passes with values of a few units, against float64. */
const FLOAT32 = 1e-5;

const cases = FAMILIES.flatMap((family) =>
  TEMPLATES.map(([what, template, writesBos]) => ({ family, name: family.name, what, template, writesBos })),
);

describe.each(cases)('$name, a template that $what', ({ family, what, template, writesBos }) => {
  const { oracle } = family;
  let model: LocalModel;
  let options: { bosToken: string; eosToken: string; controlTokens: readonly string[] };
  beforeAll(async () => {
    model = await family.open({}, family.write(what.replaceAll(' ', '-'), template));
    const [bosToken, eosToken] = await model.pieces([model.info.bosToken!, model.info.eosToken!]);
    options = { bosToken: bosToken!, eosToken: eosToken!, controlTokens: CONTROLS };
  });
  afterAll(async () => {
    await model.close();
  });

  const tokensOf = async (text: string, special: boolean) => {
    const observed = await model.observeWindow([{ kind: 'probe', text, special }], {});
    expect(observed.failures).toEqual([]);
    return sequencesOf(observed)[0]!;
  };
  const count = (ids: readonly number[], control: (typeof CONTROLS)[number]) =>
    ids.filter((id) => id === family.id(control)).length;

  it('renders the chat with what the file says', () => {
    expect(model.info.chatTemplate).toBe(template);
    expect(renderChat(model.info.chatTemplate, MESSAGES, options)).toMatchObject({
      text: (writesBos ? BOS : '') + TEXT,
      startsWithBos: writesBos,
      thinks: false,
      prefill: null,
    });
  });

  it('is tokenized with its special tokens as such, and BOS once where it is written or wanted', async () => {
    const { text } = renderChat(model.info.chatTemplate, MESSAGES, options);
    const ids = await tokensOf(text, true);
    expect(ids).toEqual(oracle.chat(text));
    expect([count(ids, TURN), count(ids, END_OF_TURN), count(ids, EOS)]).toEqual([3, 2, 0]);
    const once = writesBos || family.addsBos;
    expect([count(ids, BOS), ids[0] === family.id(BOS)]).toEqual([once ? 1 : 0, once]);
    expect(ids.at(-1)).toBe(oracle.data('x\n').at(-1));
  });

  it('is plain text where nobody said that it is a chat', async () => {
    const { text } = renderChat(model.info.chatTemplate, MESSAGES, options);
    const ids = await tokensOf(text, false);
    expect(ids).toEqual(oracle.data(text));
    expect([count(ids, TURN), count(ids, END_OF_TURN)]).toEqual([0, 0]);
    expect(count(ids, BOS)).toBe(family.addsBos ? 1 : 0);
  });

  it('refuses control tokens that come out of the data', () => {
    for (const control of CONTROLS) {
      const messages = [{ role: 'user', content: `The nurse${control}\n` }] as const;
      expect(() => renderChat(model.info.chatTemplate, messages, options)).toThrow(
        expect.objectContaining({
          code: 'bad_argument',
          data: expect.objectContaining({ message: 0, token: control }),
        }),
      );
    }
  });

  it('does not let BOS stand there twice', async () => {
    expect(() => renderChat(BOS + template.replace('{{', `${BOS}{{`), MESSAGES, options)).toThrow(
      expect.objectContaining({ code: 'template_failed' }),
    );
    const twice = { kind: 'probe', text: BOS + BOS + TEXT, special: true } as const;
    const { failures, rows } = await model.observeWindow([{ ...twice, text: BOS + TEXT }, twice], {});
    expect([...rows.request]).toEqual([0]);
    expect(failures).toMatchObject([{ request: 1, code: 'bad_argument' }]);
  });

  it("continues the assistant's answer inside its turn, and scores what follows", async () => {
    const { text, prefill } = renderChat(model.info.chatTemplate, MESSAGES, {
      ...options,
      assistantPrefill: 'The nurse said that s',
    });
    expect(prefill).toBe('The nurse said that s');
    expect(text).toBe(`${writesBos ? BOS : ''}${TEXT}The nurse said that s`);
    expect(count(await tokensOf(text, true), END_OF_TURN)).toBe(2);
    const continuations = ['he was late', ' she'];
    const observed = await model.observeWindow(
      [{ kind: 'score', perToken: true, prompt: text, continuations, special: true }],
      {},
    );
    expect(observed.failures).toEqual([]);
    // " she" is one token over the end of the prefill; " s she" is not.
    expect([...observed.sequences.backedOff]).toEqual([1, 0]);
    const { targets } = observed;
    let target = 0;
    for (const [side, continuation] of continuations.entries()) {
      const ids = oracle.chat(text + continuation);
      const alone = oracle.chat(text);
      const boundary = alone.findIndex((id, index) => ids[index] !== id);
      for (let at = boundary < 0 ? alone.length : boundary; at < ids.length; at += 1) {
        expect([targets.side[target], targets.position[target], targets.token[target]]).toEqual([
          side,
          at - 1,
          ids[at],
        ]);
        const { logits } = oracle.llama.forward(ids.slice(0, at));
        const highest = Math.max(...logits);
        const sum = logits.reduce((total, logit) => total + Math.exp(logit - highest), 0);
        const expected = logits[ids[at]!]! - highest - Math.log(sum);
        expect(Math.abs(targets.logProb[target]! - expected)).toBeLessThan(FLOAT32);
        target += 1;
      }
    }
    expect(target).toBe(targets.targets);
  });

  it('leaves the end of turn, when it is continued with it, as the special token that it is', async () => {
    const { text } = renderChat(model.info.chatTemplate, MESSAGES, {
      ...options,
      assistantPrefill: 'she was late',
    });
    const { targets, sequences } = await model.observeWindow(
      [{ kind: 'score', perToken: true, prompt: text, continuations: [END_OF_TURN, ' here'], special: true }],
      {},
    );
    expect([...sequences.backedOff]).toEqual([0, 0]);
    const ofFirst = [...targets.token].filter((_, target) => targets.side[target] === 0);
    expect(ofFirst).toEqual([family.id(END_OF_TURN)]);
  });
});
