import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRecords } from '../../src/dataset/csv-record.ts';
import { physicalLines } from '../../src/dataset/lines.ts';
import { faultOf } from '../fault.ts';
import { brief, rowsIn, rowsOf, temporaryFolder } from './helpers.ts';

const folder = temporaryFolder();
const csv = async (text: string | Uint8Array, size?: number) => (await rowsIn(text, 'csv', size)).map(brief);

describe('CSV', () => {
  it('gives records of strings by column, empty ones kept', async () => {
    expect(await rowsIn('id,text\n1,a\n2,\n,""\n', 'csv')).toEqual([
      { file: 'd', line: 2, index: 0, value: { id: '1', text: 'a' } },
      { file: 'd', line: 3, index: 1, value: { id: '2', text: '' } },
      { file: 'd', line: 4, index: 2, value: { id: '', text: '' } },
    ]);
  });

  it('knows quotes, separators, quotes in quotes and line breaks in fields, and counts lines over them', async () => {
    const text = 'a,b\r\n"x,1","say ""hi"""\r\n"two\r\nlines\n\nmore",2\r\n\r\n   \r\n3,"4"';
    expect(await csv(text)).toEqual([
      [2, { a: 'x,1', b: 'say "hi"' }],
      [3, { a: 'two\r\nlines\n\nmore', b: '2' }],
      [9, { a: '3', b: '4' }],
    ]);
    for (let size = 1; size < 12; size++) expect(await csv(text, size)).toEqual(await csv(text));
  });

  it('takes line endings as they come, mixed ones too', async () => {
    expect(await csv('a,b\r\n1,2\n3,4\r\n"5","6"\r\n')).toEqual([
      [2, { a: '1', b: '2' }],
      [3, { a: '3', b: '4' }],
      [4, { a: '5', b: '6' }],
    ]);
  });

  it('takes off a byte-order mark, before a quote as well', async () => {
    expect(await csv('\uFEFFa,b\n1,2')).toEqual([[2, { a: '1', b: '2' }]]);
    expect(await csv('\uFEFF"a",b\n1,2', 1)).toEqual([[2, { a: '1', b: '2' }]]);
  });

  it('keeps spaces around fields', async () => {
    expect(await csv('a,b\n 1 , 2\n')).toEqual([[2, { a: ' 1 ', b: ' 2' }]]);
  });

  it('tells a row of the wrong width and goes on', async () => {
    const rows = await csv('a,b\n1\n1,2,3\n4,5\n');
    expect(rows[0]![1]).toBe(
      'd: row 1 (line 2) has 1 column, the header has 2; quote fields that hold a separator, and leave none out',
    );
    expect(rows[1]![1]).toContain('row 2 (line 3) has 3 columns, the header has 2');
    expect(rows[2]).toEqual([4, { a: '4', b: '5' }]);
  });

  it('keeps a stray quote to its own row', async () => {
    const rows = await rowsIn('a,b\n1,x"y\n2,"x"y\n3,ok\n4, "q"\n5,ok', 'csv');
    expect(rows.map(({ line, error }) => [line, error?.code])).toEqual([
      [2, 'data_malformed'],
      [3, 'data_malformed'],
      [4, undefined],
      [5, 'data_malformed'],
      [6, undefined],
    ]);
    expect(rows[0]!.error!.message).toContain('quote inside a field that is not quoted');
    expect(rows[1]!.error!.message).toContain('text right after a closing quote');
  });

  it('says how far a quote that is not closed reaches', async () => {
    const rows = await csv('a,b\n1,2\n3,"open\n4,5\n6,7\n');
    expect(rows).toHaveLength(2);
    expect(rows[1]![0]).toBe(3);
    expect(rows[1]![1]).toMatch(/row 2 \(line 3\) opens a quote that is never closed.*up to line 5/);
    const again = await csv('a,b\n1,"open\n2,"x"\n3,ok\n');
    expect(again[0]![1]).toMatch(/line 2\) has text right after a closing quote.*up to line 3/);
    expect(again[1]).toEqual([4, { a: '3', b: 'ok' }]);
  });

  it('says where bytes are not UTF-8, inside a row of several lines too', async () => {
    const bytes = Buffer.concat([Buffer.from('a,b\n1,"é\n'), Buffer.of(0xe9), Buffer.from('"\n2,ok\n')]);
    const rows = await rowsIn(bytes, 'csv');
    expect(bytes[10]).toBe(0xe9);
    expect(rows[0]!.error!.data).toMatchObject({ byteOffset: 10, line: 2, lastLine: 3 });
    expect(brief(rows[1]!)).toEqual([4, { a: '2', b: 'ok' }]);
  });

  it('reads tabs', async () => {
    const rows = await rowsIn('a\tb\n1,5\t"x\ty"\n\t\n', 'tsv');
    expect(rows.map(brief)).toEqual([
      [2, { a: '1,5', b: 'x\ty' }],
      [3, { a: '', b: '' }],
    ]);
  });

  it('keeps a quoted empty field of a single column, which is no blank line', async () => {
    expect(await csv('a\n""\n\nx\n')).toEqual([
      [2, { a: '' }],
      [4, { a: 'x' }],
    ]);
  });

  it('takes a column called __proto__ for what it is', async () => {
    const [row] = await rowsIn('__proto__,constructor\n1,2\n', 'csv');
    expect(Object.entries(row!.value as object)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
  });

  it('reads more rows than a block holds, errors in their places', async () => {
    const text = `n,t\n${Array.from({ length: 1000 }, (_, i) => (i % 100 === 7 ? `${i}` : `${i},"${i}"`)).join('\n')}`;
    const rows = await rowsIn(text, 'csv');
    expect(rows).toHaveLength(1000);
    for (const { index, line, value, error } of rows) {
      expect(line).toBe(index + 2);
      if (index % 100 === 7) expect(error?.code).toBe('data_malformed');
      else expect(value).toEqual({ n: `${index}`, t: `${index}` });
    }
  });

  it('reads a field of ten megabytes', async () => {
    const field = 'line of text\n'.repeat(800_000);
    const path = await folder.file('huge.csv', `a,b\n1,"${field}"\n2,x\n`);
    const rows = await rowsOf(path);
    expect((rows[0]!.value as { b: string }).b === field).toBe(true);
    expect(brief(rows[1]!)).toEqual([800_003, { a: '2', b: 'x' }]);
  });

  it('survives a binary file', async () => {
    const bytes = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256));
    const path = await folder.file('binary.csv', bytes);
    expect((await faultOf(() => rowsOf(path))).code).toBe('data_malformed');
    const nul = await folder.file('nul.csv', Buffer.concat([Buffer.from('a,b\n'), Buffer.alloc(100_000)]));
    expect((await rowsOf(nul))[0]!.error?.code).toBe('data_malformed');
  });

  it('reads row labels under a first column without a name', async () => {
    expect(await csv(',sent\n0,a\n1,b\n')).toEqual([
      [2, { '': '0', sent: 'a' }],
      [3, { '': '1', sent: 'b' }],
    ]);
  });

  const headers: [string, string | Uint8Array, string][] = [
    ['twice', 'id,x,id\n1,2,3\n', 'the header (line 1) names columns 1 and 3 both "id"'],
    ['unnamed', 'id,,x\n1,2,3\n', 'no name for column 2'],
    ['of one empty name', '""\n1\n', 'no name for column 1'],
    ['named by spaces', '\n"id"," ",x\n', 'the header (line 2) has no name for column 2'],
    ['with a stray quote', 'id,x"y\n1,2\n', 'quote inside a field'],
    ['in Latin-1', Buffer.from('pr\xe9nom,x\n1,2\n', 'latin1'), 'byte 0xE9 at byte offset 2'],
  ];
  it.each(headers)('refuses a header %s', async (_name, content, says) => {
    const error = await faultOf(() => csv(content));
    expect(error.code).toBe('data_malformed');
    expect(error.message).toContain(says);
  });

  it('has no rows where there is only a header, or nothing', async () => {
    expect(await csv('a,b\n')).toEqual([]);
    expect(await csv('')).toEqual([]);
    expect(await csv('\uFEFF')).toEqual([]);
  });
});

