/** Data files as spreadsheets, old programs and downloads leave them: read where that is certain, else named for what they are. */
import { Buffer } from 'node:buffer';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkRow } from '../../src/dataset/index.ts';
import { faultOf } from '../fault.ts';
import { rowsIn, rowsOf } from './helpers.ts';

const values = async (text: string | Uint8Array, format: 'csv' | 'tsv' = 'csv', size?: number) =>
  (await rowsIn(text, format, size)).map(({ value, error }) => error?.message ?? value);

describe('the separator', () => {
  it.each([
    ['semicolons', 'id;x\n1;"a, b; c"\n2;d, e\n'],
    ['tabs', 'id\tx\n1\ta, b; c\n2\td, e\n'],
    ['bars', 'id|x\n1|a, b; c\n2|d, e\n'],
    ['a line that names it', 'sep=;\nid;x\n1;"a, b; c"\n2;d, e\n'],
    ['that line in quotes, behind a mark', '\uFEFF"sep=|"\r\nid|x\r\n1|a, b; c\r\n2|d, e\r\n'],
    ['commas in a header of semicolons', '"id";"x"\n1;a, b; c\n2;d, e\n'.replace('a, b; c', '"a, b; c"')],
  ])('may be %s', async (_, text) => {
    const rows = [
      { id: '1', x: 'a, b; c' },
      { id: '2', x: 'd, e' },
    ];
    expect(await values(text)).toEqual(rows);
    expect(await values(text, 'csv', 3)).toEqual(rows);
  });

  it('may be a comma in a file that is named for tabs', async () => {
    expect(await values('id,x\n1,a\n', 'tsv')).toEqual([{ id: '1', x: 'a' }]);
  });

  it('stays the usual one where nothing else is certain', async () => {
    expect(await values('text\na; b\nc; d\n')).toEqual([{ text: 'a; b' }, { text: 'c; d' }]);
    expect(await values('id,x;y\n1,a;b\n')).toEqual([{ id: '1', 'x;y': 'a;b' }]);
    expect((await values('id,x\n1,a\n2;b\n'))[1]).toContain('has 1 column, the header has 2');
  });

  it('counts no separators within quotes that go over lines', async () => {
    expect(await values('id;x\n1;"a,\nb,c"\n2;d\n')).toEqual([
      { id: '1', x: 'a,\nb,c' },
      { id: '2', x: 'd' },
    ]);
  });
});

describe('the header', () => {
  it('has no spaces or marks around its names', async () => {
    expect(await values('\uFEFF id ,\u00a0x, y\u200b\n1,a,b\n')).toEqual([{ id: '1', x: 'a', y: 'b' }]);
  });

  it('that puts a space behind each comma does so in the rows', async () => {
    expect(await values('id, x, y\n1, a b, c\n2,  d,e\n')).toEqual([
      { id: '1', x: 'a b', y: 'c' },
      { id: '2', x: ' d', y: 'e' },
    ]);
    expect(await values('id,x\n1, a\n')).toEqual([{ id: '1', x: ' a' }]);
  });

  it('may end in columns without a name or a value', async () => {
    expect(await values('id,x,,\n1,a,,\n2,b\n3,c,\n4,d,e,\n5,f,,,,\n')).toEqual([
      { id: '1', x: 'a' },
      { id: '2', x: 'b' },
      { id: '3', x: 'c' },
      'd: row 4 (line 5) has a value in column 3, which the header does not name; name the column',
      { id: '5', x: 'f' },
    ]);
    expect((await faultOf(() => values('id,,x\n1,2,3\n'))).message).toContain('no name for column 2');
    expect((await faultOf(() => values('id,x, x\n1,2,3\n'))).message).toContain('columns 2 and 3 both "x"');
  });
});

describe('line ends', () => {
  it.each([
    ['\r', '\r'],
    ['\r\n', '\r\n'],
    ['\n', '\r\n'],
    ['\r\n', '\n'],
  ])('%j and %j are read, those within quotes kept', async (one, other) => {
    const text = `id,x${one}1,"a\nb"${other}2,"c\rd"${one}`;
    const rows = [
      { id: '1', x: 'a\nb' },
      { id: '2', x: 'c\rd' },
    ];
    for (const size of [1, 2, 3, 1000]) expect(await values(text, 'csv', size)).toEqual(rows);
  });

  it('of old Macs are those of plain text without another', async () => {
    expect((await rowsIn('a b\rc\rd', 'text')).map(({ value }) => value)).toEqual([
      { text: 'a b' },
      { text: 'c' },
      { text: 'd' },
    ]);
    expect((await rowsIn('a\rb\nc', 'text')).map(({ value }) => value)).toEqual([
      { text: 'a\rb' },
      { text: 'c' },
    ]);
  });
});

describe('UTF-16 with a byte-order mark', () => {
  const rows = [{ id: '1', x: 'é 😀' }];
  const little = Buffer.from('\uFEFFid;x\r\n1;é 😀\r\n', 'utf16le');
  it.each([
    ['little end first', little],
    ['big end first', Buffer.from(little).swap16()],
  ])('%s is read, in any chunks', async (_, bytes) => {
    for (const size of [1, 3, 1000]) expect(await values(bytes, 'csv', size)).toEqual(rows);
  });

  it('that breaks off is not', async () => {
    const fault = await faultOf(() => values(little.subarray(0, -1)));
    expect([fault.code, fault.message]).toEqual([
      'data_malformed',
      'd begins as UTF-16 and is none further on; save it as UTF-8',
    ]);
  });
});

