/**
 * What a user's file may have wrong, in every format: each fault is told with its place, the rows about it are read, and
 * the survey and the rows of a run say the same.
 */
import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkRow, openDataset, surveyDataset, uniqueIds } from '../../src/dataset/index.ts';
import type { AuditError } from '../../src/errors.ts';
import { faultOf } from '../fault.ts';
import { collect, temporaryFolder } from './helpers.ts';

const folder = temporaryFolder();
const SCHEMA = z.object({ id: z.string().min(1), sentence: z.string().min(1) });
/** A line of text carries its id in front, as the numbered lines of WinoBias do. */
const NUMBERED = z
  .object({ text: z.string().regex(/^\S+ \S/, { error: 'is not a number and a sentence' }) })
  .transform(({ text }) => ({ id: text.split(' ')[0]!, sentence: text.slice(text.indexOf(' ') + 1) }));

type Bytes = string | Uint8Array;
/** What a row is to be: its sentence, or what its error says and holds. */
type Outcome = string | readonly [says: RegExp, data?: object];

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

const rows: [fault: string, name: string, content: Bytes, outcomes: Outcome[]][] = [
  [
    'a missing column',
    'a.csv',
    'id,sentence\n1\n2,b\n',
    [[/row 1 \(line 2\) has 1 column, the header has 2/], 'b'],
  ],
  [
    'a missing column',
    'a.tsv',
    'id\tsentence\n1\n2\tb\n',
    [[/row 1 \(line 2\) has 1 column, the header has 2/], 'b'],
  ],
  ['a column too many', 'b.csv', 'id,sentence\n1,a, b\n2,b\n', [[/row 1 \(line 2\) has 3 columns/], 'b']],
  [
    'a column that no row has',
    'c.csv',
    'id,text\n1,a\n',
    [[/row 1 \(line 2, id "1"\): sentence is missing/, { key: 'sentence' }]],
  ],
  [
    'a missing key',
    'a.jsonl',
    '{"id":"1"}\n{"id":"2","sentence":"b"}',
    [[/row 1 \(line 1, id "1"\): sentence is missing/], 'b'],
  ],
  [
    'a missing key',
    'a.json',
    '[\n{"id":"1"},\n{"id":"2","sentence":"b"}]',
    [[/row 1 \(line 2, id "1"\): sentence is missing/], 'b'],
  ],
  ['a missing number', 'a.txt', 'sentence\n2 b\n', [[/row 1 \(line 1\): text: is not a number/], 'b']],

  [
    'an empty sentence',
    'd.csv',
    'id,sentence\n1,\n2,b\n3,""\n',
    [[/sentence is ""; give a string that is not empty/], 'b', [/row 3 \(line 4, id "3"\)/]],
  ],
  ['an empty sentence', 'd.tsv', 'id\tsentence\n1\t\n2\tb\n', [[/sentence is ""/], 'b']],
  [
    'an empty sentence',
    'd.jsonl',
    '{"id":"1","sentence":""}\n{"id":"2","sentence":"b"}',
    [[/sentence is ""/], 'b'],
  ],
  [
    'an empty sentence',
    'd.json',
    '[{"id":"1","sentence":""}, {"id":"2","sentence":"b"}]',
    [[/row 1 \(line 1, id "1"\): sentence is ""/], 'b'],
  ],

  ['a byte-order mark', 'e.csv', '\uFEFFid,sentence\n1,a\n', ['a']],
  ['a byte-order mark', 'e.tsv', '\uFEFFid\tsentence\n1\ta\n', ['a']],
  ['a byte-order mark', 'e.jsonl', '\uFEFF{"id":"1","sentence":"a"}', ['a']],
  ['a byte-order mark', 'e.json', '\uFEFF[{"id":"1","sentence":"a"}]', ['a']],
  ['a byte-order mark', 'e.txt', '\uFEFF1 a\n', ['a']],

  ['CRLF', 'f.csv', 'id,sentence\r\n1,a\r\n\r\n2,b\r\n', ['a', 'b']],
  ['CRLF', 'f.tsv', 'id\tsentence\r\n1\ta\r\n', ['a']],
  ['CRLF', 'f.jsonl', '{"id":"1","sentence":"a"}\r\n\r\n{"id":"2","sentence":"b"}\r\n', ['a', 'b']],
  [
    'CRLF',
    'f.json',
    '[\r\n{"id":"1",\r\n"sentence":"a"},\r\n{"id":"2"}]\r\n',
    ['a', [/row 2 \(line 4, id "2"\)/]],
  ],
  ['CRLF', 'f.txt', '1 a\r\n\r\n2 b\r\n', ['a', 'b']],

  [
    'quotes with line breaks',
    'g.csv',
    'id,sentence\n1,"a\n""b"""\n2,"c\n',
    ['a\n"b"', [/row 2 \(line 4\) opens a quote that is never closed/]],
  ],
  ['quotes with line breaks', 'g.tsv', 'id\tsentence\n1\t"a\r\nb"\n2\tc\n', ['a\r\nb', 'c']],
  [
    'a line break in a string',
    'g.jsonl',
    '{"id":"1","sentence":"a\nb"}\n{"id":"2","sentence":"b"}',
    [
      [/row 1 \(line 1\) is not valid JSON at column 24/],
      [/row 2 \(line 2\) is not valid JSON at column 1 /],
      'b',
    ],
  ],
  ['quotes', 'g.txt', '1 "a\n2 b"\n', ['"a', 'b"']],

  [
    'Latin-1',
    'h.csv',
    latin1('id,sentence\n1,caf\xe9\n2,b\n'),
    [[/row 1 \(line 2\) is not UTF-8: byte 0xE9 at byte offset 17/, { byteOffset: 17 }], 'b'],
  ],
  [
    'Latin-1',
    'h.tsv',
    latin1('id\tsentence\n1\tcaf\xe9\n2\tb\n'),
    [[/byte offset 17 /, { byteOffset: 17 }], 'b'],
  ],
  [
    'Latin-1',
    'h.jsonl',
    latin1('{"id":"1","sentence":"\xe9"}\n{"id":"2","sentence":"b"}'),
    [[/row 1 \(line 1\) is not UTF-8: byte 0xE9 at byte offset 22/, { byteOffset: 22 }], 'b'],
  ],
  [
    'Latin-1',
    'h.txt',
    latin1('1 a\n2 caf\xe9\n3 c\n'),
    [
      'a',
      [
        /row 2 \(line 2\) is not UTF-8: byte 0xE9 at byte offset 9 .*save the file as UTF-8/,
        { byteOffset: 9 },
      ],
      'c',
    ],
  ],

  [
    'an id twice',
    'i.csv',
    'id,sentence\n1,a\n2,b\n1,c\n',
    [
      'a',
      'b',
      [
        /row 3 \(line 4, id "1"\): row 1 \(line 2\) has the same id/,
        { id: '1', line: 4, index: 2, earlier: { line: 2, index: 0 } },
      ],
    ],
  ],
  [
    'an id three times',
    'i.tsv',
    'id\tsentence\n1\ta\n1\tb\n1\tc\n',
    ['a', [/row 2 .*: row 1 \(line 2\)/], [/row 3 .*: row 1 \(line 2\)/]],
  ],
  [
    'an id twice, first in a bad row',
    'i.jsonl',
    '{"id":"1"}\n{"id":"1","sentence":"b"}',
    [[/sentence is missing/], 'b'],
  ],
  [
    'an id twice',
    'i.json',
    '[{"id":"1","sentence":"a"},\n{"id":"1","sentence":"a"}]',
    ['a', [/row 2 \(line 2, id "1"\): row 1 \(line 1\) has the same id/]],
  ],
  ['an id twice', 'i.txt', '1 a\n\n1 b\n', ['a', [/row 2 \(line 3, id "1"\): row 1 \(line 1\)/]]],

  [
    'UTF-16 without a mark',
    'k.jsonl',
    utf16('{"id":"1"}'),
    [[/not valid JSON at column 2 .*it looks like UTF-16/]],
  ],
  [
    'UTF-16 without a mark',
    'k.txt',
    utf16('1 a'),
    [[/row 1 \(line 1\) has a NUL at byte offset 1 .*UTF-16/, { byteOffset: 1 }]],
  ],

  [
    'a NUL',
    'l.csv',
    'id,sentence\n1,a\0b\n2,b\n',
    [[/row 1 \(line 2\) has a NUL at byte offset 15/, { byteOffset: 15 }], 'b'],
  ],
  ['a NUL', 'l.tsv', 'id\tsentence\n1\t\0\n2\tb\n', [[/has a NUL at byte offset 14/], 'b']],
  [
    'a NUL',
    'l.jsonl',
    '{"id":"1","sentence":"\0"}\n{"id":"2","sentence":"b"}',
    [[/not valid JSON at column 23/], 'b'],
  ],
  ['a NUL', 'l.txt', '1 a\n2 \0\n3 c', ['a', [/has a NUL at byte offset 6/], 'c']],

  ['a long line', 'm.csv', `id,sentence\n1,${'x'.repeat(3e6)}\n2,b\n`, ['x'.repeat(3e6), 'b']],
  [
    'a long line',
    'm.jsonl',
    `{"id":"1","sentence":"${'é'.repeat(3e6)}"}\n{"id":"2","sentence":"b"}`,
    ['é'.repeat(3e6), 'b'],
  ],
  [
    'a long line',
    'm.json',
    `[{"id":"1","sentence":"${'é'.repeat(3e6)}"},{"id":"2","sentence":"b"}]`,
    ['é'.repeat(3e6), 'b'],
  ],
  ['a long line', 'm.txt', `1 ${'x'.repeat(3e6)}\n2 b`, ['x'.repeat(3e6), 'b']],
];