describe('rows that are too long', () => {
  const records = async (text: string, max: number) => {
    async function* chunks() {
      yield Buffer.from(text);
    }
    const all: [number, string][] = [];
    for await (const { line, bytes, problem } of csvRecords(physicalLines(chunks(), max), ',', max)) {
      all.push([line, problem ?? bytes.toString()]);
    }
    return all;
  };
  const overlong = expect.stringContaining('is longer than 10 bytes');

  it('are told and passed over, in one line or in several', async () => {
    expect(await records(`a\n${'x'.repeat(11)}\nb\n`, 10)).toEqual([
      [1, 'a'],
      [2, overlong],
      [3, 'b'],
    ]);
    expect(await records(`a\n"123\n456\n789\n0"\nb\n`, 10)).toEqual([
      [1, 'a'],
      [2, overlong],
      [6, 'b'],
    ]);
    expect(await records(`a\n"123\n456\n789\n0`, 10)).toEqual([
      [1, 'a'],
      [2, overlong],
    ]);
    expect(await records(`a\n"123\n4567"\n`, 10)).toEqual([
      [1, 'a'],
      [2, '"123\n4567"'],
    ]);
    expect(await records(`a\n"123\n45678"\n`, 10)).toEqual([
      [1, 'a'],
      [2, overlong],
    ]);
  });
});

it('reads whatever a plain quoting writer writes, in any chunks', async () => {
  const field = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', '"', '""', '\n', '\r\n', '\r', ',', ' ', '"\n"', 'a"b'),
  );
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  await fc.assert(
    fc.asyncProperty(
      fc
        .integer({ min: 1, max: 4 })
        .chain((width) =>
          fc.array(fc.array(field, { minLength: width, maxLength: width }), { minLength: 1 }),
        ),
      fc.constantFrom('\n', '\r\n'),
      fc.integer({ min: 1, max: 40 }),
      async (records, feed, size) => {
        const names = records[0]!.map((_, at) => `c${at}`);
        const text = [names, ...records].map((record) => record.map(quote).join(',')).join(feed);
        const rows = await rowsIn(text, 'csv', size);
        expect(rows.map(({ value }) => Object.values(value as object))).toEqual(records);
        expect(rows.map(({ index }) => index)).toEqual(records.map((_, at) => at));
        let line = 2;
        for (const [at, record] of records.entries()) {
          expect(rows[at]!.line).toBe(line);
          line += 1 + record.join('').split('\n').length - 1;
        }
      },
    ),
  );
});
