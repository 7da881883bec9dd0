/** Panels as files: what is read, from where paths go, and what is said of a bad one. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readPanelFile } from '../../src/run/index.ts';
import { faultOf } from '../fault.ts';
import { temporaryFolder } from '../temporary.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

function file(text: string, name = 'panel.yaml'): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('a panel file', () => {
  it('lists parts, with everything that a part may have', async () => {
    const parts = await readPanelFile(
      file(`
parts:
  - { suite: ctf, data: pairs.jsonl }
  - suite: ctf
    name: ctf-aligned
    data: [a.jsonl, deep/b.jsonl]
    options: { steps: aligned, topK: 5, gate: false }
    lexicon: gender-en
    groups: ids.json
    occupations: shares.csv
    policy: skip
    capitalised: false
    compat: reference
    limit: 10
`),
    );
    expect(parts).toEqual([
      { suite: 'ctf', data: [join(folder, 'pairs.jsonl')] },
      {
        suite: 'ctf',
        name: 'ctf-aligned',
        data: [join(folder, 'a.jsonl'), join(folder, 'deep/b.jsonl')],
        options: { steps: 'aligned', topK: 5, gate: false },
        lexicon: 'gender-en',
        groups: join(folder, 'ids.json'),
        occupations: join(folder, 'shares.csv'),
        policy: 'skip',
        capitalised: false,
        compat: 'reference',
        limit: 10,
      },
    ]);
  });

  it('may be JSON, and may begin with a byte-order mark', async () => {
    const json = JSON.stringify({ parts: [{ suite: 'crows', data: 'c.csv' }] });
    const expected = [{ suite: 'crows', data: [join(folder, 'c.csv')] }];
    expect(await readPanelFile(file(json, 'panel.json'))).toEqual(expected);
    expect(await readPanelFile(file(`\uFEFF${json}`))).toEqual(expected);
  });

  it('has paths from its own folder, relative where its own is; whole ones stay', async () => {
    mkdirSync(join(folder, 'sub'));
    const path = file('parts: [{ suite: s, data: [../up.csv, /whole/x.csv] }]', 'sub/panel.yaml');
    expect((await readPanelFile(path))[0]!.data).toEqual([join(folder, 'up.csv'), '/whole/x.csv']);
  });

  it.each([
    ['gender-en', 'gender-en'],
    ['words.yaml', 'FOLDER/words.yaml'],
    // A path without an ending, which alone would be a name.
    ['./words', 'FOLDER/words'],
    ['female=f.txt,male=lists/m.txt', 'female=FOLDER/f.txt,male=FOLDER/lists/m.txt'],
  ])('has the lexicon %s by name or by path', async (given, expected) => {
    const [part] = await readPanelFile(file(`parts: [{ suite: s, data: d, lexicon: "${given}" }]`));
    expect(part!.lexicon).toBe(expected.replaceAll('FOLDER', resolve(folder)));
  });
});

describe('a bad one', () => {
  const cases: [string, string, string | undefined, RegExp][] = [
    ['empty', '', '', /the file is null; give an object; a panel is "parts:"/],
    ['a text', 'hello', '', /the file is a string; give an object; a panel is "parts:"/],
    ['a list', '- { suite: ctf, data: d }', '', /the file is an array; give an object; a panel is "parts:"/],
    ['without parts', '{}', 'parts', /parts is missing; give an array; a panel is "parts:"/],
    ['of no part', 'parts: []', 'parts', /parts: give at least one part/],
    ['with another key', 'parts: [{ suite: s, data: d }]\nmodel: m', 'model', /unknown key "model"/],
    [
      'with a key misspelt',
      'parts: [{ suite: s, date: d }]',
      'parts[0].data',
      /parts\[0\]\.data: give a file, or a list/,
    ],
    [
      'with a key too many',
      'parts: [{ suite: s, data: d, dta: d }]',
      'parts[0].dta',
      /unknown key "dta" in parts\[0\]/,
    ],
    [
      'without a suite',
      'parts: [{ data: d }]',
      'parts[0].suite',
      /parts\[0\]\.suite is missing; give a string/,
    ],
    [
      'with a bad part behind a good one',
      'parts: [{ suite: s, data: d }, { suite: 3, data: d }]',
      'parts[1].suite',
      /parts\[1\]\.suite is a number; give a string/,
    ],
    [
      'of data that are no files',
      'parts: [{ suite: s, data: 3 }]',
      'parts[0].data',
      /give a file, or a list of files/,
    ],
    ['of no data', 'parts: [{ suite: s, data: [] }]', 'parts[0].data', /give a file, or a list of files/],
    [
      'of an empty name',
      'parts: [{ suite: s, data: d, name: "" }]',
      'parts[0].name',
      /a string that is not empty/,
    ],
    [
      'of no rows',
      'parts: [{ suite: s, data: d, limit: 0 }]',
      'parts[0].limit',
      /give a whole number from 1/,
    ],
    ['of half a row', 'parts: [{ suite: s, data: d, limit: 1.5 }]', 'parts[0].limit', /give a whole number/],
    [
      'of another policy',
      'parts: [{ suite: s, data: d, policy: last }]',
      'parts[0].policy',
      /"first" or "skip"/,
    ],
    ['of another mode', 'parts: [{ suite: s, data: d, compat: 1.0 }]', 'parts[0].compat', /give "reference"/],
    [
      'of options in a list',
      'parts: [{ suite: s, data: d, options: [1] }]',
      'parts[0].options',
      /give a record/,
    ],
    [
      'of a key given twice',
      'parts:\n  - suite: s\n    suite: t\n    data: d',
      undefined,
      /no valid YAML: Map keys must be unique at line 3/,
    ],
    ['that is cut off', 'parts: [{ suite: s', undefined, /no valid YAML: .* at line 1/],
    ['of an alias to nothing', 'parts: *all', undefined, /no valid YAML: Unresolved alias .*all/],
    ['of two documents', 'parts: []\n---\nparts: []', undefined, /no valid YAML: /],
  ];
  it.each(cases)('%s', async (_, text, key, message) => {
    const path = file(text);
    const error = await faultOf(readPanelFile(path));
    expect(error.message).toMatch(message);
    expect([error.code, error.data.file, error.data.key]).toEqual(['data_malformed', path, key]);
    expect(error.message.startsWith(path)).toBe(true);
    expect(error.message).not.toContain('\n');
  });

  it('that is not there, or a folder', async () => {
    expect((await faultOf(readPanelFile(join(folder, 'none.yaml')))).code).toBe('file_not_found');
    expect((await faultOf(readPanelFile(folder))).code).toBe('file_unreadable');
  });
});
