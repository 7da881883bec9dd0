import { describe, expect, it } from 'vitest';
import type { LexiconMappingJson, TokenSource } from '../../src/lexicon/index.ts';
import { loadLexicon, mapLexicon, surfaceForms } from '../../src/lexicon/index.ts';
import { faultOf } from '../fault.ts';
import { bpe, bytes, spm } from './tokenizers.ts';

const lexicon = (groups: Record<string, string[]>) => ({
  name: 'test',
  sha256: 'ab',
  groups: Object.entries(groups).map(([name, words]) => ({ name, words })),
});
/** The reference project's policy, for what holds under each; `distinct` has its own tests below. */
const mapFirst: typeof mapLexicon = (words, tokenizer, options) =>
  mapLexicon(words, tokenizer, { policy: 'first', ...options });

const gender = lexicon({ female: ['she', 'woman'], male: ['he', 'man'] });

describe('surfaceForms', () => {
  it('are four, fewer where two are the same or capitals are not asked for', () => {
    expect(surfaceForms('she', true)).toEqual(['she', ' she', 'She', ' She']);
    expect(surfaceForms('Mr.', true)).toEqual(['Mr.', ' Mr.']);
    expect(surfaceForms('she', false)).toEqual(['she', ' she']);
    expect(surfaceForms('élan', true)).toContain('Élan');
    expect(surfaceForms('\u{10428}x', true)).toContain('\u{10400}x');
  });
});

describe('a tokenizer that keeps the space with the word', () => {
  const model = bpe('she', ' she', 'She', ' She', 'he', ' he', ' He', ' woman', ' man', 'wo', 'man');

  it('takes single tokens, and the first piece of several', async () => {
    const mapping = await mapFirst(gender, model);
    const [female, male] = mapping.groups;
    const ids = (...pieces: string[]) => pieces.map((piece) => model.id(piece)).sort((a, b) => a - b);
    expect([...female!.ids]).toEqual(ids('she', ' she', 'She', ' She', 'wo', ' woman', 'W'));
    expect([...male!.ids]).toEqual(ids('he', ' he', 'H', ' He', 'man', ' man', 'M'));
    // " Woman" and " Man" begin with a bare space, which is no sign of either.
    expect(female!.words[1]!.forms[3]).toEqual({
      form: ' Woman',
      tokens: ids(' ').concat(['W', 'o', 'man'].map((piece) => model.id(piece))),
      pieces: [' ', 'W', 'o', 'man'],
      id: null,
      dropped: 'blank_piece',
    });
    expect(mapping.collisions).toEqual([]);
    expect(mapping).toMatchObject({
      lexicon: { name: 'test', sha256: 'ab' },
      policy: 'first',
      capitalised: true,
    });
    expect(female!.ids).toBeInstanceOf(Int32Array);
  });

  it('skips what is not one token when asked', async () => {
    const [female] = (await mapFirst(gender, model, { policy: 'skip' })).groups;
    expect([...female!.ids]).not.toContain(model.id('wo'));
    expect([...female!.ids]).toContain(model.id(' woman'));
    expect(female!.words[1]!.forms[0]).toMatchObject({
      form: 'woman',
      pieces: ['wo', 'man'],
      id: null,
      dropped: 'multiple_tokens',
    });
  });

  it('leaves the capitals out when asked', async () => {
    const mapping = await mapFirst(gender, model, { capitalised: false });
    expect(mapping.capitalised).toBe(false);
    expect(mapping.groups[0]!.words[0]!.forms.map(({ form }) => form)).toEqual(['she', ' she']);
  });

  it('counts an id of two groups in neither, and says what led to it', async () => {
    const split = bpe(' step', ' she', ' he', 'mother', 'father', 'step');
    const mapping = await mapFirst(
      lexicon({ female: ['stepmother', 'she'], male: ['stepfather', 'he'] }),
      split,
      {
        capitalised: false,
      },
    );
    const [step, spaceStep] = [split.id('step'), split.id(' step')];
    for (const { ids } of mapping.groups) {
      expect([...ids]).not.toContain(step);
      expect([...ids]).not.toContain(spaceStep);
    }
    expect(mapping.collisions).toEqual([
      {
        id: spaceStep,
        piece: ' step',
        groups: ['female', 'male'],
        forms: [
          { group: 'female', word: 'stepmother', form: ' stepmother' },
          { group: 'male', word: 'stepfather', form: ' stepfather' },
        ],
      },
      expect.objectContaining({ id: step, piece: 'step' }),
    ]);
    expect(mapping.groups[0]!.words[0]!.forms[1]).toMatchObject({
      id: null,
      dropped: 'collision',
      pieces: [' step', 'mother'],
    });
  });

  it('counts an id once that several words of one group lead to', async () => {
    const shared = bpe(' her', 'her');
    const mapping = await mapFirst(lexicon({ female: ['her', 'hers', 'herself'] }), shared, {
      capitalised: false,
    });
    expect([...mapping.groups[0]!.ids]).toEqual([shared.id(' her'), shared.id('her')].sort((a, b) => a - b));
    expect(mapping.collisions).toEqual([]);
  });
});

