import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadLexicon, parseLexicon, shippedLexicons } from '../../src/lexicon/index.ts';
import { fault, faultOf } from '../fault.ts';

const HEAD = 'name: t\nlanguage: en\ndescription: d\n';
const parse = (text: string) => parseLexicon(new TextEncoder().encode(text), 't.yaml');

describe('the shipped lexicon', () => {
  it('loads by name, with the hash of its bytes', async () => {
    const lexicon = await loadLexicon('gender-en');
    const bytes = await readFile(new URL('../../assets/lexicons/gender-en.yaml', import.meta.url));
    expect(lexicon.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(lexicon.groups.map(({ name }) => name)).toEqual(['female', 'male']);
    expect(lexicon.groups[0]?.words.slice(0, 4)).toEqual(['she', 'her', 'hers', 'herself']);
    expect(lexicon.groups[1]?.words.slice(0, 4)).toEqual(['he', 'him', 'his', 'himself']);
    for (const word of ['Mr', 'Mr.']) expect(lexicon.groups[1]?.words).toContain(word);
    for (const word of ['Mrs', 'Mrs.', 'Ms', 'Ms.', 'Miss']) expect(lexicon.groups[0]?.words).toContain(word);
    expect(await shippedLexicons()).toContain('gender-en');
  });

  it('has sixty occupations with shares of women', async () => {
    const { occupations } = await loadLexicon('gender-en');
    expect(occupations).toHaveLength(60);
    expect(occupations.find(({ word }) => word === 'technician')).toEqual({
      word: 'technician',
      share: 0.4034,
      year: 2015,
    });
    expect(occupations.find(({ word }) => word === 'plumber')?.share).toBe(0.007);
    expect(occupations.find(({ word }) => word === 'firefighter')).toMatchObject({
      share: 0.035,
      year: 2016,
    });
  });

  it('gives every word a partner, and "her" two by use', async () => {
    const { groups, pairs } = await loadLexicon('gender-en');
    const paired = new Set(pairs.flatMap(({ words }) => words.map(({ word }) => word)));
    for (const { words } of groups) expect(words.filter((word) => !paired.has(word))).toEqual([]);
    const her = pairs.filter(({ words }) => words[0].word === 'her');
    expect(her.map(({ words, as }) => [words[1].word, as])).toEqual([
      ['him', 'object'],
      ['his', 'possessive'],
    ]);
    const his = pairs.filter(({ words }) => words[1].word === 'his');
    expect(his.map(({ as }) => as)).toEqual(['possessive', 'possessive-pronoun']);
  });
});

describe('loadLexicon', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lexicon-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('reads YAML and JSON by path, with or without a byte-order mark', async () => {
    const yaml = join(folder, 'a.yaml');
    await writeFile(yaml, `\uFEFF${HEAD}groups:\n  b: [x]\n  a: [y, z]\n`);
    const json = join(folder, 'a.json');
    const data = { name: 't', language: 'en', description: 'd', groups: { b: ['x'], a: ['y', 'z'] } };
    await writeFile(json, JSON.stringify(data, null, '\t'));
    const [one, two] = [await loadLexicon(yaml), await loadLexicon(json)];
    expect(one.groups).toEqual([
      { name: 'b', words: ['x'] },
      { name: 'a', words: ['y', 'z'] },
    ]);
    expect(two.groups).toEqual(one.groups);
    expect(one).toMatchObject({ source: null, pairs: [], occupations: [], matchCase: [], file: yaml });
  });

  it('says which names there are when a name is not shipped', async () => {
    const error = await faultOf(loadLexicon('gender-xx'));
    expect(error.code).toBe('file_not_found');
    expect(error.message).toContain('gender-en');
  });

  it('tells a missing file from one that cannot be read', async () => {
    expect((await faultOf(loadLexicon(join(folder, 'none.yaml')))).code).toBe('file_not_found');
    const error = await faultOf(loadLexicon(`${folder}/.`));
    expect(error.code).toBe('file_unreadable');
    expect(error.message).toContain('folder');
  });
});

