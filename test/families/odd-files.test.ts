/**
 * Files whose tokenizers do what nobody expects: control tokens out of plain text, characters without a token, a
 * BOS that is wanted and not named. What cannot be read right fails, alone and by name; nothing is guessed.
 */
import { describe, expect, it } from 'vitest';
import type { GgufValue } from '../../src/demo/planted/gguf.ts';
import { faultOf } from '../fault.ts';
import { Family, sequencesOf } from './family.ts';
import { BOS, bpe, rwkv, spm, type Vocabulary } from './vocabularies.ts';

/** A vocabulary with some of its keys set anew or, where null, left out. */
function changed(from: Vocabulary, keys: Readonly<Record<string, GgufValue | null>>): Vocabulary {
  const metadata = new Map(from.metadata);
  for (const [key, value] of Object.entries(keys)) {
    if (value === null) metadata.delete(`tokenizer.ggml.${key}`);
    else metadata.set(`tokenizer.ggml.${key}`, value);
  }
  const tokens = metadata.get('tokenizer.ggml.tokens')!.value as readonly string[];
  return { tokens, metadata };
}

/** SPM with these pieces in the place of the bytes 0x80 on, which no test text here has. */
function withPieces(pieces: readonly string[]): Vocabulary {
  const from = spm();
  const first = from.tokens.indexOf('<0x80>');
  const at = (index: number) => index >= first && index < first + pieces.length;
  const types = from.metadata.get('tokenizer.ggml.token_type')!.value as Int32Array;
  return changed(from, {
    tokens: { type: 'strings', value: from.tokens.map((text, id) => (at(id) ? pieces[id - first]! : text)) },
    token_type: { type: 'int32s', value: types.map((type, id) => (at(id) ? 1 : type)) },
  });
}

const probe = (text: string, special = false) => ({ kind: 'probe' as const, text, special });

describe('a control token that plain pieces lead to', () => {
  it.each([
    ['SPM', withPieces(['<s'])],
    ['RWKV', rwkv()],
  ])('fails its text alone in %s, and never becomes that token', async (name, vocabulary) => {
    const family = new Family({ name: `leading ${name}`, vocabulary, addsBos: name === 'SPM' });
    await using model = await family.open();
    const observed = await model.observeWindow(
      [probe('The nurse said'), probe('The <s> nurse'), probe('The <s'), probe('<s>The nurse', true)],
      {},
    );
    expect(observed.failures).toEqual([
      {
        request: 1,
        code: 'bad_argument',
        message: expect.stringContaining('"<s>"'),
        data: { token: family.id(BOS), text: BOS },
      },
    ]);
    expect([...observed.rows.request]).toEqual([0, 2, 3]);
    // Where somebody says that it is a chat, it is that token.
    expect(sequencesOf(observed)[2]![0]).toBe(family.id(BOS));
    expect((await faultOf(model.tokenize('x<s>'))).code).toBe('bad_argument');
  });

  it('is none where llama.cpp only takes an ordinary piece for one', async () => {
    const steps = ['<|', '<|e', '<|en', '<|end', '<|end|', '<|end|>'];
    const vocabulary = withPieces(steps);
    const family = new Family({ name: 'look-alike', vocabulary, addsBos: true });
    await using model = await family.open();
    const ids = await model.tokenize('The <|end|>');
    expect([...ids]).toEqual(family.oracle.data('The <|end|>'));
    expect(ids.at(-1)).toBe(vocabulary.tokens.indexOf('<|end|>'));
  });
});

describe('a character without a token', () => {
  it('fails its text alone', async () => {
    const full = rwkv();
    const ascii = full.tokens.filter((text) => !/^\\x[89a-f]/.test(text));
    const types = Int32Array.from(ascii, (text) => (text === BOS ? 3 : 1));
    const vocabulary = changed(full, {
      tokens: { type: 'strings', value: ascii },
      token_type: { type: 'int32s', value: types },
      scores: { type: 'float32s', value: new Float32Array(ascii.length) },
    });
    await using model = await new Family({ name: 'ascii', vocabulary, addsBos: false }).open();
    const { rows, failures } = await model.observeWindow(
      [probe('The nurse'), probe('na\u00efve'), probe('said')],
      {},
    );
    expect([...rows.request]).toEqual([0, 2]);
    expect(failures).toMatchObject([{ request: 1, code: 'bad_argument' }]);
  });
});

describe('a BPE vocabulary that names neither BOS nor EOS', () => {
  const vocabulary = changed(bpe('gpt-2'), { bos_token_id: null, eos_token_id: null });

  it('has none: token 11 is a piece like any other', async () => {
    await using model = await new Family({ name: 'nameless', vocabulary, addsBos: false }).open();
    expect(model.info).toMatchObject({ addsBos: false, bosToken: null, eosToken: null });
    expect(await model.detokenize([11, 12])).toBe(`${await model.piece(11)}${await model.piece(12)}`);
    const ids = [...(await model.tokenize('The nurse'))];
    expect(ids).toEqual([...(await model.tokenize('The nurse', { bos: false }))]);
    const eleven = await model.piece(11);
    const twice = await model.observeWindow([probe(`${eleven}${eleven}The nurse`, true)], {});
    expect(twice.failures).toEqual([]);
  });

  it('is refused where it wants BOS in front', async () => {
    const family = new Family({ name: 'nameless wants', vocabulary, addsBos: true });
    const error = await faultOf(family.open());
    expect([error.code, error.message]).toEqual([
      'model_invalid',
      expect.stringContaining('tokenizer.ggml.bos_token_id'),
    ]);
  });
});
