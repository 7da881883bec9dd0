/** Every text of the demo becomes whole words, by the oracle's merges and by looking words up. */

import { describe, expect, test } from 'vitest';
import { contextTokens, plantedModel, plantedRows, probeTexts } from '../../../src/demo/planted/index.ts';
import { readGguf } from '../../oracle/gguf.ts';
import { OracleSpm } from '../../oracle/spm.ts';
import { FEW, sixty } from './occupations.ts';

describe.each([
  ['few', FEW],
  ['sixty', sixty()],
])('%s occupations', (_, occupations) => {
  test.skipIf(occupations === null)('every frame text is whole words', () => {
    const { bytes, vocabulary } = plantedModel(occupations ?? []);
    const spm = new OracleSpm(readGguf(bytes));
    for (const row of plantedRows(occupations ?? [])) {
      const probe = probeTexts(row);
      for (const text of [row.x, row.x_swap, probe!.text, probe!.textSwap]) {
        const ids = spm.tokenize(text);
        expect(ids, text).toEqual([...contextTokens(vocabulary, text)]);
        const words = text.replaceAll('.', ' .').split(' ');
        expect(ids.length - 1, text).toBe(words.length);
        expect(ids[0], text).toBe(vocabulary.bos);
      }
    }
  });
});

test('every form of every word is one token, in a sentence and alone', () => {
  const { bytes, vocabulary } = plantedModel(FEW);
  const spm = new OracleSpm(readGguf(bytes));
  for (const { id, text, word } of vocabulary.tokens) {
    if (word === null) continue;
    const written = text.replace('\u2581', ' ');
    expect(spm.tokenize(written), written).toEqual([vocabulary.bos, id]);
    if (written.startsWith(' ')) {
      const [, , inside] = spm.tokenize(`The${written} said`);
      expect(inside, written).toBe(id);
    }
  }
});

test('every gender word is one token bare, spaced, and with a capital', () => {
  const { vocabulary } = plantedModel(FEW);
  for (const { text, gender } of vocabulary.words) {
    if (gender === null) continue;
    for (const form of [text, text[0]!.toUpperCase() + text.slice(1)]) {
      expect(vocabulary.find(form), form).not.toBeNull();
      expect(vocabulary.find(` ${form}`), ` ${form}`).not.toBeNull();
    }
  }
});

test('unknown text falls back to smaller pieces and bytes, and is refused where whole words are needed', () => {
  const { bytes, vocabulary } = plantedModel(FEW);
  const spm = new OracleSpm(readGguf(bytes));
  const ids = spm.tokenize('The zoo né  said');
  const back = ids.slice(1).map((id) => spm.pieces[id]!);
  expect(back).toContain('<0xC3>');
  expect(back.at(-1)).toBe('\u2581said');
  expect(() => contextTokens(vocabulary, 'The zoo said')).toThrow(/" zoo"/);
  expect(() => contextTokens(vocabulary, 'The nurse; she')).toThrow(/plain words/);
  expect(() => contextTokens(vocabulary, 'The nur')).toThrow(/" nur"/);
});

test('titles keep their full stop', () => {
  const { bytes, vocabulary } = plantedModel(FEW);
  const text = 'Mrs. said that Mr. was late. Ms said that';
  const wanted = ['Mrs.', ' said', ' that', ' Mr.', ' was', ' late', '.', ' Ms', ' said', ' that'];
  expect(new OracleSpm(readGguf(bytes)).tokenize(text).slice(1)).toEqual(
    wanted.map((piece) => vocabulary.find(piece)),
  );
  expect([...contextTokens(vocabulary, text)].slice(1)).toEqual(
    wanted.map((piece) => vocabulary.find(piece)),
  );
});
