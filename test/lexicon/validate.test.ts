import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLexicon, validateLexicon } from '../../src/lexicon/index.ts';
import { faultOf } from '../fault.ts';
import { temporaryFolder } from '../temporary.ts';

const HEAD = 'name: t\nlanguage: en\ndescription: d\n';
function file(text: string): string {
  const path = join(temporaryFolder(), 't.yaml');
  writeFileSync(path, text);
  return path;
}

describe('validateLexicon', () => {
  it('finds nothing about the shipped one', async () => {
    const { lexicon, faults, warnings } = await validateLexicon('gender-en');
    expect([lexicon?.name, faults, warnings]).toEqual(['gender-en', [], []]);
  });

  it('finds controls of the shipped one as frequent as the words that they stand for', async () => {
    const { lexicon } = await validateLexicon('gender-en');
    const { words } = JSON.parse(readFileSync(new URL('../vectors/zipf.json', import.meta.url), 'utf8')) as {
      words: Readonly<Record<string, number>>;
    };
    const zipf = ([a, b]: readonly string[]) => (words[a!]! + words[b!]!) / 2;
    const held = lexicon!.controls.flatMap((control) =>
      lexicon!.pairs
        .map(({ words: sides }) => sides.map(({ word }) => word))
        .filter((pair) => pair.every((word) => control.for.includes(word)))
        .map((pair) => ({ pair, off: Math.abs(zipf(control.words) - zipf(pair)) })),
    );
    expect(held.length).toBeGreaterThan(lexicon!.controls.length);
    expect(held.filter(({ off }) => !(off <= 0.5))).toEqual([]);
  });

  it('gives every fault of a storey, with its line', async () => {
    const shape = await validateLexicon(file(`${HEAD}groups:\n  a: []\n  b: [" x"]\nx: 1\n`));
    expect(shape.lexicon).toBeNull();
    expect(shape.faults.map(({ line }) => line)).toEqual([5, 6, 7]);
    const rules = await validateLexicon(
      file(`${HEAD}groups:\n  a: [x]\n  b: [x, y]\npairs:\n  - { a: q, b: y }\n`),
    );
    expect(rules.faults).toMatchObject([
      { line: 6, path: ['groups', 'b', 0] },
      { line: 8, path: ['pairs', 0, 'a'] },
    ]);
    const yaml = await validateLexicon(file(`${HEAD}name: u\nname: v\n`));
    expect(yaml.faults.map(({ line }) => line)).toEqual([4, 5]);
  });

  it.each<[what: string, control: string, says: string | null]>([
    ['two neutral words', '{ words: [p, q], for: [x, y] }', null],
    ['one word', '{ words: [p], for: [x, y] }', 'controls[0].words does not hold two words'],
    [
      'a word of a group',
      '{ words: [p, Y], for: [x, y] }',
      'controls[0].words[1]: "Y" is a word of groups.b',
    ],
    ['one word twice', '{ words: [p, P], for: [x, y] }', 'controls[0].words holds one word twice'],
    ['words of one group', '{ words: [p, q], for: [x, x2] }', 'controls[0].for holds words of one group'],
    ['a word of no group', '{ words: [p, q], for: [x, z] }', 'controls[0].for[1]: "z" is a word of no group'],
    [
      'a word in another case',
      '{ words: [p, q], for: [x, Y] }',
      'controls[0].for[1]: "Y" is a word of no group',
    ],
    ['one word to stand for', '{ words: [p, q], for: [x] }', 'controls[0].for holds fewer than two words'],
    ['an unknown key', '{ words: [p, q], as: [x, y] }', 'as'],
  ])('takes controls of %s as they are meant', async (_, control, says) => {
    const { lexicon, faults } = await validateLexicon(
      file(`${HEAD}groups:\n  a: [x, x2]\n  b: [y]\ncontrols:\n  - ${control}\n`),
    );
    if (says === null) expect(lexicon!.controls).toEqual([{ words: ['p', 'q'], for: ['x', 'y'] }]);
    else expect(faults.map(({ message }) => message).join()).toContain(says);
  });

  it.each<[what: string, swap: string, says: string]>([
    ['an unknown key', '  oneway: []', 'oneway'],
    [
      'a word of no group',
      '  oneWay:\n    - { word: poetess, to: poet }',
      'swap.oneWay[0].word: "poetess" is a word of no group',
    ],
    ['a use of a word of no group', '  otherwise: [X]', 'swap.otherwise[0]: "X" is a word of no group'],
    [
      'an ending of one group',
      '  endings:\n    - { a: woman }',
      'swap.endings[0] names a; give an ending of each of two groups',
    ],
    [
      'an ending of no group',
      '  endings:\n    - { a: woman, c: man }',
      'give an ending of each of two groups',
    ],
    ['a hidden key', '  endings:\n    - { a: woman, __proto__: man }', 'swap.endings[0].__proto__'],
    ['an empty phrase', '  fixed: [""]', 'swap.fixed[0]'],
  ])('refuses what the swap cannot work with: %s', async (_, swap, says) => {
    const { lexicon, faults } = await validateLexicon(
      file(`${HEAD}groups: {a: [x], b: [y]}\nswap:\n${swap}\n`),
    );
    expect(lexicon).toBeNull();
    expect(faults.map(({ message }) => message).join()).toContain(says);
    expect(faults[0]!.line).toBeGreaterThanOrEqual(5);
  });

  it.each<[what: string, text: string, line: number, says: string]>([
    ['one group', 'groups: {a: [x]}\n', 4, 'has "a" alone'],
    ['no pairs', 'groups: {a: [x], b: [y]}\n', 1, 'has no pairs'],
    ['no partner', 'groups:\n  a: [x, w]\n  b: [y]\npairs: [{a: x, b: y}]\n', 5, '"w" has no partner'],
    [
      'a word in a word',
      'groups:\n  a:\n    - x\n    - the Y\n  b: [y]\npairs: [{a: x, b: y}, {a: the Y, b: y}]\n',
      7,
      '"the Y" holds "y" of groups.b',
    ],
    [
      'an occupation in a group',
      'groups: {a: [x], b: [y]}\npairs: [{a: x, b: y}]\noccupations:\n  - {word: X, share: 0}\n',
      7,
      '"X" is a word of groups.a too',
    ],
    ['separate accents', 'groups:\n  a: ["e\u0301"]\n  b: [y]\npairs: [{a: "e\u0301", b: y}]\n', 5, 'NFC'],
    ['a tag', 'groups: {a: [!t x], b: [y]}\npairs: [{a: x, b: y}]\n', 4, 'odd YAML'],
  ])('warns of %s', async (_what, text, line, says) => {
    const { lexicon, warnings } = await validateLexicon(file(HEAD + text));
    expect(lexicon).not.toBeNull();
    expect(warnings).toEqual([expect.objectContaining({ line, message: expect.stringContaining(says) })]);
  });

  it('says that an own one is used in the place of a shipped one', async () => {
    const folder = temporaryFolder();
    await createLexicon('gender-en', { from: 'gender-en' }, { folder });
    const { warnings } = await validateLexicon('gender-en', { folder });
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('instead of')]);
  });

  it('takes word lists', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a'), 'x\nx\n');
    writeFileSync(join(folder, 'b'), 'X\n');
    const good = await validateLexicon(`a=${folder}/a`);
    expect(good.warnings).toMatchObject([{ file: `${folder}/a`, line: 2 }, { path: ['groups'] }]);
    const bad = await validateLexicon(`a=${folder}/a,b=${folder}/b`);
    expect(bad.lexicon).toBeNull();
    expect(bad.faults).toMatchObject([{ file: `${folder}/b`, line: 1 }]);
  });

  it('throws for what cannot be read at all', async () => {
    const folder = temporaryFolder();
    expect((await faultOf(validateLexicon(join(folder, 'no.yaml')))).code).toBe('file_not_found');
    expect((await faultOf(validateLexicon(`a=${folder}/no`))).code).toBe('file_not_found');
    expect((await faultOf(validateLexicon('no', { folder }))).code).toBe('file_not_found');
  });
});