describe('a lexicon that is not right', () => {
  const cases: [name: string, text: string, says: (string | RegExp)[], line: number | null][] = [
    ['unknown key', `${HEAD}groups: {a: [x]}\ncolour: red\n`, ['"colour"', 'groups', 'occupations'], 5],
    [
      'unknown occupation key',
      `${HEAD}groups: {a: [x]}\noccupations:\n  - {word: w, share: 0.5, pct: 3}\n`,
      ['"pct"', 'share'],
      6,
    ],
    ['missing groups', HEAD, ['groups is missing'], 1],
    ['no groups', `${HEAD}groups: {}\n`, ['groups is empty'], 4],
    ['empty group', `${HEAD}groups:\n  a: []\n`, ['groups.a is empty'], 5],
    ['bad group name', `${HEAD}groups:\n  "1 a": [x]\n`, ['groups.1 a is not a group name'], 5],
    ['group called __proto__', `${HEAD}groups:\n  a: [x]\n  __proto__: [y]\n`, ['__proto__'], null],
    [
      'word that YAML takes for a boolean',
      `${HEAD}groups:\n  a:\n    - x\n    - true\n`,
      ['groups.a[1]', 'quotes'],
      7,
    ],
    ['word with a space before it', `${HEAD}groups:\n  a: [" x"]\n`, ['groups.a[0] is not a word'], 5],
    ['empty word', `${HEAD}groups:\n  a: [""]\n`, ['groups.a[0] is not a word'], 5],
    [
      'same word twice',
      `${HEAD}groups:\n  a:\n    - She\n    - x\n    - she\n`,
      ['groups.a[2]', 'groups.a[0]'],
      8,
    ],
    [
      'word in two groups',
      `${HEAD}groups:\n  a: [x]\n  b:\n    - y\n    - X\n`,
      ['groups.b[1]', 'groups.a[0]', 'two groups'],
      8,
    ],
    [
      'pair with a word of no group',
      `${HEAD}groups: {a: [x], b: [y]}\npairs:\n  - {a: x, b: q}\n`,
      ['pairs[0].b', '"q"'],
      6,
    ],
    [
      'pair with no such group',
      `${HEAD}groups: {a: [x], b: [y]}\npairs:\n  - {a: x, c: y}\n`,
      ['"c" is not a group', 'a, b'],
      6,
    ],
    [
      'pair of one',
      `${HEAD}groups: {a: [x], b: [y]}\npairs:\n  - {a: x, as: noun}\n`,
      ['pairs[0] names 1 groups'],
      6,
    ],
    [
      'pair given twice',
      `${HEAD}groups: {a: [x], b: [y]}\npairs:\n  - {a: x, b: y}\n  - {b: y, a: x}\n`,
      ['pairs[1] repeats pairs[0]'],
      7,
    ],
    ['group called as', `${HEAD}groups: {as: [x], b: [y]}\n`, ['groups.as'], 4],
    [
      'share above 1',
      `${HEAD}groups: {a: [x]}\noccupations:\n  - {word: w, share: 40}\n`,
      ['occupations[0].share is above 1'],
      6,
    ],
    [
      'share that is text',
      `${HEAD}groups: {a: [x]}\noccupations:\n  - {word: w, share: "0.4"}\n`,
      ['occupations[0].share', 'number'],
      6,
    ],
    [
      'occupation twice',
      `${HEAD}groups: {a: [x]}\noccupations:\n  - {word: w, share: 0}\n  - {word: W, share: 1}\n`,
      ['occupations[1]', 'occupations[0]'],
      7,
    ],
    ['cased word of no group', `${HEAD}groups: {a: [x]}\nmatchCase: [X]\n`, ['matchCase[0]', '"X"'], 5],
    ['key given twice', `${HEAD}name: u\ngroups: {a: [x]}\n`, [/unique/], 4],
    ['broken YAML', `${HEAD}groups: {a: [x}\n`, ['not valid YAML'], 4],
    ['a list', '- x\n', ['the file is of the wrong kind'], 1],
    ['an empty file', '', ['the file'], null],
  ];
  it.each(cases)('%s', (_name, text, says, line) => {
    const error = fault(() => parse(text));
    expect(error.code).toBe('lexicon_invalid');
    expect(error.message).toMatch(/^lexicon t\.yaml: /);
    for (const said of says) expect(error.message).toMatch(said);
    if (line !== null) {
      expect(error.message).toContain(`line ${line}: `);
      expect(error.data).toMatchObject({ file: 't.yaml', line });
    }
  });

  it('that is not UTF-8', () => {
    const error = fault(() => parseLexicon(Uint8Array.of(0x6e, 0xff), 'b.yaml'));
    expect(error.code).toBe('lexicon_invalid');
    expect(error.message).toContain('UTF-8');
  });

  it('whose aliases multiply', () => {
    const rows = Array.from(
      { length: 12 },
      (_, i) => `k${i + 1}: &b${i + 1} [${Array(9).fill(`*b${i}`).join(',')}]`,
    );
    const error = fault(() => parse(`k0: &b0 [x]\n${rows.join('\n')}\n`));
    expect(error.code).toBe('lexicon_invalid');
  });

  it('with many faults shows the first five', () => {
    const words = Array.from({ length: 8 }, () => '" x"').join(', ');
    const error = fault(() => parse(`${HEAD}groups: {a: [${words}]}\n`));
    expect(error.message).toContain('and 3 more');
    expect(error.data.faults).toHaveLength(8);
  });
});