describe('a tokenizer that puts a space in front', () => {
  it('takes the bare form as the word, and records the doubled space of the other', async () => {
    const model = spm(' she', ' he', ' She', ' He');
    const mapping = await mapFirst(lexicon({ female: ['she'], male: ['he'] }), model);
    const [female] = mapping.groups;
    expect([...female!.ids]).toEqual([model.id(' she'), model.id(' She')]);
    expect(female!.words[0]!.forms[0]).toEqual({
      form: 'she',
      tokens: [model.id(' she')],
      pieces: [' she'],
      id: model.id(' she'),
    });
    expect(female!.words[0]!.forms[1]).toEqual({
      form: ' she',
      tokens: [model.id(' '), model.id(' she')],
      pieces: [' ', ' she'],
      id: null,
      dropped: 'blank_piece',
    });
    expect(
      (await mapFirst(lexicon({ female: ['she'] }), model, { policy: 'skip' })).groups[0]!.words[0]!.forms[1]!
        .dropped,
    ).toBe('multiple_tokens');
  });

  it('asks once, for no beginning-of-sequence token', async () => {
    const asked: unknown[] = [];
    const inner = spm(' she');
    const model: TokenSource = {
      ...inner,
      tokenizeAll: (texts, options) => {
        asked.push([texts, options]);
        return inner.tokenizeAll(texts);
      },
    };
    await mapFirst(lexicon({ female: ['she'] }), model);
    expect(asked).toEqual([[['she', ' she', 'She', ' She'], { bos: false }]]);
  });
});

describe('a tokenizer of bytes', () => {
  it('maps to first bytes, with the shared ones in neither group', async () => {
    const mapping = await mapFirst(lexicon({ female: ['she', 'her'], male: ['he', 'man'] }), bytes, {
      capitalised: false,
    });
    expect(mapping.groups.map(({ ids }) => [...ids])).toEqual([[0x73], [0x6d]]);
    expect(mapping.collisions.map(({ piece }) => piece)).toEqual(['h']);
    expect(mapping.collisions[0]!.forms.map(({ word }) => word)).toEqual(['her', 'he']);
  });

  it('does not take a part of a character for a word', async () => {
    const error = await faultOf(() => mapFirst(lexicon({ female: ['她'], male: ['他'] }), bytes));
    expect(error.code).toBe('lexicon_unmapped');
    expect(error.message).toContain('partial_character 1');
    expect(error.data.dropped).toEqual({ partial_character: 1, blank_piece: 1 });
  });
});

describe('a group without ids', () => {
  it('is an error that names group, policy, reasons and a way out', async () => {
    const model = bpe(' she', 'wo');
    const words = lexicon({ female: ['she'], male: ['he'] });
    const error = await faultOf(() => mapFirst(words, model, { policy: 'skip' }));
    expect(error.code).toBe('lexicon_unmapped');
    expect(error.message).toMatch(/"male".*"skip".*multiple_tokens 4.*use the policy "first"/);
    expect(error.data).toMatchObject({ group: 'male', policy: 'skip', lexicon: 'test' });
  });

  it('may come of collisions alone, or of no tokens at all', async () => {
    const same = await faultOf(() =>
      mapFirst(lexicon({ a: ['hex'], b: ['hey'] }), bpe('he', ' he'), { capitalised: false }),
    );
    expect(same.message).toContain('collision 2');
    const none: TokenSource = {
      vocabSize: 1,
      tokenizeAll: async (texts) => texts.map(() => new Int32Array()),
      pieces: async () => [],
    };
    expect((await faultOf(() => mapFirst(gender, none))).message).toContain('empty 8');
  });
});

