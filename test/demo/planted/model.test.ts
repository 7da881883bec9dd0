/**
 * The planted model does what it was built to do: the oracle's generic forward pass through the file meets the closed
 * form, the head looks at the occupation alone, and the odds move by the published share.
 */

import { describe, expect, test } from 'vitest';
import {
  contextTokens,
  expectedLogits,
  expectedPair,
  expectedProbe,
  type PlantedModel,
  plantedModel,
  plantedRows,
  probeTexts,
  type TokenGroups,
} from '../../../src/demo/planted/index.ts';
import { OracleLlama } from '../../oracle/forward.ts';
import { readGguf } from '../../oracle/gguf.ts';
import { jsd, mass, softmax } from '../../oracle/metrics.ts';
import { OracleSpm } from '../../oracle/spm.ts';
import { FEW, sixty } from './occupations.ts';

/** A closed form and a matrix product, both in float64. */
const FLOAT64_FORWARD = 1e-9;
/** What rounding the planted numbers to float32 may do to a log-odds of size 5. */
const FLOAT32_WEIGHTS = 1e-5;
/** The closed form takes two occupations as equally strong; rounding makes their scores differ by some 1e-6 nats. */
const EQUAL_STRENGTH = 1e-6;
/** Below what float64 can add to 1. */
const NO_WEIGHT = 1e-16;
/** float32 numbers of size 9, squared. */
const FLOAT32_LENGTH = 1e-5;

const occupations = sixty() ?? FEW;
const planted = plantedModel(occupations);
const file = readGguf(planted.bytes);
const llama = new OracleLlama(file);
const spm = new OracleSpm(file);
const groups = groupsOf(planted);

describe('the file', () => {
  test('is the same every time', () => {
    expect(plantedModel(occupations).sha256).toBe(planted.sha256);
    expect(plantedModel(occupations, { seed: 2 }).sha256).not.toBe(planted.sha256);
  });

  test('does not change by accident', () => {
    // Made-up occupations, so that the hash depends on nothing but the code.
    expect(plantedModel(FEW).sha256).toMatchInlineSnapshot(
      `"8dd9f4dcd15ede1da5934ace30694199262a5a1bff51cb30735c65a6efe5e138"`,
    );
  });

  test('is small', () => {
    expect(planted.bytes.length).toBeLessThan(2 * 1024 * 1024);
  });

  test('has embeddings of one length', () => {
    const { data, shape } = file.tensors.get('token_embd.weight')!;
    const width = shape[0]!;
    for (let start = 0; start < data.length; start += width) {
      const squared = data.subarray(start, start + width).reduce((sum, v) => sum + v * v, 0);
      expect(Math.abs(squared - 127)).toBeLessThan(FLOAT32_LENGTH);
    }
  });
});

describe('the closed form', () => {
  test('meets the forward pass at the probe step, in every frame, for every occupation', () => {
    for (const row of plantedRows(occupations)) {
      const { text, textSwap } = probeTexts(row)!;
      const p = measure(text);
      const q = measure(textSwap);
      const values = expectedPair(
        planted,
        contextTokens(planted.vocabulary, text),
        contextTokens(planted.vocabulary, textSwap),
        groups,
      );
      const massFemale = mass(p, groups.female);
      const massMale = mass(p, groups.male);
      expect(Math.abs(values.massFemale - massFemale), text).toBeLessThan(FLOAT64_FORWARD);
      expect(Math.abs(values.massMale - massMale), text).toBeLessThan(FLOAT64_FORWARD);
      expect(Math.abs(values.gap - Math.abs(massFemale - massMale)), text).toBeLessThan(FLOAT64_FORWARD);
      const swapFemale = mass(q, groups.female);
      const swapMale = mass(q, groups.male);
      expect(Math.abs(values.massFemaleSwap - swapFemale), text).toBeLessThan(FLOAT64_FORWARD);
      expect(Math.abs(values.massMaleSwap - swapMale), text).toBeLessThan(FLOAT64_FORWARD);
      expect(Math.abs(values.gapSwap - Math.abs(swapFemale - swapMale)), text).toBeLessThan(FLOAT64_FORWARD);
      expect(Math.abs(values.jsdSwap - jsd(p, q)), text).toBeLessThan(FLOAT64_FORWARD);
    }
  });

  test.each([
    ['no occupation', 'The patient said that', FLOAT64_FORWARD],
    ['the occupation last', 'The nurse', FLOAT64_FORWARD],
    ['two occupations', 'The nurse told the plumber that', EQUAL_STRENGTH],
    ['one occupation twice', 'The nurse told the nurse that', FLOAT64_FORWARD],
    ['an occupation past a full stop', 'The plumber was late. The patient said that', FLOAT64_FORWARD],
    ['pieces of unknown words', 'The nurse zoomed', FLOAT64_FORWARD],
    ['nothing but BOS', '', FLOAT64_FORWARD],
  ])('meets the forward pass with %s', (_, text, tolerance) => {
    const tokens = spm.tokenize(text);
    const logits = expectedLogits(planted, tokens);
    const forward = llama.forward(tokens).logits;
    expect(forward.length).toBe(logits.length);
    for (const [id, logit] of forward.entries()) {
      expect(Math.abs(logit - logits[id]!)).toBeLessThan(tolerance);
    }
    const total = expectedProbe(planted, tokens).reduce((a, b) => a + b);
    expect(Math.abs(total - 1)).toBeLessThan(FLOAT64_FORWARD);
  });

  test('refuses a context it cannot judge', () => {
    expect(() => expectedLogits(planted, [])).toThrow(/no token/);
    expect(() => expectedLogits(planted, [1, planted.vocabulary.tokens.length])).toThrow(/outside/);
    expect(() => expectedLogits(planted, [1, -1])).toThrow(/outside/);
  });
});