describe('what is no data file', () => {
  const bytes = (start: readonly number[], rest = '\0\0\0') =>
    Buffer.concat([Buffer.from(start), Buffer.from(rest)]);
  it.each([
    ['a gzip file', bytes([0x1f, 0x8b, 8]), 'gunzip'],
    ['a zip archive', bytes([0x50, 0x4b, 3, 4]), 'unzip'],
    ['an Excel workbook (.xlsx)', bytes([0x50, 0x4b, 3, 4], '\0[Content_Types].xml xl/workbook.xml'), 'CSV'],
    ['an Excel workbook (.xls)', bytes([0xd0, 0xcf, 0x11, 0xe0]), 'CSV'],
    ['a Parquet file', Buffer.from('PAR1\0\0'), 'CSV'],
    ['an Arrow file', Buffer.from('ARROW1\0\0'), 'CSV'],
    ['an SQLite database', Buffer.from('SQLite format 3\0'), 'CSV'],
    ['a GGUF model', Buffer.from('GGUF\u0003\0\0\0'), 'as the model'],
    ['a zstd file', bytes([0x28, 0xb5, 0x2f, 0xfd]), 'unzstd'],
    ['a web page', Buffer.from('\n<!DOCTYPE html>\n<html>'), 'download the file itself'],
    ['a web page', Buffer.from('\uFEFF<html lang="en">'), 'download the file itself'],
    [
      'a Git LFS pointer',
      Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 12345\n'),
      '12345 bytes',
    ],
    ['UTF-32', bytes([0xff, 0xfe, 0, 0]), 'UTF-8'],
  ])('%s is named, and what to do', async (what, content, advice) => {
    for (const format of ['csv', 'jsonl', 'json', 'text'] as const) {
      const fault = await faultOf(() => rowsIn(content, format));
      expect(fault.code).toBe('data_malformed');
      expect(fault.message).toMatch(/^d is /);
      expect(fault.message).toContain(what);
      expect(fault.message).toContain(advice);
    }
  });

  it('is not text that begins alike', async () => {
    expect(await values('PAR1,BZh\n1,2\n')).toEqual([{ PAR1: '1', BZh: '2' }]);
    expect((await rowsIn('GGUF is a format\n', 'text'))[0]!.value).toEqual({ text: 'GGUF is a format' });
  });

  it('is an id or an address either', async () => {
    for (const path of ['owner/some-data', 'https://example.org/a.csv', 'hf://datasets/a/b.csv']) {
      const fault = await faultOf(() => rowsOf(path));
      expect(fault.code).toBe('file_not_found');
      expect(fault.message).toContain('nothing is downloaded here: download it first');
    }
    expect((await faultOf(() => rowsOf('data/none.csv'))).message).toBe(
      'data/none.csv: no such file; check the path',
    );
  });
});

describe('a missing column', () => {
  const schema = z.looseObject({ sent_more: z.string(), sent_less: z.string() });
  const message = async (text: string) => {
    const [row] = await rowsIn(text, 'csv');
    const checked = checkRow(schema, row!);
    return checked.ok ? null : checked.error.message;
  };

  it.each([
    ['id,sent more,sent_less\n1,a,b\n', 'found: "id", "sent more", "sent_less"; did you mean "sent more"?'],
    ['Sent_More,sent_less\na,b\n', 'found: "Sent_More", "sent_less"; did you mean "Sent_More"?'],
    ['sent_moer,sent-less\na,b\n', 'did you mean "sent_moer" and "sent-less"?'],
    ['id,text\n1,a\n', 'sent_less is missing; give a string; found: "id", "text"'],
  ])('lists what was found in %j', async (text, says) => {
    expect(await message(text)).toContain(says);
  });

  it('lists twelve at most', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `c${at}`).join(',');
    expect(await message(`${names}\n${names}\n`)).toMatch(/"c11" and 8 more$/);
  });
});

const SHARED = fileURLToPath(new URL('../../../shared/cases/csv/', import.meta.url));
if (!existsSync(SHARED)) console.warn('SKIPPED: shared cases of CSV are not on this machine');
describe.skipIf(!existsSync(SHARED))('shared cases', () => {
  const three = [
    { id: '1', x: 'The nurse said that she was late.', x_swap: 'The nurse said that he was late.' },
    { id: '2', x: 'My aunt, who "sings", left her hat.', x_swap: 'My uncle, who "sings", left his hat.' },
    { id: '3', x: 'Die Ärztin sagte, sie käme.\nShe came.', x_swap: 'Der Arzt sagte, er käme.\nHe came.' },
  ];
  it.each([
    ['semi.csv', three],
    ['cr.csv', three],
    ['spacehead.csv', [{ id: '1', x: 'She sang.', x_swap: 'He sang.' }]],
  ])('%s is read', async (name, rows) => {
    expect((await rowsOf(`${SHARED}${name}`)).map(({ value }) => value)).toEqual(rows);
  });
});
