/** Which steps the gate of ctf opens, and by which trigger, against the definitions written down by the oracle. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ObservedStep, resolveOptions } from '../../src/contract/index.ts';
import { type Lexicon, type LexiconMapping, loadLexicon } from '../../src/lexicon/index.ts';
import { triggersOf } from '../../src/suites/ctf/gating.ts';
import { ctfOptions } from '../../src/suites/ctf/options.ts';
import { triggers } from '../oracle/steps.ts';

const LEXICON = await loadLexicon('gender-en');
const PRONOUNS = ['she', 'her', 'hers', 'herself', 'he', 'him', 'his', 'himself', ...LEXICON.names];
const GROUPS = [
  { name: 'female', ids: [3, 4] },
  { name: 'male', ids: [5] },
];
const MAPPING = {
  groups: GROUPS.map(({ name, ids }) => ({ name, ids: Int32Array.from(ids), words: [] })),
} as unknown as LexiconMapping;

interface Rule {
  readonly gateTopK: number;
  readonly gateWindow: number;
  readonly gateSteps: number;
}

/** Steps behind these tokens, with the likeliest tokens of each. */
function both(
  pieces: readonly string[],
  positions: readonly number[],
  likeliest: readonly number[][],
  rule: Rule,
) {
  const steps = positions.map((position, step): ObservedStep => {
    return { side: 0, position, masses: [], entropy: 0, topKIds: likeliest[step]! };
  });
  const options = resolveOptions('ctf', ctfOptions, { ...rule });
  return {
    found: triggersOf(pieces, steps, LEXICON, MAPPING, options),
    expected: triggers(
      pieces,
      positions,
      likeliest.map((ids) => ({ values: {}, likeliest: ids })),
      GROUPS,
      {
        likeliest: rule.gateTopK,
        window: rule.gateWindow,
        after: rule.gateSteps,
        occupations: LEXICON.occupations.map(({ word }) => word),
        pronouns: PRONOUNS,
      },
    ),
  };
}

/** All steps of a text, one token a word, none of which is likely to be followed by a word of a group. */
function opened(text: string, rule: Partial<Rule> = {}): string {
  const pieces = text.split(/(?= )/);
  const positions = pieces.map((_, at) => at);
  const whole = { gateTopK: 1, gateWindow: 3, gateSteps: 2, ...rule };
  const { found, expected } = both(
    pieces,
    positions,
    positions.map(() => [9]),
    whole,
  );
  expect(found).toEqual(expected);
  return found.map((trigger) => trigger[0]).join('');
}

describe('the window trigger', () => {
  it('opens the steps after the one at which an occupation and a pronoun both lie in the window', () => {
    expect(opened('The nurse said she was late and very old')).toBe('nnnnwwnnn');
    expect(opened('The nurse said she was late and very old', { gateSteps: 3 })).toBe('nnnnwwwnn');
    expect(opened('The nurse said she was late and very old', { gateSteps: 0 })).toBe('nnnnnnnnn');
    expect(opened('The nurse said that she was late and old')).toBe('nnnnnnnnn');
    expect(opened('The nurse said that she was late and old', { gateWindow: 4 })).toBe('nnnnnwwnn');
  });

  it('does not take a noun of a group for a pronoun, nor a part of a word for an occupation', () => {
    expect(opened('The nurse woman man was late')).toBe('nnnnnn');
    expect(opened('The nurses said she was late')).toBe('nnnnnn');
    expect(opened('NURSE and HE were late')).toBe('nnnww');
  });
});

it('a name is as good as a pronoun; without pronouns every word of the groups is one', () => {
  const options = resolveOptions('ctf', ctfOptions, { gateWindow: 3, gateSteps: 1 });
  const pieces = ['The', ' nurse', ' Mary', ' x', ' and', ' the', ' nurse', ' woman', ' x', ' x', ' x'];
  const steps = pieces.map((_, position): ObservedStep => {
    return { side: 0, position, masses: [], entropy: 0, topKIds: [] };
  });
  const openedBy = (lexicon: Partial<Lexicon>) =>
    triggersOf(pieces, steps, { ...LEXICON, ...lexicon }, MAPPING, options).flatMap((trigger, at) =>
      trigger === 'window' ? [at] : [],
    );
  expect(openedBy({ names: [] })).toEqual([]);
  expect(openedBy({ names: ['Mary'] })).toEqual([3, 4]);
  expect(openedBy({ names: [], pairs: [] })).toEqual([8, 9]);
  expect(openedBy({ names: ['Mary'], pairs: [] })).toEqual([3, 4, 8, 9]);
});

describe('the top-K trigger', () => {
  it('opens its own step and those after it, where a group is among the K likeliest', () => {
    const positions = [2, 3, 4, 5, 6];
    const likeliest = [
      [9, 3],
      [9, 8],
      [9, 8],
      [9, 8],
      [8, 9],
    ];
    const pieces = Array.from({ length: 7 }, () => ' x');
    const of = (rule: Partial<Rule>) => {
      const { found, expected } = both(pieces, positions, likeliest, {
        ...{ gateTopK: 2, gateWindow: 3, gateSteps: 2 },
        ...rule,
      });
      expect(found).toEqual(expected);
      return found;
    };
    expect(of({})).toEqual(['topK', 'topK', 'topK', 'none', 'none']);
    expect(of({ gateSteps: 0 })).toEqual(['topK', 'none', 'none', 'none', 'none']);
    expect(of({ gateTopK: 1 })).toEqual(['none', 'none', 'none', 'none', 'none']);
  });
});

it('does what the definitions say, however a text is cut into tokens', () => {
  const word = fc.constantFrom(
    'nurse',
    'nurses',
    'Plumber',
    'she',
    'HIS',
    'her',
    'the',
    'man',
    'mother',
    'x',
    'é',
  );
  const mark = fc.constantFrom(' ', ', ', ' ', '-', '');
  const text = fc
    .array(fc.tuple(word, mark), { minLength: 1, maxLength: 12 })
    .map((parts) => parts.map((part) => part.join('')).join(''));
  const cut = fc.tuple(text, fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 60, maxLength: 60 }));
  const rule = fc.record({
    gateTopK: fc.integer({ min: 1, max: 4 }),
    gateWindow: fc.integer({ min: 1, max: 6 }),
    gateSteps: fc.integer({ min: 0, max: 3 }),
  });
  fc.assert(
    fc.property(cut, rule, fc.integer({ min: 0, max: 3 }), ([whole, lengths], own, from) => {
      const pieces: string[] = ['<s>'];
      // A length of 0 is a token without text, as control tokens may be.
      for (let at = 0, n = 0; at < whole.length; at += lengths[n]!, n += 1) {
        pieces.push(whole.slice(at, n === 59 ? undefined : at + lengths[n]!));
        if (n === 59) break;
      }
      const positions = pieces.map((_, at) => at).slice(from);
      const likeliest = positions.map((at) => [lengths[at % 60]! + 1, 9, (at % 5) + 2, 8]);
      const { found, expected } = both(pieces, positions, likeliest, own);
      expect(found).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});