it('refuses ids outside the vocabulary', async () => {
  const error = await faultOf(() =>
    mapFirst(gender, {
      vocabSize: 3,
      tokenizeAll: async (texts) => texts.map(() => Int32Array.of(3)),
      pieces: async () => ['x'],
    }),
  );
  expect(error.code).toBe('out_of_range');
});

it('is written with plain arrays, and reads back the same', async () => {
  const words = await loadLexicon('gender-en');
  const model = bpe(' she', ' he', ' her', ' him', ' his', 'step', 'grand', ' wom', ' men');
  const mapping = await mapFirst(words, model);
  const written = JSON.parse(JSON.stringify(mapping)) as LexiconMappingJson;
  expect(written.lexicon).toEqual({ name: 'gender-en', sha256: words.sha256 });
  expect(written.groups.map(({ ids }) => ids)).toEqual(mapping.groups.map(({ ids }) => [...ids]));
  expect(written.collisions).toEqual(mapping.collisions);
  const forms = mapping.groups.flatMap((group) => group.words.flatMap((word) => word.forms));
  for (const form of forms) expect(form.id === null).toBe(form.dropped !== undefined);
  const [female, male] = mapping.groups.map(({ ids }) => new Set(ids));
  expect([...female!].filter((id) => male!.has(id))).toEqual([]);
});

describe('the policy distinct', () => {
  const english = (groups: Record<string, string[]>) => ({ ...lexicon(groups), language: 'en' });
  const model = bpe(' wait', ' boy', ' she', ' he', ' daugh', ' d', ' жен', ...'женщина');
  const formOf = async (group: string[], word: string, options: object = {}) => {
    const { groups } = await mapLexicon(english({ female: [...group, 'she'], male: ['he'] }), model, {
      capitalised: false,
      ...options,
    });
    const forms = groups[0]!.words.find((own) => own.word === word)!.forms;
    return forms.find(({ form }) => form === ` ${word}`)!;
  };

  it('is the default', async () => {
    expect((await mapLexicon(english({ female: ['she'], male: ['he'] }), model)).policy).toBe('distinct');
  });

  it('leaves out a beginning that a common word has, and says which', async () => {
    expect(await formOf(['waitress'], 'waitress')).toMatchObject({
      ...{ pieces: [' wait', 'r', 'e', 's', 's'], id: null, dropped: 'shared_beginning', sharedWith: 'wait' },
    });
    expect(await formOf(['waitress'], 'waitress', { commonWords: ['wade'] })).toMatchObject({
      id: model.id(' wait'),
    });
  });

  it('leaves out one that is too short to tell the word, whatever the list says', async () => {
    for (const word of ['damsel', 'dowager']) {
      expect(await formOf([word], word, { commonWords: [] })).toMatchObject({
        ...{ id: null, dropped: 'short_beginning' },
      });
    }
    // Half of a word and more tells it.
    expect(await formOf(['daughter'], 'daughter')).toMatchObject({ id: model.id(' daugh') });
    expect(await formOf(['женщина'], 'женщина')).toMatchObject({ id: null, dropped: 'short_beginning' });
    expect(await formOf(['жена'], 'жена')).toMatchObject({ id: model.id(' жен') });
  });

  it('keeps what is common only as a word of the same group', async () => {
    const { groups } = await mapLexicon(english({ female: ['she'], male: ['boy', 'boys'] }), model, {
      capitalised: false,
      commonWords: ['boy'],
    });
    expect(groups[1]!.words[1]!.forms[1]).toMatchObject({ id: model.id(' boy') });
  });

  it('lets a sign stand for half a word where signs are words', async () => {
    const han = bpe('她', '他', '们');
    const { groups } = await mapLexicon(
      { ...lexicon({ female: ['她们'], male: ['他们'] }), language: 'zh' },
      han,
      { capitalised: false },
    );
    expect([...groups[0]!.ids]).toEqual([han.id('她')]);
  });
});
