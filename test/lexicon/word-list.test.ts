import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadLexicon } from '../../src/lexicon/index.ts';
import { parseGroupFiles } from '../../src/lexicon/word-groups.ts';
import { foldCase, parseWordList, readWordList } from '../../src/lexicon/word-list.ts';
import { fault, faultOf } from '../fault.ts';
import { temporaryFolder } from '../temporary.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const parse = (text: string) => parseWordList(encode(text), 'w.txt');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('a word list', () => {
  it('has one word a line, whatever is around it', () => {
    const text = '\uFEFF# people\r\n she\t\r\n\r\nfirst lady\n\u00A0Mr.\n  # more\nélan';
    const list = parse(text);
    expect(list.words).toEqual([
      { word: 'she', line: 2 },
      { word: 'first lady', line: 4 },
      { word: 'Mr.', line: 5 },
      { word: 'élan', line: 7 },
    ]);
    expect(list.sha256).toBe(sha256(text));
    expect(list.warnings).toEqual([]);
  });

  it('counts a word that is there twice once, and says so', () => {
    const { words, warnings } = parse('she\nher\n she\n');
    expect(words.map(({ word }) => word)).toEqual(['she', 'her']);
    expect(warnings).toEqual([
      { file: 'w.txt', line: 3, path: [], message: '"she" is already there on line 1; it counts once' },
    ]);
  });

  it.each<[name: string, content: string | Uint8Array, says: string[], line: number | null]>([
    ['no words', '\n# nothing\n', ['has no words'], null],
    ['nothing', '', ['has no words'], null],
    ['two cases of a word', 'x\nShe\nshe\n', ['"she" is "She" on line 2'], 3],
    ['a control character', 'x\ns\u0000he\n', ['is not a word', '\\u0000'], 2],
    ['the line ends of old', 'she\rher\r', ['is not a word', '\\r'], 1],
    ['Latin-1', Uint8Array.of(0x78, 0x0a, 0xe9, 0x0a), ['is not UTF-8'], 2],
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x78, 0x00), ['UTF-16'], 1],
    ['UTF-16, the other way', Uint8Array.of(0xfe, 0xff, 0x00, 0x78), ['UTF-16'], 1],
    ['a character cut in two', Uint8Array.of(0x78, 0xc3), ['is not UTF-8'], 1],
  ])('with %s is refused', (_name, content, says, line) => {
    const bytes = typeof content === 'string' ? encode(content) : content;
    const error = fault(() => parseWordList(bytes, 'w.txt'));
    expect(error.code).toBe('lexicon_invalid');
    expect(error.data).toMatchObject({ file: 'w.txt', line });
    for (const said of ['lexicon w.txt: ', ...says]) expect(error.message).toContain(said);
  });

  it('tells every fault', () => {
    const error = fault(() => parse('a\nA\ne\u0007\n'));
    expect(error.data.faults).toMatchObject([{ line: 2 }, { line: 3 }]);
  });

  it('that is not there, or a folder, is an error of its own', async () => {
    const folder = temporaryFolder();
    expect((await faultOf(readWordList(join(folder, 'no.txt')))).code).toBe('file_not_found');
    expect((await faultOf(readWordList(folder))).code).toBe('file_unreadable');
  });

  it('gives back any words, with anything between them that a list may hold', () => {
    const word = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .map((text) => text.replace(/\p{Cc}/gu, '').trim())
      .filter((text) => text !== '' && !text.startsWith('#'));
    const noise = fc.constantFrom('', '# a comment', '  #x', ' ', '\t');
    const gap = fc.array(noise, { maxLength: 2 });
    const line = fc.record({
      word,
      before: fc.constantFrom('', ' ', '\t'),
      after: fc.constantFrom('', '  '),
      gap,
    });
    const file = fc.record({
      lines: fc.uniqueArray(line, { minLength: 1, maxLength: 30, selector: (entry) => foldCase(entry.word) }),
      mark: fc.boolean(),
      end: fc.constantFrom('\n', '\r\n'),
      closed: fc.boolean(),
    });
    fc.assert(
      fc.property(file, ({ lines, mark, end, closed }) => {
        const rows = lines.flatMap(({ word, before, after, gap }) => [...gap, before + word + after]);
        const text = (mark ? '\uFEFF' : '') + rows.join(end) + (closed ? end : '');
        const list = parse(text);
        expect(list.words.map(({ word }) => word)).toEqual(lines.map(({ word }) => word));
        for (const { word, line } of list.words) expect(rows[line! - 1]!.trim()).toBe(word);
        expect(list.warnings).toEqual([]);
      }),
    );
  });
});

