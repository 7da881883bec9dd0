/** The user's own lexicons through the API: made, changed, listed, deleted, and what is refused. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createLexicon,
  deleteLexicon,
  type LexiconChanges,
  type LexiconContent,
  listLexicons,
  loadLexicon,
  loadShippedLexicon,
  updateLexicon,
} from '../../src/lexicon/index.ts';
import { faultOf } from '../fault.ts';
import { temporaryFolder } from '../temporary.ts';

const SHIPPED = readFileSync(new URL('../../assets/lexicons/gender-en.yaml', import.meta.url), 'utf8');

let folder: string;
beforeEach(() => {
  folder = join(temporaryFolder(), 'lexicons');
});
const own = (name: string) => join(folder, `${name}.yaml`);
const read = (name: string) => readFileSync(own(name), 'utf8');
function put(name: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(own(name), text);
}
const GROUPS = {
  groups: [
    { name: 'a', words: ['x', 'y'] },
    { name: 'b', words: ['z'] },
  ],
} as const;

describe('createLexicon', () => {
  it('copies another one, comments and all, under the new name', async () => {
    const made = await createLexicon('mine', { from: 'gender-en' }, { folder });
    expect(made).toMatchObject({ name: 'mine', file: own('mine'), overridesShipped: false, warnings: [] });
    expect(read('mine')).toBe(SHIPPED.replace('name: gender-en', 'name: mine'));
    expect(await loadLexicon('mine', { folder })).toEqual(made.lexicon);
    await createLexicon('other', { from: own('mine'), language: 'en-GB', description: 'd' }, { folder });
    const other = await loadLexicon('other', { folder });
    expect(other).toMatchObject({ name: 'other', language: 'en-GB', description: 'd' });
    expect(read('other')).toContain('# pronouns');
  });

  it('makes one of words and of word lists', async () => {
    const list = join(temporaryFolder(), 'words.txt');
    writeFileSync(list, 'true\nno: x\nMr.\ntrue\n');
    const groups = [
      { name: 'odd', file: list },
      { name: 'b', words: ['x', 'x', '1'] },
    ];
    const { warnings } = await createLexicon('mine', { groups }, { folder });
    expect(warnings).toEqual([expect.stringContaining('words.txt line 4'), expect.stringContaining('"x"')]);
    expect(await loadLexicon('mine', { folder })).toMatchObject({
      language: 'und',
      description: 'Words of odd, b.',
      source: `Word lists: odd from ${list}.`,
      groups: [
        { name: 'odd', words: ['true', 'no: x', 'Mr.'] },
        { name: 'b', words: ['x', '1'] },
      ],
    });
  });

  it.each<[what: string, name: string, content: LexiconContent, code: string, says: string]>([
    ['a path', '../mine', GROUPS, 'bad_argument', 'without a path'],
    ['a path with a slash', 'a/b', GROUPS, 'bad_argument', 'without a path'],
    ['an ending', 'mine.yaml', GROUPS, 'bad_argument', 'an ending'],
    ['no name', '', GROUPS, 'bad_argument', 'is not a lexicon name'],
    ['a hidden name', '.mine', GROUPS, 'bad_argument', 'is not a lexicon name'],
    ['no groups', 'm', { groups: [] }, 'bad_argument', 'has no groups'],
    ['a group without words', 'm', { groups: [{ name: 'a', words: [] }] }, 'lexicon_invalid', 'has no words'],
    ['an empty word', 'm', { groups: [{ name: 'a', words: [''] }] }, 'lexicon_invalid', 'is empty'],
    ['a group without a name', 'm', { groups: [{ name: '', words: ['x'] }] }, 'bad_argument', 'group name'],
    [
      'a group of objects',
      'm',
      { groups: [{ name: '__proto__', words: ['x'] }] },
      'bad_argument',
      'group name',
    ],
    ['a source that is not there', 'm', { from: 'none' }, 'file_not_found', 'shipped are: gender-en'],
    ['no description', 'm', { ...GROUPS, description: '' }, 'lexicon_invalid', 'description is empty'],
  ])('refuses %s and writes nothing', async (_what, name, content, code, says) => {
    const error = await faultOf(createLexicon(name, content, { folder }));
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(says)]);
    expect(existsSync(folder)).toBe(false);
  });

  it('refuses what is there, a link to nowhere too, and copies of what is not right', async () => {
    await createLexicon('mine', GROUPS, { folder });
    const before = read('mine');
    expect((await faultOf(createLexicon('mine', GROUPS, { folder }))).code).toBe('output_exists');
    expect(read('mine')).toBe(before);
    symlinkSync(join(folder, 'nowhere'), own('link'));
    expect((await faultOf(createLexicon('link', GROUPS, { folder }))).code).toBe('output_exists');
    put('bad', 'name: bad\n');
    const error = await faultOf(createLexicon('copy', { from: 'bad' }, { folder }));
    expect([error.code, error.message]).toEqual(['lexicon_invalid', expect.stringContaining(own('bad'))]);
  });
});

describe('lexicons by name', () => {
  it('are the own ones first, and the shipped one is there again when its namesake goes', async () => {
    const made = await createLexicon('gender-en', GROUPS, { folder });
    expect(made.overridesShipped).toBe(true);
    expect((await loadLexicon('gender-en', { folder })).groups[0]!.name).toBe('a');
    expect((await loadShippedLexicon('gender-en')).groups[0]!.name).toBe('female');
    expect(await deleteLexicon('gender-en', { folder })).toMatchObject({ shippedRemains: true });
    expect((await loadLexicon('gender-en', { folder })).groups[0]!.name).toBe('female');
  });

  it('are listed with what is in them, or what is wrong with them', async () => {
    await createLexicon('gender-en', GROUPS, { folder });
    put('bad', 'name: bad\ngroups: {a: []}\n');
    put('liar', read('gender-en'));
    for (const name of ['my words.yaml', 'mine.yml', 'mine.json', 'notes.txt', '.hidden.yaml']) {
      writeFileSync(join(folder, name), 'x');
    }
    const { lexicons, nameless } = await listLexicons({ folder });
    expect(nameless).toEqual(['mine.json', 'mine.yml', 'my words.yaml'].map((name) => join(folder, name)));
    expect(lexicons.map(({ name, origin, overridesShipped }) => [name, origin, overridesShipped])).toEqual([
      ['bad', 'own', false],
      ['gender-en', 'own', true],
      ['gender-en-swap', 'shipped', false],
      ['liar', 'own', false],
    ]);
    expect(lexicons[0]).toMatchObject({ summary: null, error: { code: 'lexicon_invalid' } });
    expect(lexicons[1]!.summary).toMatchObject({
      groups: [
        { name: 'a', words: 2 },
        { name: 'b', words: 1 },
      ],
      pairs: 0,
      occupations: 0,
    });
    expect(lexicons[3]!.error!.message).toContain(
      'line 1: name is "gender-en", but the file is called liar.yaml',
    );
    const shipped = await listLexicons({ folder: join(folder, 'none') });
    expect(shipped.lexicons.map(({ name, origin }) => [name, origin])).toEqual([
      ['gender-en', 'shipped'],
      ['gender-en-swap', 'shipped'],
    ]);
  });

  it('that cannot be read are not passed over for the shipped one', async () => {
    mkdirSync(own('gender-en'), { recursive: true });
    expect((await faultOf(loadLexicon('gender-en', { folder }))).code).toBe('file_unreadable');
    symlinkSync(join(folder, 'nowhere'), own('link'));
    const error = await faultOf(loadLexicon('link', { folder }));
    expect([error.code, error.data.file]).toEqual(['file_not_found', own('link')]);
  });
});

describe('updateLexicon', () => {
  const TEXT = `# all about x
name: mine # its name
language: en
description: d

groups:
  # the first
  a:
    # one
    - x
    # two
    - y # why

    # three
    - w
  b: [z, Q]
matchCase: [Q]
pairs:
  - { a: x, b: z } # a pair
  # and another use
  - { a: y, b: z, as: noun }
  - { a: x, b: z, as: noun }
`;

  it('keeps comments, order and what is not changed', async () => {
    put('mine', TEXT);
    const { changes, warnings, lexicon } = await updateLexicon(
      'mine',
      {
        addWords: [
          { group: 'a', word: 'yes' },
          { group: 'a', word: 'true' },
          { group: 'a', word: 'x' },
        ],
        addPairs: [
          {
            words: [
              { group: 'a', word: 'w' },
              { group: 'b', word: 'Q' },
            ],
            as: null,
          },
        ],
        addGroups: [{ name: 'c', words: ['# hash', 'Mr.'] }],
        description: 'new: and "quoted"',
      },
      { folder },
    );
    expect(warnings).toEqual(['"x" is already in group a; it counts once']);
    expect(changes).toHaveLength(5);
    expect(read('mine')).toBe(
      TEXT.replace('description: d', `description: 'new: and "quoted"'`)
        .replace('    - w\n', '    - w\n    - yes\n    - "true"\n')
        .replace('  b: [ z, Q ]', '  b: [z, Q]')
        .replace('b: [z, Q]\n', 'b: [ z, Q ]\n  c:\n    - "# hash"\n    - Mr.\n')
        .replace('matchCase: [Q]', 'matchCase: [ Q ]')
        .concat('  - { a: w, b: Q }\n'),
    );
    expect(lexicon).toEqual(await loadLexicon('mine', { folder }));
    expect(lexicon.groups[0]!.words).toEqual(['x', 'y', 'w', 'yes', 'true']);
  });

  it('takes a word out of all that names it, and keeps the comments around it', async () => {
    put('mine', TEXT);
    const gone = await updateLexicon(
      'mine',
      {
        removeWords: [
          { group: 'a', word: 'y' },
          { group: 'a', word: 'w' },
          { group: 'b', word: 'Q' },
        ],
      },
      { folder },
    );
    expect(gone.changes).toEqual([
      'removed "y" from group a',
      'removed the pair a:y,b:z:noun',
      'removed "w" from group a',
      'removed "Q" from group b',
      'removed "Q" from matchCase',
    ]);
    for (const kept of ['# one', '# two', '# three', '# a pair', '# and another use']) {
      expect(read('mine')).toContain(kept);
    }
    expect(gone.lexicon).toMatchObject({
      groups: [
        { name: 'a', words: ['x'] },
        { name: 'b', words: ['z'] },
      ],
      matchCase: [],
    });
    expect(gone.lexicon.pairs.map(({ as }) => as)).toEqual([null, 'noun']);
  });

  it('moves a word from one group to another, and removes groups and pairs', async () => {
    put('mine', TEXT);
    const first = { removeWords: [{ group: 'a', word: 'w' }], addWords: [{ group: 'b', word: 'W' }] };
    expect((await updateLexicon('mine', first, { folder })).lexicon.groups[1]!.words).toEqual([
      'z',
      'Q',
      'W',
    ]);
    const sides = [
      { group: 'b', word: 'z' },
      { group: 'a', word: 'x' },
    ] as const;
    const noun = await updateLexicon('mine', { removePairs: [{ words: sides, as: 'noun' }] }, { folder });
    expect(noun.changes).toEqual(['removed the pair a:x,b:z:noun']);
    const any = await updateLexicon('mine', { removePairs: [{ words: sides, as: null }] }, { folder });
    expect(any.changes).toEqual(['removed the pair a:x,b:z']);
    const group = await updateLexicon('mine', { removeGroups: ['b'] }, { folder });
    expect(group.lexicon).toMatchObject({ groups: [{ name: 'a' }], pairs: [], matchCase: [] });
  });

  it('removes a pair in every use when none is named', async () => {
    put('mine', TEXT);
    const words = [
      { group: 'a', word: 'x' },
      { group: 'b', word: 'z' },
    ] as const;
    const { changes } = await updateLexicon('mine', { removePairs: [{ words, as: null }] }, { folder });
    expect(changes).toHaveLength(2);
  });

  it('keeps the line ends of the file', async () => {
    put('mine', TEXT.replaceAll('\n', '\r\n'));
    await updateLexicon('mine', { addWords: [{ group: 'a', word: 'v' }] }, { folder });
    expect(read('mine')).toContain('# three\r\n    - w\r\n    - v\r\n');
    expect(read('mine')).not.toMatch(/[^\r]\n/);
  });

  const x = { group: 'a', word: 'x' };
  const z = { group: 'b', word: 'z' };
  it.each<[what: string, changes: LexiconChanges, code: string, says: string]>([
    ['nothing', {}, 'bad_argument', 'nothing to change'],
    [
      'a word of another group',
      { addWords: [{ group: 'a', word: 'Z' }] },
      'bad_argument',
      'in group b, as "z"',
    ],
    [
      'another case of a word',
      { addWords: [{ group: 'a', word: 'X' }] },
      'bad_argument',
      'in group a, as "x"',
    ],
    ['words of no group', { addWords: [{ group: 'c', word: 'v' }] }, 'bad_argument', 'there is no group c'],
    ['a word with a space', { addWords: [{ group: 'a', word: ' v' }] }, 'bad_argument', 'space around it'],
    ['an empty word', { addWords: [{ group: 'a', word: '' }] }, 'bad_argument', 'is empty'],
    [
      'a word with a line break',
      { addWords: [{ group: 'a', word: 'v\nw' }] },
      'bad_argument',
      'control character',
    ],
    ['a word that is not there', { removeWords: [{ group: 'a', word: 'X' }] }, 'bad_argument', 'spell it as'],
    ['a group that is not there', { removeGroups: ['c'] }, 'bad_argument', 'the groups are a, b'],
    [
      'a group that is there',
      { addGroups: [{ name: 'a', words: ['v'] }] },
      'bad_argument',
      'there is a group a',
    ],
    ['a group called as', { addGroups: [{ name: 'as', words: ['v'] }] }, 'bad_argument', 'use of a pair'],
    [
      'a group of words of another',
      { addGroups: [{ name: 'c', words: ['z'] }] },
      'bad_argument',
      'in group b',
    ],
    [
      'a pair that is not there',
      { removePairs: [{ words: [x, z], as: 'v' }] },
      'bad_argument',
      'no pair a:x,b:z:v',
    ],
    [
      'a pair of one group',
      { addPairs: [{ words: [x, { group: 'a', word: 'y' }], as: null }] },
      'bad_argument',
      'one group',
    ],
    [
      'a pair of no word',
      { addPairs: [{ words: [x, { group: 'b', word: 'y' }], as: null }] },
      'bad_argument',
      'add it first',
    ],
    [
      'all words of a group',
      { removeWords: [z, { group: 'b', word: 'Q' }] },
      'lexicon_invalid',
      'groups.b is empty',
    ],
    ['all groups', { removeGroups: ['a', 'b'] }, 'lexicon_invalid', 'groups is empty'],
    ['no description', { description: '' }, 'lexicon_invalid', 'description is empty'],
  ])('refuses %s and leaves the file alone', async (_what, changes, code, says) => {
    put('mine', TEXT);
    const error = await faultOf(updateLexicon('mine', changes, { folder }));
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(says)]);
    expect(read('mine')).toBe(TEXT);
    expect(readdirSync(folder)).toEqual(['mine.yaml']);
  });

  it('takes words that go out of controls, and controls whose words come to a group', async () => {
    const text = [
      'name: mine\nlanguage: en\ndescription: d\ngroups: { a: [ x, y ], b: [ z, w ] }\ncontrols:',
      '  - { words: [ p, q ], for: [ x, y, z ] }\n  - { words: [ r, s ], for: [ x, z ] }\n  - { words: [ t, u ], for: [ x, w ] }\n',
    ].join('\n');
    put('mine', text);
    const { lexicon, changes } = await updateLexicon(
      'mine',
      { removeWords: [{ group: 'b', word: 'w' }], addWords: [{ group: 'b', word: 'S' }] },
      { folder },
    );
    expect(lexicon.controls).toEqual([{ words: ['p', 'q'], for: ['x', 'y', 'z'] }]);
    expect(changes).toEqual(
      expect.arrayContaining(['removed the control t - u', 'removed the control r - s']),
    );
    const again = await updateLexicon('mine', { removeWords: [x] }, { folder });
    expect(again.lexicon.controls).toEqual([{ words: ['p', 'q'], for: ['y', 'z'] }]);
    expect(again.changes).toContain('removed "x" from controls[0].for');
  });

  it('refuses what it cannot edit', async () => {
    const change = { addWords: [{ group: 'a', word: 'v' }] };
    const shipped = await faultOf(updateLexicon('gender-en', change, { folder }));
    expect([shipped.code, shipped.message]).toEqual([
      'bad_argument',
      expect.stringContaining('--from gender-en'),
    ]);
    expect((await faultOf(updateLexicon('none', change, { folder }))).code).toBe('file_not_found');
    expect((await faultOf(updateLexicon('../x', change, { folder }))).code).toBe('bad_argument');
    put('mine', 'name: mine\n');
    expect((await faultOf(updateLexicon('mine', change, { folder }))).code).toBe('lexicon_invalid');
    const alias =
      'name: mine\nlanguage: &l en\ndescription: *l\ngroups: {a: [&w x, y], b: [z]}\nmatchCase: [*w]\n';
    put('mine', alias);
    // The alias in matchCase stands for the word; with both gone there is nothing to point at.
    const { lexicon } = await updateLexicon('mine', { removeWords: [x] }, { folder });
    expect(lexicon).toMatchObject({ matchCase: [], description: 'en' });
    put('mine', alias.replace('matchCase: [*w]', 'occupations: [{word: *w, share: 0}]'));
    const error = await faultOf(updateLexicon('mine', { removeWords: [x] }, { folder }));
    expect([error.code, error.message]).toEqual(['lexicon_invalid', expect.stringContaining('by hand')]);
    const list = 'name: mine\nlanguage: en\ndescription: d\nmatchCase: &m [x]\ngroups: {a: *m, b: [z]}\n';
    put('mine', list);
    expect((await faultOf(updateLexicon('mine', change, { folder }))).message).toContain('the alias *m');
    expect(read('mine')).toBe(list);
  });
});

describe('deleteLexicon', () => {
  it('deletes own ones only', async () => {
    await createLexicon('mine', GROUPS, { folder });
    expect(await deleteLexicon('mine', { folder })).toEqual({
      name: 'mine',
      file: own('mine'),
      shippedRemains: false,
    });
    expect(existsSync(own('mine'))).toBe(false);
    expect((await faultOf(deleteLexicon('mine', { folder }))).code).toBe('file_not_found');
    expect((await faultOf(deleteLexicon('gender-en', { folder }))).code).toBe('bad_argument');
    expect((await faultOf(deleteLexicon('../mine', { folder }))).code).toBe('bad_argument');
    mkdirSync(own('dir'), { recursive: true });
    expect((await faultOf(deleteLexicon('dir', { folder }))).code).toBe('file_unwritable');
  });
});
