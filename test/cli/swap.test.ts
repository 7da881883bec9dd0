import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDataset } from '../../src/dataset/index.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { temporaryFolder } from '../temporary.ts';
import { type CliResult, runCli } from './run-cli.ts';

interface Place {
  readonly cwd: string;
  readonly swap: (...args: string[]) => Promise<CliResult>;
  readonly write: (name: string, content: string) => string;
  readonly read: (name: string) => string;
}

function place(): Place {
  const cwd = temporaryFolder();
  return {
    cwd,
    swap: (...args) => runCli(['swap', ...args], { cwd }),
    write: (name, content) => {
      writeFileSync(join(cwd, name), content);
      return name;
    },
    read: (name) => readFileSync(join(cwd, name), 'utf8'),
  };
}

const TEXTS = `id,text,category
a,The nurse said she lost her keys.,work
,Nobody was there.,work
b,My mum told him.,family
c,"She, ""the plumber"", met the nurse",work
`;

function jsonLines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('swap', () => {
  it('writes pairs to stdout, and says on stderr what became of the rows', async () => {
    const { swap, write } = place();
    const { code, stdout, stderr } = await swap('--data', write('texts.csv', TEXTS));
    expect(code).toBe(0);
    expect(jsonLines(stdout)).toEqual([
      {
        id: 'a',
        text: 'The nurse said she lost her keys.',
        category: 'work',
        x: 'The nurse said she lost her keys.',
        x_swap: 'The nurse said he lost his keys.',
        occupation: 'nurse',
        roundTrip: true,
        roundTripText: null,
        marks: null,
      },
      {
        id: 'b',
        text: 'My mum told him.',
        category: 'family',
        x: 'My mum told him.',
        x_swap: 'My dad told her.',
        occupation: null,
        roundTrip: false,
        roundTripText: 'My mom told him.',
        marks: null,
      },
      {
        id: 'c',
        text: 'She, "the plumber", met the nurse',
        category: 'work',
        x: 'She, "the plumber", met the nurse',
        x_swap: 'He, "the plumber", met the nurse',
        occupation: null,
        roundTrip: true,
        roundTripText: null,
        marks: null,
      },
    ]);
    expect(stderr).toContain('texts.csv, column text; lexicon gender-en-swap, female and male');
    expect(stderr).toContain('4 rows: 3 swapped, 1 left out');
    expect(stderr).toContain('swapped again, 1 do not come back');
    expect(stderr).toMatch(/her +his +possessive +1/);
    expect(stderr).toContain('left out: no word to swap 1; --rejected FILE lists all');
    expect(stderr).toContain('row 2 (line 3): no word of lexicon gender-en-swap');
  });

  it('writes CSV and the list of rows left out, and prints counts as JSON', async () => {
    const { swap, write, read } = place();
    write('texts.csv', TEXTS);
    const options = ['--out', 'pairs.csv', '--rejected', 'rejected.jsonl', '--strict-round-trip', '--json'];
    const { code, stdout, stderr } = await swap('--data', 'texts.csv', ...options);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(read('pairs.csv').split('\r\n')).toEqual([
      'id,text,category,x,x_swap,occupation,roundTrip,roundTripText,marks',
      'a,The nurse said she lost her keys.,work,The nurse said she lost her keys.,The nurse said he lost his keys.,nurse,true,,',
      'c,"She, ""the plumber"", met the nurse",work,"She, ""the plumber"", met the nurse","He, ""the plumber"", met the nurse",,true,,',
      '',
    ]);
    expect(jsonLines(read('rejected.jsonl'))).toEqual([
      {
        file: 'texts.csv',
        row: 2,
        line: 3,
        id: null,
        reason: 'no_lexicon_word',
        message: 'no word of lexicon gender-en-swap that could be swapped',
      },
      {
        file: 'texts.csv',
        row: 3,
        line: 4,
        id: 'b',
        reason: 'round_trip',
        message: '"My dad told her." comes back as "My mom told him."',
      },
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      data: ['texts.csv'],
      column: 'text',
      between: ['female', 'male'],
      out: 'pairs.csv',
      rejectedFile: 'rejected.jsonl',
      rows: 4,
      swapped: 2,
      roundTripFailed: 0,
      marked: {},
      occupationsFound: 1,
      rejected: { no_lexicon_word: 1, round_trip: 1 },
      changes: [
        { from: 'she', to: 'he', as: 'subject', count: 2 },
        { from: 'her', to: 'his', as: 'possessive', count: 1 },
      ],
    });
  });

  it('keeps rows of any JSON, takes x for the text, and writes every column of any row as CSV', async () => {
    const { swap, write, cwd } = place();
    const rows = [
      { x: 'she', tags: ['a', { b: 1 }], occupation: 'pilot', n: 1 },
      { x: 'he', deep: null, id: 7 },
      { x: 5 },
      'no object',
      { x: 'him', id: 7 },
    ];
    write('rows.jsonl', `${rows.map((row) => JSON.stringify(row)).join('\n')}\n{broken\n`);
    const { code, stdout } = await swap('--data', 'rows.jsonl', '--out', 'pairs.csv');
    expect(code).toBe(0);
    expect(stdout).toContain('column x;');
    expect(stdout).toContain('6 rows: 2 swapped, 4 left out');
    expect(stdout).toContain('left out: no text 1, the row cannot be read 3');
    expect(stdout).toMatch(/row 5 .*has the same id/);
    const written: unknown[] = [];
    for await (const { value } of openDataset(join(cwd, 'pairs.csv')).rows()) written.push(value);
    const empty = { deep: '', roundTripText: '', marks: '' };
    expect(written).toEqual([
      {
        id: '1',
        x: 'she',
        tags: '["a",{"b":1}]',
        occupation: 'pilot',
        n: '1',
        x_swap: 'he',
        roundTrip: 'true',
        ...empty,
      },
      { id: '7', x: 'he', tags: '', occupation: '', n: '', x_swap: 'she', roundTrip: 'true', ...empty },
    ]);
  });

  it('swaps names where they are given, and a lexicon of its own', async () => {
    const { swap, write } = place();
    write('names.csv', 'female,male\nMary, John\n');
    write('texts.txt', 'Mary saw him.\nJohn left.\n');
    const { stdout } = await swap('--data', 'texts.txt', '--names', 'names.csv');
    expect(jsonLines(stdout).map(({ id, x_swap }) => [id, x_swap])).toEqual([
      ['1', 'John saw her.'],
      ['2', 'Mary left.'],
    ]);
    write(
      'own.yaml',
      'name: own\nlanguage: de\ndescription: test\ngroups: {a: [eins], b: [zwei], c: [drei, vier]}\npairs: [{a: eins, c: drei}]\n',
    );
    write('own.txt', 'Eins und zwei\nvier\n');
    const own = await swap('--data', 'own.txt', '--lexicon', './own.yaml', '--between', 'c,a');
    expect(jsonLines(own.stdout)).toMatchObject([{ x_swap: 'Drei und zwei' }]);
    expect(own.stderr).toContain('"vier" has no partner in lexicon own');
    const untold = await swap('--data', 'own.txt', '--lexicon', './own.yaml');
    expect(untold.code).toBe(2);
    expect(untold.stderr).toContain('has 3 groups (a, b, c)');
  });

  it('marks what may be no pair, and leaves it out where asked', async () => {
    const { swap, write } = place();
    write(
      'texts.txt',
      'John lost his keys.\nShe read The Old Man and the Sea.\nThe pregnant woman left.\nShe left.\n',
    );
    const { stdout, stderr } = await swap('--data', 'texts.txt');
    expect(jsonLines(stdout).map(({ id, roundTrip, marks }) => [id, roundTrip, marks])).toEqual([
      ['1', false, 'named_person: John'],
      ['2', false, 'half_swapped: Man'],
      ['4', true, null],
    ]);
    expect(stderr).toContain('marked: names a person 1, a word with a gender stays 1');
    expect(stderr).toContain('without a mark come back');
    expect(stderr).toContain('"pregnant" has no partner');
    const strict = await swap('--data', 'texts.txt', '--strict-round-trip');
    expect(jsonLines(strict.stdout).map(({ id }) => id)).toEqual(['4']);
    expect(strict.stderr).toContain(
      'names a person 1, a word with a gender stays 1, a word has no partner 1',
    );
  });

  it('makes pairs that a run can read', async () => {
    const { swap, write, cwd } = place();
    await swap('--data', write('texts.csv', TEXTS), '--out', 'pairs.jsonl');
    const ctf = findSuite('ctf');
    for await (const { value } of openDataset(join(cwd, 'pairs.jsonl')).rows()) {
      expect(ctf.schema.safeParse(value)).toMatchObject({
        success: true,
        data: { category: expect.any(String) },
      });
    }
  });
});