describe('a lexicon of word lists', () => {
  function lists(files: Record<string, string>): string {
    const folder = temporaryFolder();
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return folder;
  }

  it('is called after its groups, and hashed over their names and files', async () => {
    const [female, male] = ['she\nher\nshe\n', 'he\n'];
    const folder = lists({ 'f.txt': female, 'm,x=1.txt': male });
    const spec = `female=${folder}/f.txt,male=${folder}/m,x=1.txt`;
    const comma = `female=${folder}/f.txt,male=${folder}/m, x=1.txt`;
    expect(parseGroupFiles(comma)).toHaveLength(2);
    // ",x=" begins a group: a path that holds such a thing cannot be given in this form, and that is told.
    expect((await faultOf(loadLexicon(spec))).code).toBe('file_not_found');
    writeFileSync(join(folder, 'm.txt'), male);
    const warnings: string[] = [];
    const lexicon = await loadLexicon(`female=${folder}/f.txt,male=${folder}/m.txt`, {
      onWarning: (message) => warnings.push(message),
    });
    expect(lexicon).toMatchObject({
      name: 'female-male',
      language: 'und',
      groups: [
        { name: 'female', words: ['she', 'her'] },
        { name: 'male', words: ['he'] },
      ],
      pairs: [],
      occupations: [],
      matchCase: [],
      sha256: sha256(`female ${sha256(female)}\nmale ${sha256(male)}\n`),
    });
    expect(warnings).toEqual([expect.stringContaining('f.txt line 3: "she" is already there')]);
  });

  it('has any number of groups', async () => {
    const folder = lists({ a: 'x', b: 'y', c: 'z' });
    const one = await loadLexicon(`größe=${folder}/a`);
    expect(one.groups).toEqual([{ name: 'größe', words: ['x'] }]);
    const three = await loadLexicon(`a=${folder}/a,b=${folder}/b,c=${folder}/c`);
    expect(three.groups.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(three.name).toBe('a-b-c');
  });

  it('has each word in one group, and names both places of one that is in two', async () => {
    const folder = lists({ 'f.txt': '# f\nshe\nher\n', 'm.txt': 'he\nHer\n' });
    const error = await faultOf(loadLexicon(`female=${folder}/f.txt,male=${folder}/m.txt`));
    expect(error.code).toBe('lexicon_invalid');
    expect(error.message).toContain(`${folder}/m.txt line 2: "Her" of group male is already in group female`);
    expect(error.message).toContain(`${folder}/f.txt line 3`);
  });

  it.each<[spec: string, code: string, says: string]>([
    ['female=', 'bad_argument', 'group female has no file'],
    ['female=f.txt,male=', 'bad_argument', 'group male has no file'],
    ['as=f.txt', 'bad_argument', '"as" says the use of a pair'],
    ['female=none.txt', 'file_not_found', 'none.txt'],
    ['1a=f.txt', 'file_not_found', 'GROUP=FILE'],
    ['=f.txt', 'file_not_found', 'GROUP=FILE'],
  ])('%s is refused', async (spec, code, says) => {
    const error = await faultOf(loadLexicon(spec, { folder: temporaryFolder() }));
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(says)]);
  });

  it('has each group once', async () => {
    const folder = lists({ a: 'x' });
    mkdirSync(join(folder, 'd'));
    const twice = await faultOf(loadLexicon(`a=${folder}/a,a=${folder}/a`));
    expect([twice.code, twice.message]).toEqual(['bad_argument', expect.stringContaining('given twice')]);
    expect((await faultOf(loadLexicon(`a=${folder}/d`))).code).toBe('file_unreadable');
  });
});
