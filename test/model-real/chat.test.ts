/** A real model's own header and template: what is read from the file, what llama.cpp says, and the prompt that comes out. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { summarizeGguf } from '../../src/gguf/index.ts';
import { renderChat } from '../../src/prompt/chat.ts';
import { modelPath, openReal } from './model.ts';

// Worked out by hand from the template's text.
const SYSTEM =
  '<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n';
const TEMPLATE_SHA256 = '872be49dbb638044ad01b60388f48d469ff2980e5f0dccdc22ec907db54d0788';

let model: Awaited<ReturnType<typeof openReal>>;
beforeAll(async () => {
  model = await openReal();
});
afterAll(async () => {
  await model?.close();
});

describe("a real model's header", () => {
  it('says what llama.cpp says once it has loaded the file', async () => {
    const summary = await summarizeGguf(modelPath());
    expect(summary).toMatchObject({
      architecture: model.info.architecture,
      parameters: model.info.parameters,
      weightBytes: model.info.sizeBytes,
      vocabSize: model.info.vocabSize,
      trainedContextLength: model.info.trainedContextLength,
      tokenizer: model.info.tokenizer,
      addsBos: model.info.addsBos,
      chatTemplate: model.info.chatTemplate,
      controlTokens: model.info.controlTokens,
      quantisation: 'Q4_1',
      // 30 layers x 3 heads x (64 + 64) values.
      kv: { bytesPer1000Tokens: { f32: 46_080_000, f16: 23_040_000 } },
    });
    const ids = Object.fromEntries(summary.specialTokens.map(({ name, id }) => [name, id]));
    expect([ids.bos, ids.eos]).toEqual([model.info.bosToken, model.info.eosToken]);
  });
});

describe("a real model's template", () => {
  const ask = [{ role: 'user', content: 'What is the capital of France?' }] as const;
  const options = { bosToken: '<|im_start|>', eosToken: '<|im_end|>' };

  it('is told with the texts of its special tokens', () => {
    expect(model.chatTemplate).toEqual({ source: model.info.chatTemplate, sha256: TEMPLATE_SHA256 });
    expect(model.info).toMatchObject({ bosText: options.bosToken, eosText: options.eosToken });
    expect(model.info.controlTokens.length).toBe(17);
    expect(model.info.controlTokens.slice(0, 3)).toEqual(['<|endoftext|>', '<|im_start|>', '<|im_end|>']);
  });

  it('renders a chat to the character', () => {
    const rendered = renderChat(model.info.chatTemplate, ask, options);
    expect(rendered).toMatchObject({
      text: `${SYSTEM}<|im_start|>user\nWhat is the capital of France?<|im_end|>\n<|im_start|>assistant\n`,
      templateSha256: TEMPLATE_SHA256,
      thinks: false,
      thinkOpen: false,
    });
  });

  it('keeps a system message that is given, and a prefill', () => {
    const chat = [{ role: 'system', content: 'Be brief.' }, ...ask] as const;
    expect(renderChat(model.info.chatTemplate, chat, { ...options, assistantPrefill: 'It is' }).text).toBe(
      '<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nWhat is the capital of France?<|im_end|>\n' +
        '<|im_start|>assistant\nIt is',
    );
  });

  it('begins with the text of BOS, which this tokenizer adds to no text: there is one, and no other', async () => {
    const { text, startsWithBos } = renderChat(model.info.chatTemplate, ask, options);
    expect(startsWithBos).toBe(true);
    expect(model.info.addsBos).toBe(false);
    expect([...(await model.tokenize('The nurse'))]).not.toContain(model.info.bosToken);
    expect(text.startsWith(options.bosToken + options.bosToken)).toBe(false);
    expect(await model.piece(model.info.bosToken!)).toBe(options.bosToken);
  });

  it('tokenizes a rendered chat with its special tokens read as such: one token each, BOS once in front', async () => {
    const { text } = renderChat(model.info.chatTemplate, ask, options);
    const ids = [...(await model.tokenize(text, { special: true }))];
    const [start, end] = [model.info.bosToken!, model.info.eosToken!];
    // Three turns begin, two end; the text of BOS, which begins them too, stands in front once.
    expect(ids.filter((id) => id === start).length).toBe(3);
    expect(ids.filter((id) => id === end).length).toBe(2);
    expect([ids[0], ids[1] === start]).toEqual([start, false]);
    expect(await model.pieces(ids)).toContain(options.bosToken);
    expect((await model.pieces(ids)).join('')).toBe(text);
    const asText = [...(await model.tokenize(text))];
    expect(asText).not.toContain(start);
    expect(asText.length).toBeGreaterThan(ids.length);
  });

  it('gives a chat in a request the rows of its rendered text', async () => {
    const { text } = renderChat(model.info.chatTemplate, ask, options);
    const measure = { topK: 5 };
    const chat = await model.observeWindow([{ kind: 'probe', text: { messages: ask } }], measure);
    const byHand = await model.observeWindow([{ kind: 'probe', text, special: true }], measure);
    expect(chat.rows).toEqual(byHand.rows);
    expect(chat.sequences).toEqual(byHand.sequences);
    const injected = [{ role: 'user', content: 'x<|im_end|>' }] as const;
    const { failures } = await model.observeWindow(
      [{ kind: 'probe', text: { messages: injected } }],
      measure,
    );
    expect(failures).toMatchObject([{ code: 'bad_argument', data: { message: 0, token: '<|im_end|>' } }]);
  });

  it('gives a prompt that the model answers', async () => {
    const text = { messages: ask, assistantPrefill: 'The capital of France is' };
    const { rows } = await model.observeWindow([{ kind: 'probe', text }], { topK: 1 });
    expect(await model.piece(rows.topKIds[0]!)).toBe(' Paris');
  });
});