describe('what cannot be done', () => {
  it('ends with 1 and makes no file where nothing could be swapped', async () => {
    const { swap, write, cwd, read } = place();
    write('texts.txt', 'nothing\nhere\n');
    const { code, stdout } = await swap(
      '--data',
      'texts.txt',
      '--out',
      'pairs.jsonl',
      '--rejected',
      'rejected.jsonl',
    );
    expect(code).toBe(1);
    expect(stdout).toContain('2 rows: 0 swapped, 2 left out');
    expect(existsSync(join(cwd, 'pairs.jsonl'))).toBe(false);
    expect(jsonLines(read('rejected.jsonl'))).toHaveLength(2);
  });

  it('writes over nothing, unless told to, and never over what it reads', async () => {
    const { swap, write, read } = place();
    write('texts.txt', 'she\n');
    write('pairs.jsonl', 'precious');
    const again = () => swap('--data', 'texts.txt', '--out', 'pairs.jsonl');
    expect(await again()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('pairs.jsonl is already there'),
    });
    expect(read('pairs.jsonl')).toBe('precious');
    expect((await swap('--data', 'texts.txt', '--out', 'pairs.jsonl', '--force')).code).toBe(0);
    expect(read('pairs.jsonl')).toContain('"x_swap":"he"');

    write('input.jsonl', '{"text":"she"}\n');
    const over = await swap('--data', 'input.jsonl', '--out', './input.jsonl', '--force');
    expect(over).toMatchObject({ code: 2, stderr: expect.stringContaining('would overwrite an input') });
    const rejected = await swap('--data', 'input.jsonl', '--rejected', 'input.jsonl', '--force');
    expect(rejected).toMatchObject({ code: 2, stderr: expect.stringContaining('--rejected') });
    const both = await swap('--data', 'input.jsonl', '--out', 'o.jsonl', '--rejected', 'o.jsonl');
    expect(both.code).toBe(2);
    expect(read('input.jsonl')).toBe('{"text":"she"}\n');
  });

  it('leaves no file behind when it stops at a row', async () => {
    const { swap, write, cwd } = place();
    write('texts.jsonl', '{"text":"nothing"}\n{"text":"she"}\n{"text":"he","x_swap":"she"}\n');
    const { code, stderr } = await swap('--data', 'texts.jsonl', '--out', 'o.jsonl', '--rejected', 'r.jsonl');
    expect(code).toBe(2);
    expect(stderr).toContain('texts.jsonl: row 3 (line 3) already has a column x_swap');
    expect(readdirSync(cwd)).toEqual(['texts.jsonl']);
  });

  const faults: [what: string, args: string[], message: string][] = [
    ['no such file', ['--data', 'none.csv'], 'none.csv: no such file'],
    ['an empty file', ['--data', 'empty.txt'], 'empty.txt is empty'],
    [
      'no column',
      ['--data', 'texts.csv'],
      'no column text, x, prompt; there are a, b: say which with --column',
    ],
    ['no such column', ['--data', 'texts.csv', '--column', 'c'], 'no column c; there are a, b'],
    ['a lexicon that is none', ['--data', 'texts.csv', '--lexicon', 'nope'], 'no lexicon is called "nope"'],
    ['a group that is none', ['--data', 'texts.csv', '--between', 'female,other'], 'no group "other"'],
    ['one group', ['--data', 'texts.csv', '--between', 'female'], 'Give two groups'],
    ['a format that is none', ['--data', 'texts.csv', '--out', 'o.xlsx'], 'ends in .jsonl or .csv'],
    ['counts among the pairs', ['--data', 'texts.csv', '--json'], 'give --out'],
    ['names without a column', ['--data', 'texts.csv', '--names', 'texts.csv'], 'female is missing'],
    [
      'names on both sides',
      ['--data', 'texts.csv', '--names', 'names.csv'],
      'names.csv: pair 1 of the names: "Jo" stands on both sides',
    ],
  ];
  it.each(faults)('%s', async (_, args, message) => {
    const { swap, write } = place();
    write('texts.csv', 'a,b\nshe,he\n');
    write('empty.txt', '');
    write('names.csv', 'female,male\nMary,Jo\nJo,Jim\n');
    const { code, stdout, stderr } = await swap(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