const files: [fault: string, name: string, content: Bytes, says: RegExp, data?: object][] = [
  ['a header only', 'a.csv', 'id,sentence\n', /a\.csv holds no rows/],
  ['a header only', 'a.tsv', '\uFEFFid\tsentence\r\n\r\n', /a\.tsv holds no rows/],
  ['an empty array', 'a.json', '[]', /a\.json holds no rows/],
  ['blank lines only', 'a.txt', '\r\n \n', /a\.txt holds no rows/],
  ['nothing', 'a.jsonl', '', /a\.jsonl is empty/],
  ['a byte-order mark only', 'b.txt', '\uFEFF', /b\.txt holds no rows/],
  [
    'UTF-16 without a mark',
    'c.csv',
    utf16('id,sentence\n1,a\n'),
    /c\.csv: the header \(line 1\) has a NUL at byte offset 1 .*UTF-16/,
  ],
  [
    'Latin-1',
    'b.json',
    latin1('[\n"\xe9"]'),
    /b\.json is not UTF-8: byte 0xE9 at byte offset 3/,
    { byteOffset: 3 },
  ],
  [
    'UTF-16 without a mark',
    'c.json',
    utf16('[1]'),
    /c\.json is not valid JSON at line 1, column 2.*UTF-16/,
    { line: 1, column: 2 },
  ],
  ['a NUL', 'd.json', '[{"id":"1",\n"sentence":"\0"}]', /d\.json is not valid JSON at line 2, column 13/],
  [
    'a line break in a string',
    'e.json',
    '[{"id":"1",\n"sentence":"a\nb"}]',
    /e\.json is not valid JSON at line 2, column 14/,
  ],
];