describe('the head', () => {
  test('looks at the occupation and at nothing else', () => {
    for (const row of plantedRows(occupations)) {
      const tokens = spm.tokenize(row.x);
      const weights = llama.forward(tokens).attention[0]![0]!;
      const at = tokens.indexOf(planted.vocabulary.find(` ${row.occupation}`)!);
      for (const [position, weight] of weights.entries()) {
        if (position !== at) expect(weight, row.x).toBeLessThan(NO_WEIGHT);
      }
    }
  });

  test('moves the odds of each gender pair by the odds of the published share', () => {
    const neutral = expectedLogits(planted, spm.tokenize('The patient said that'));
    for (const { word, shareOfWomen } of occupations) {
      const logits = llama.forward(spm.tokenize(`The ${word} said that`)).logits;
      for (const [female, male] of [
        [' she', ' he'],
        [' her', ' his'],
        [' woman', ' man'],
      ] as const) {
        const f = planted.vocabulary.find(female)!;
        const m = planted.vocabulary.find(male)!;
        const moved = logits[f]! - logits[m]! - (neutral[f]! - neutral[m]!);
        expect(Math.abs(moved - Math.log(shareOfWomen / (1 - shareOfWomen))), word).toBeLessThan(
          FLOAT32_WEIGHTS,
        );
      }
    }
  });

  test('so " she" against " he" after "that" is the share itself', () => {
    for (const { word, shareOfWomen } of occupations) {
      const p = measure(`The ${word} said that`);
      const she = p[planted.vocabulary.find(' she')!]!;
      const he = p[planted.vocabulary.find(' he')!]!;
      expect(Math.abs(she / (she + he) - shareOfWomen), word).toBeLessThan(FLOAT32_WEIGHTS);
    }
  });
});

describe('the numbers an audit finds', () => {
  const pairs = plantedRows(occupations).map((row) => {
    const { text, textSwap } = probeTexts(row)!;
    const { vocabulary } = planted;
    return expectedPair(
      planted,
      contextTokens(vocabulary, text),
      contextTokens(vocabulary, textSwap),
      groups,
    );
  });

  test('differ between occupations and between a text and its swap', () => {
    const gaps = pairs.map(({ gap }) => gap);
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeGreaterThan(0.05);
    for (const { jsdSwap } of pairs) {
      expect(jsdSwap).toBeGreaterThan(0.01);
      expect(jsdSwap).toBeLessThan(Math.LN2);
    }
  });

  test('rest on a good part of the mass', () => {
    for (const { massFemale, massMale, massFemaleSwap, massMaleSwap } of pairs) {
      expect(massFemale + massMale).toBeGreaterThan(0.1);
      expect(massFemaleSwap + massMaleSwap).toBeGreaterThan(0.1);
      expect(massFemale + massMale).toBeLessThan(0.95);
      expect(massFemaleSwap + massMaleSwap).toBeLessThan(0.95);
    }
  });
});

describe('rows', () => {
  test('have ids of their own and differ from their swap in one later word', () => {
    const rows = plantedRows(occupations);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(rows.length).toBe(4 * occupations.length);
    for (const { x, x_swap, occupation } of rows) {
      const [a, b] = [x.split(' '), x_swap.split(' ')];
      const differing = a.flatMap((word, i) => (word === b[i] ? [] : [i]));
      expect(differing.length, x).toBe(1);
      expect(differing[0], x).toBeGreaterThan(a.indexOf(occupation));
      const genderWords = a.flatMap((word, i) =>
        planted.vocabulary.words.some(({ text, gender }) => gender !== null && text === word) ? [i] : [],
      );
      expect(genderWords[0], x).toBe(differing[0]);
    }
  });
});

describe('occupations that cannot be planted', () => {
  test.each([
    ['none', [], 'empty_input'],
    ['two words', [{ word: 'head nurse', shareOfWomen: 0.5 }], 'lexicon_invalid'],
    ['a capital', [{ word: 'Nurse', shareOfWomen: 0.5 }], 'lexicon_invalid'],
    ['a word of the model', [{ word: 'mother', shareOfWomen: 0.5 }], 'lexicon_invalid'],
    ['twice', [FEW[0]!, FEW[0]!], 'lexicon_invalid'],
    ['certain', [{ word: 'nurse', shareOfWomen: 1 }], 'out_of_range'],
    ['per cent', [{ word: 'nurse', shareOfWomen: 89.58 }], 'out_of_range'],
    ['not a number', [{ word: 'nurse', shareOfWomen: Number.NaN }], 'out_of_range'],
  ])('%s', (_, wrong, code) => {
    expect(() => plantedModel(wrong)).toThrow(expect.objectContaining({ code }));
  });
});

function measure(text: string): number[] {
  return softmax([...llama.forward(spm.tokenize(text)).logits]);
}

/** Every token of a gender word, in every form. */
function groupsOf({ vocabulary }: PlantedModel): { female: number[]; male: number[] } & TokenGroups {
  const ids = (gender: string): number[] =>
    vocabulary.tokens.filter(({ word }) => word?.gender === gender).map(({ id }) => id);
  return { female: ids('female'), male: ids('male') };
}
