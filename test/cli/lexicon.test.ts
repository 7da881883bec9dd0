/** `logit-audit lexicon` as it is installed, in a folder of its own. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadShippedLexicon, mapLexicon, mappingFromIds, readTokenGroups } from '../../src/lexicon/index.ts';
import { openModel } from '../../src/model/index.ts';
import { plantedFiles } from '../e2e/planted.ts';
import { sharedFile } from '../oracle/shared.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
});
const lexicon = (...args: string[]) => runCli(['lexicon', ...args], { cwd });
const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
const read = (name: string) => readFileSync(join(cwd, name), 'utf8');
const SHIPPED = readFileSync(new URL('../../assets/lexicons/gender-en.yaml', import.meta.url), 'utf8');

describe('lexicon', () => {
  it('makes, changes, lists, shows and deletes one of your own', async () => {
    const made = await lexicon('create', 'mine', '--from', 'gender-en');
    expect(made).toEqual({
      code: 0,
      stdout: 'made lexicons/mine.yaml: female 52, male 46 words, 53 pairs\n',
      stderr: '',
    });
    const changed = await lexicon(
      'update',
      'mine',
      '--add-words',
      'female=actress,she',
      '--add-words',
      'male=actor',
      '--add-pair',
      'female:actress,male:actor:noun',
      '--remove-words',
      'male=Mr.',
      '--words',
      'nonbinary=they, them',
    );
    expect(changed.code).toBe(0);
    expect(changed.stderr).toBe('logit-audit: warning: "she" is already in group female; it counts once\n');
    expect(changed.stdout.split('\n')).toEqual([
      'removed "Mr." from group male',
      'removed the pair female:Mrs.,male:Mr.:title',
      'removed the pair female:Ms.,male:Mr.:title',
      'removed the control Dr. - Prof.',
      'removed the control they - we',
      'removed the control them - us',
      'added group nonbinary with 2 words',
      'added "actress" to group female',
      'added "actor" to group male',
      'added the pair female:actress,male:actor:noun',
      'changed lexicons/mine.yaml: female 53, male 46, nonbinary 2 words, 52 pairs',
      '',
    ]);
    expect((await lexicon('show', 'mine')).stdout).toBe(read('lexicons/mine.yaml'));
    for (const comment of SHIPPED.match(/#.*$/gm)!) expect(read('lexicons/mine.yaml')).toContain(comment);
    const shown = JSON.parse((await lexicon('show', 'mine', '--json')).stdout);
    expect(shown.groups[2]).toEqual({ name: 'nonbinary', words: ['they', 'them'] });
    const listed = await lexicon('list');
    expect(listed.stdout).toMatch(/^gender-en +shipped +female 52, male 46 +53 +60 /m);
    expect(listed.stdout).toMatch(/^mine +yours +female 53, male 46, nonbinary 2 +52 +60 /m);
    expect(await lexicon('delete', 'mine')).toEqual({
      code: 0,
      stdout: 'deleted lexicons/mine.yaml\n',
      stderr: '',
    });
    expect(existsSync(join(cwd, 'lexicons/mine.yaml'))).toBe(false);
  });

  it('shows a shipped one byte for byte', async () => {
    expect(await lexicon('show', 'gender-en')).toEqual({ code: 0, stdout: SHIPPED, stderr: '' });
  });

  it('makes one of word lists as they are found', async () => {
    write('f.txt', '\uFEFF# female\r\nshe\r\n\r\n her \r\nshe\r\n');
    write('m.txt', 'he\nhim\n');
    const args = ['--group', 'female=f.txt', '--group', 'male=m.txt', '--language', 'en', '--json'];
    const { code, stdout } = await lexicon('create', 'lists', ...args);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'lists',
      file: 'lexicons/lists.yaml',
      overridesShipped: false,
      warnings: ['f.txt line 5: "she" is already there on line 2; it counts once'],
    });
    expect(read('lexicons/lists.yaml')).toContain(
      'groups:\n  female:\n    - she\n    - her\n  male:\n    - he\n',
    );
  });

  it('says when a shipped one is overridden, and when it is back', async () => {
    const made = await lexicon('create', 'gender-en', '--words', 'a=x', '--words', 'b=y');
    expect(made.stdout).toContain('instead of the shipped lexicon gender-en');
    expect((await lexicon('list')).stdout).toMatch(
      /^gender-en +yours, overrides the shipped one +a 1, b 1 /m,
    );
    const [entry] = JSON.parse((await lexicon('list', '--json')).stdout).lexicons;
    expect(entry).toMatchObject({ origin: 'own', overridesShipped: true, error: null });
    expect((await lexicon('delete', 'gender-en')).stdout).toContain('is used from now on');
  });

  it('lists those with faults, and tells files that go by no name', async () => {
    mkdirSync(join(cwd, 'lexicons'));
    write('lexicons/bad.yaml', 'name: bad\n');
    write('lexicons/mine.yml', 'x');
    const { code, stdout, stderr } = await lexicon('list');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^bad +yours +– +– +– +has faults$/m);
    expect(stderr).toContain('lexicon lexicons/bad.yaml: line 1:');
    expect(stderr).toContain('lexicons/mine.yml has no name to go by');
  });

  it.each<[what: string, args: string[], says: string]>([
    ['a shipped one changed', ['update', 'gender-en', '--description', 'd'], 'create NAME --from gender-en'],
    ['a shipped one deleted', ['delete', 'gender-en'], 'create NAME --from gender-en'],
    ['a path for a name', ['create', '../mine', '--words', 'a=x'], 'without a path'],
    ['nothing to make it of', ['create', 'mine'], '--from LEXICON'],
    [
      'a copy and groups',
      ['create', 'mine', '--from', 'gender-en', '--words', 'a=x'],
      'leave --group and --words out',
    ],
    ['a word list that is not there', ['create', 'mine', '--group', 'a=none.txt'], 'none.txt: no such file'],
    ['a group without a file', ['create', 'mine', '--group', 'a'], 'GROUP=FILE'],
    ['an empty word', ['create', 'mine', '--words', 'a=x,,y'], 'A word is empty'],
    ['a word in two groups', ['create', 'mine', '--words', 'a=x', '--words', 'b=X'], 'already in group a'],
    ['half a pair', ['update', 'mine', '--add-pair', 'a:x'], 'GROUP:WORD,GROUP:WORD'],
    ['one that is not there', ['delete', 'mine'], 'shipped are: gender-en'],
    ['one that is not there, shown', ['show', 'mine'], 'shipped are: gender-en'],
    ['word lists shown', ['show', 'a=x.txt'], 'has no file of its own'],
    ['nothing to do', [], 'Usage: logit-audit lexicon'],
    ['no model', ['map', 'gender-en'], '--model'],
    ['a model that is not there', ['map', 'gender-en', '--model', 'none.gguf'], 'none.gguf'],
    ['an unknown policy', ['map', 'gender-en', '--model', 'm.gguf', '--policy', 'last'], 'first, skip'],
  ])('ends with 2 for %s', async (_what, args, says) => {
    const { code, stdout, stderr } = await lexicon(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
    expect(existsSync(join(cwd, 'lexicons'))).toBe(false);
  });

  it('tells faults to programs as JSON', async () => {
    const { code, stderr } = await lexicon('delete', 'gender-en', '--json');
    expect(code).toBe(2);
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'bad_argument' });
  });

  it.each(['create', 'update', 'validate', 'map', 'show'])('has examples for %s', async (command) => {
    const { code, stdout } = await lexicon(command, '--help');
    expect([code, stdout]).toEqual([0, expect.stringContaining('Examples:')]);
  });
});

describe('lexicon validate', () => {
  it('tells every fault of every file with its line, and ends with 2', async () => {
    write('good.yaml', SHIPPED);
    write('bad.yaml', 'name: bad\nlanguage: en\ndescription: d\ngroups:\n  a: [x, " y"]\n  b: []\n');
    const { code, stdout } = await lexicon('validate', './good.yaml', './bad.yaml', 'none');
    expect(code).toBe(2);
    expect(stdout.split('\n')).toEqual([
      './good.yaml: right',
      './bad.yaml: NOT RIGHT (2 faults)',
      expect.stringContaining('  fault: line 5: groups.a[1] is not a word'),
      expect.stringContaining('  fault: line 6: groups.b is empty'),
      'none: NOT RIGHT (1 fault)',
      expect.stringContaining('  fault: no lexicon is called "none"'),
      '',
    ]);
    const json = await lexicon('validate', './bad.yaml', '--json');
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject([
      { target: './bad.yaml', valid: false, faults: [{ line: 5, path: ['groups', 'a', 1] }, { line: 6 }] },
    ]);
  });

  it('ends with 0 for what is only warned of', async () => {
    write('a.txt', 'x\nx\n');
    const { code, stdout } = await lexicon('validate', 'gender-en', 'a=a.txt');
    expect(code).toBe(0);
    expect(stdout).toContain('a=a.txt: right (2 warnings)\n  warning: a.txt line 2: "x" is already there');
  });
});

describe('lexicon map', () => {
  it('gives what a run writes, and ids that make the same groups', async () => {
    const { model } = await plantedFiles();
    const { code, stdout, stderr } = await lexicon(
      'map',
      'gender-en',
      '--model',
      model,
      '--json',
      '--groups-out',
      'g.json',
    );
    expect([code, stderr]).toEqual([0, '']);
    const opened = await openModel(model, { device: 'cpu', contextLength: 8, inProcess: true });
    try {
      const mapping = await mapLexicon(await loadShippedLexicon('gender-en'), opened.tokenizer);
      expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(mapping)));
      const given = await mappingFromIds(await readTokenGroups(join(cwd, 'g.json')), opened.tokenizer);
      expect(given.groups.map(({ name, ids }) => [name, ids])).toEqual(
        mapping.groups.map(({ name, ids }) => [name, ids]),
      );
    } finally {
      await opened.close();
    }
  });

  const stories = sharedFile('models/stories260K.gguf');
  it.skipIf(stories === null)('shows pieces, drops and collisions, of word lists too', async () => {
    write('f.txt', 'she\nher\n');
    write('m.txt', 'he\nhim\nhe\n');
    const words = ['map', 'female=f.txt,male=m.txt', '--model', stories!];
    const first = await lexicon(...words, '--policy', 'first');
    expect(first.code).toBe(0);
    expect(first.stderr).toContain('m.txt line 3: "he" is already there');
    for (const line of [
      /^female +she +"she" +" she" +358$/m,
      /^female +her +"Her" +" H" "er" +– +collision$/m,
      /^male +he +" he" +" " " he" +– +blank piece$/m,
      /^male +him +"him" +" h" "im" +270 +first piece only$/m,
      /^ +320 +" H" +female "Her", male "Him"$/m,
      /^female: 3 token ids from 2 words$/m,
      /^male: 3 token ids from 2 words; 1 of them only begin a word/m,
    ]) {
      expect(first.stdout).toMatch(line);
    }
    const byDefault = await lexicon(...words);
    expect(byDefault.stdout).toMatch(/^male +him +"him" +" h" "im" +– +short beginning$/m);
    expect(byDefault.stdout).toMatch(/^male: 2 token ids from 2 words; 2 beginnings of words left out/m);
    const skip = ['--policy', 'skip', '--no-capitalised', '--groups-out', 'g.json'];
    const whole = await lexicon('map', 'female=f.txt,male=m.txt', '--model', stories!, ...skip);
    expect(whole.stdout).toMatch(/^male +him +"him" +" h" "im" +– +multiple tokens$/m);
    expect(JSON.parse(read('g.json'))).toEqual({ female: [311, 358], male: [281] });
  });

  it.skipIf(stories === null)('shows why a group has no ids, writes none, and ends with 2', async () => {
    const args = ['--words', 'a=she', '--words', 'b=stepmother'];
    await lexicon('create', 'mine', ...args);
    const { code, stdout, stderr } = await lexicon(
      ...['map', 'mine', '--model', stories!, '--policy', 'skip', '--groups-out', 'g.json'],
    );
    expect(code).toBe(2);
    expect(stdout).toMatch(/^b +stepmother +"stepmother" .* multiple tokens$/m);
    expect(stderr).toContain('no word of group "b"');
    expect(existsSync(join(cwd, 'g.json'))).toBe(false);
  });
});