describe('a file with', () => {
  it.each(rows)('%s: %s', async (_fault, name, content, outcomes) => {
    const path = await folder.file(name, content);
    const schema = name.endsWith('.txt') ? NUMBERED : SCHEMA;
    const idOf = (row: Parameters<typeof checkRow>[1]) => {
      const checked = checkRow(schema, row);
      return checked.ok ? checked.value.id : null;
    };
    const checked = (await collect(uniqueIds(openDataset(path).rows(), idOf))).map((row) =>
      checkRow(schema, row),
    );
    expect(checked).toHaveLength(outcomes.length);
    const errors: AuditError[] = [];
    for (const [at, outcome] of outcomes.entries()) {
      const got = checked[at]!;
      if (!got.ok) errors.push(got.error);
      if (typeof outcome === 'string') {
        expect(got.ok ? got.value.sentence === outcome : got.error.message).toBe(true);
      } else {
        const [says, data = {}] = outcome;
        expect(got.ok ? got.value : got.error.message).toMatch(says);
        expect(got.ok ? null : got.error.data).toMatchObject({ file: path, ...data });
        expect(got.ok ? '' : got.error.message.slice(0, path.length)).toBe(path);
      }
    }
    const validate = (row: Parameters<typeof checkRow>[1]) => {
      const again = checkRow(schema, row);
      return again.ok ? null : again.error;
    };
    const survey = await surveyDataset(path, { validate, idOf });
    expect(survey).toMatchObject({ rows: outcomes.length, invalid: errors.length });
    expect(survey.firstError?.toJSON()).toEqual(errors[0]?.toJSON());
  });

  it.each(files)('%s: %s, which has no rows', async (_fault, name, content, says, data = {}) => {
    const path = await folder.file(name, content);
    const error = await faultOf(() => surveyDataset(path));
    expect(error.code).toMatch(/^data_(empty|malformed)$/);
    expect(error.message).toMatch(says);
    expect(error.data).toMatchObject({ file: path, ...data });
  });
});
