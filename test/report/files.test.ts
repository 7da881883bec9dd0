import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataset } from '../../src/dataset/index.ts';
import { AuditError } from '../../src/errors.ts';
import { formatCsv, formatJson, writeCsv, writeJson } from '../../src/report/index.ts';
import { faultOf } from '../fault.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'report-'));
});
afterEach(() => rm(folder, { recursive: true }));

const AB = [{ key: 'a' }, { key: 'b', header: 'B b' }];

describe('CSV', () => {
  it('is RFC 4180, with an empty cell for what is absent', () => {
    const rows = [
      { a: 'x,1', b: 'say "hi"' },
      { a: 'two\nlines', b: 'a\rb' },
      { a: null, b: undefined },
      { a: 0.1 + 0.2, b: true },
      { a: 1e-7, b: false },
      { b: '', c: 'no column' },
    ];
    expect(formatCsv(AB, rows)).toBe(
      'a,B b\r\n"x,1","say ""hi"""\r\n"two\nlines","a\rb"\r\n,\r\n0.30000000000000004,true\r\n1e-7,false\r\n,\r\n',
    );
    expect(formatCsv(AB, [])).toBe('a,B b\r\n');
    expect(formatCsv([{ key: 'a' }], [{ a: null }, { a: 'x' }])).toBe('a\r\n""\r\nx\r\n');
    expect(formatCsv([{ key: 'a' }], [], { bom: true })).toBe('\uFEFFa\r\n');
  });

  it('guards text against spreadsheets when asked, and numbers never', () => {
    const texts = ['=1+1', '+1', '-1', '@x', '\tx', '\rx', '＝1', 'a=1', '', "'x"];
    const guarded = formatCsv(
      [{ key: 'a' }, { key: 'n' }],
      texts.map((a) => ({ a, n: -1 })),
      { escapeFormulas: true },
    );
    expect(guarded.split('\r\n').slice(1, -1)).toEqual([
      "'=1+1,-1",
      '+1,-1',
      '-1,-1',
      "'@x,-1",
      "'\tx,-1",
      '"\'\rx",-1',
      "'＝1,-1",
      'a=1,-1',
      ',-1',
      "'x,-1",
    ]);
    expect(formatCsv([{ key: '=a' }], [], { escapeFormulas: true })).toBe("'=a\r\n");
    expect(formatCsv([{ key: 'a' }], [{ a: '=1+1' }])).toContain('\r\n=1+1\r\n');
  });

  it('refuses numbers that are none, no columns, and columns of one name', async () => {
    const error = await faultOf(() => formatCsv(AB, [{ a: 1 }, { b: Number.NaN }]));
    expect(error.code).toBe('not_finite');
    expect(error.message).toContain('column "b" of row 2');
    expect((await faultOf(() => formatCsv([], []))).code).toBe('bad_argument');
    expect((await faultOf(() => formatCsv([{ key: 'a' }, { key: 'b', header: 'a' }], []))).message).toContain(
      '"a"',
    );
  });

  it('writes the same bytes to a file, block by block', async () => {
    const rows = Array.from({ length: 1500 }, (_, i) => ({ a: i / 7, b: `t${i}` }));
    async function* stream() {
      yield* rows;
    }
    const path = join(folder, 'new', 'folder', 'a.csv');
    await writeCsv(path, AB, stream());
    expect(await readFile(path, 'utf8')).toBe(formatCsv(AB, rows));
    expect(await readdir(join(folder, 'new', 'folder'))).toEqual(['a.csv']);
  });

  it('reads back as it was written', async () => {
    const path = join(folder, 'round.csv');
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('', '"', '\n', '\r\n', '\r', ',', ' x ', '\t', '=1'),
    );
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    const row = fc.record({ t: text, n: number, u: fc.option(text) });
    await fc.assert(
      fc.asyncProperty(fc.array(row), fc.boolean(), async (rows, bom) => {
        await writeCsv(path, [{ key: 't' }, { key: 'n' }, { key: 'u' }], rows, { bom });
        const read: unknown[] = [];
        for await (const { value } of openDataset(path).rows()) {
          const { t, n, u } = value as Record<string, string>;
          read.push([t, Number(n), u]);
        }
        // A number's sign is lost at zero, and an absent cell reads as an empty one.
        expect(read).toEqual(rows.map(({ t, n, u }) => [t, n === 0 ? 0 : n, u ?? '']));
      }),
    );
  });
});

describe('JSON', () => {
  it('keeps the order of keys, and ends in a line feed', async () => {
    const value = { b: 1, a: [1, 'x', null], none: undefined, c: {} };
    const text = '{\n  "b": 1,\n  "a": [\n    1,\n    "x",\n    null\n  ],\n  "c": {}\n}\n';
    expect(formatJson(value)).toBe(text);
    const path = join(folder, 'a.json');
    await writeJson(path, value);
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('writes typed arrays as arrays and errors as data', () => {
    expect(JSON.parse(formatJson({ ids: Int32Array.of(3, 1), p: Float64Array.of(0.5) }))).toEqual({
      ids: [3, 1],
      p: [0.5],
    });
    expect(JSON.parse(formatJson([new AuditError('row_invalid', 'm', { row: 1 })]))).toEqual([
      { code: 'row_invalid', message: 'm', data: { row: 1 } },
    ]);
  });

  it('refuses what JSON cannot say, and names the key', async () => {
    const nan = await faultOf(() => formatJson({ a: { b: [1, Number.NaN] } }));
    expect(nan).toMatchObject({ code: 'not_finite', data: { key: 'value.a.b[1]' } });
    expect(
      (await faultOf(() => formatJson({ p: Float64Array.of(0, Number.POSITIVE_INFINITY) }))).message,
    ).toContain('value.p[1]');
    for (const value of [1n, () => 1, new Map(), new Set()]) {
      const error = await faultOf(() => formatJson({ k: value }));
      expect(error).toMatchObject({ code: 'bad_argument', data: { key: 'value.k' } });
    }
    const round: { self?: unknown } = {};
    round.self = round;
    expect((await faultOf(() => formatJson(round))).code).toBe('bad_argument');
    expect((await faultOf(() => formatJson(undefined))).code).toBe('bad_argument');
  });

  it('reads back as it was written', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expect(JSON.parse(formatJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
