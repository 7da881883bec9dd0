import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstInvalid } from '../../src/dataset/utf8.ts';
import { faultOf } from '../fault.ts';
import { brief, rowsIn, rowsOf, temporaryFolder } from './helpers.ts';

const folder = temporaryFolder();

describe('JSON Lines', () => {
  it('gives values of any kind with their lines, blank lines left out', async () => {
    const rows = await rowsIn('{"id":"a"}\n\n  \t\n[1]\r\n\r\n"x"\r\nnull', 'jsonl');
    expect(rows).toEqual([
      { file: 'd', line: 1, index: 0, value: { id: 'a' } },
      { file: 'd', line: 4, index: 1, value: [1] },
      { file: 'd', line: 6, index: 2, value: 'x' },
      { file: 'd', line: 7, index: 3, value: null },
    ]);
  });

  it('takes off a byte-order mark', async () => {
    const path = await folder.file('bom.jsonl', '\uFEFF{"id":1}\n');
    expect(await rowsOf(path)).toEqual([{ file: path, line: 1, index: 0, value: { id: 1 } }]);
  });

  it('keeps separators of lines that are no line feeds inside strings', async () => {
    expect((await rowsIn('"a\u2028b\u0085c"\n2', 'jsonl')).map(brief)).toEqual([
      [1, 'a\u2028b\u0085c'],
      [2, 2],
    ]);
  });

  it('goes on behind a line that is not JSON', async () => {
    const rows = await rowsIn('{"id":1}\n{"id":2\n{"x": NaN}\n{"id":3} {"id":4}\n{"id":5}', 'jsonl');
    expect(rows.map(({ line, error }) => [line, error?.code])).toEqual([
      [1, undefined],
      [2, 'data_malformed'],
      [3, 'data_malformed'],
      [4, 'data_malformed'],
      [5, undefined],
    ]);
    expect(rows[1]!.value).toBeUndefined();
    expect(rows[1]!.error!.message).toMatch(
      /^d: row 2 \(line 2\) is not valid JSON.*\{\\"id\\":2.*mend the line/,
    );
    expect(rows[1]!.error!.data).toMatchObject({ file: 'd', line: 2, index: 1 });
  });

  it('reads one JSON document of rows under this name, and says of another what to do', async () => {
    const [first] = await rowsIn('[\n  {"id": 1}\n]\n', 'jsonl');
    expect(first).toMatchObject({ line: 2, value: { id: 1 } });
    expect((await rowsIn('[{"id":1},{"id":2}]', 'jsonl')).map(({ value }) => value)).toEqual([
      { id: 1 },
      { id: 2 },
    ]);
    const spread = await rowsIn('{\n  "id": 1\n}\n{\n  "id": 2\n}\n', 'jsonl');
    expect(spread.map(({ line, index, value }) => [line, index, value])).toEqual([
      [1, 0, { id: 1 }],
      [4, 1, { id: 2 }],
    ]);
    const broken = faultOf(() => rowsIn('{\n  "id": 1\n}\n{\n  "id" 2\n}\n', 'jsonl'));
    expect((await broken).message).toContain('line 5, column 8');
  });

  it('passes over a comma behind a row, blank lines and any line end', async () => {
    for (const end of ['\n', '\r\n', '\r', ',\n', ', \r\n', '\n\n \n']) {
      const rows = await rowsIn(`\uFEFF{"id":1}${end}{"id":2}${end}`, 'jsonl');
      expect(rows.map(({ value }) => value)).toEqual([{ id: 1 }, { id: 2 }]);
    }
    expect((await rowsIn('{"id":1},,\n', 'jsonl'))[0]!.error!.code).toBe('data_malformed');
  });

  it('says where bytes are not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('"é"\n"ab'), Buffer.of(0xe9), Buffer.from('c"\n3')]);
    const rows = await rowsIn(bytes, 'jsonl');
    expect(rows.map(({ error }) => error?.code)).toEqual([undefined, 'data_malformed', undefined]);
    expect(rows[1]!.error!.message).toContain('byte 0xE9 at byte offset 8 of the file');
    expect(rows[1]!.error!.data).toMatchObject({ byteOffset: 8, line: 2 });
    expect(bytes[8]).toBe(0xe9);
  });

  it('counts byte offsets over a byte-order mark', async () => {
    const bytes = Buffer.concat([Buffer.from('\uFEFF"'), Buffer.of(0xff), Buffer.from('"')]);
    expect((await rowsIn(bytes, 'jsonl'))[0]!.error!.data).toMatchObject({ byteOffset: 4 });
  });

  it('reads UTF-16 with a byte-order mark', async () => {
    const rows = await rowsIn(Buffer.from('\uFEFF{"id":"é"}\n', 'utf16le'), 'jsonl');
    expect(rows[0]!.value).toEqual({ id: 'é' });
  });

  it('survives a binary file full of NUL', async () => {
    const path = await folder.file('binary.jsonl', Buffer.alloc(300_000));
    const rows = await rowsOf(path);
    expect(rows).toHaveLength(1);
    expect(rows[0]!.error!.message).toMatch(/not valid JSON.*\\u0000/);
    expect(rows[0]!.error!.message.length).toBeLessThan(700);
  });

  it('reads a line of ten megabytes', async () => {
    const text = 'x'.repeat(10_000_000);
    const path = await folder.file('huge.jsonl', `1\n${JSON.stringify({ text })}\n3\n`);
    const rows = await rowsOf(path);
    expect(rows.map(({ line }) => line)).toEqual([1, 2, 3]);
    expect((rows[1]!.value as { text: string }).text).toBe(text);
  });

  it('keeps a key called __proto__ as data', async () => {
    const [row] = await rowsIn('{"__proto__": {"polluted": true}}', 'jsonl');
    expect(Object.hasOwn(row!.value as object, '__proto__')).toBe(true);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('gives the same rows whatever the chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.json(), fc.constantFrom('', ' ', '{', '"é€😀"'))),
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 1, max: 9 }),
        async (lines, feed, size) => {
          // A list at the start is a file that is one list of rows, which other tests are about.
          fc.pre(!lines.join('').trimStart().startsWith('['));
          const text = lines.join(feed);
          const whole = await rowsIn(text, 'jsonl');
          expect((await rowsIn(text, 'jsonl', size)).map(brief)).toEqual(whole.map(brief));
          expect(whole).toHaveLength(lines.filter((line) => line.trim() !== '').length);
          for (const { line, value } of whole) {
            if (value !== undefined) expect(value).toEqual(JSON.parse(lines[line - 1]!));
          }
        },
      ),
    );
  });
});

describe('firstInvalid', () => {
  const bad: [string, number[], number][] = [
    ['a lone continuation', [0x61, 0x80], 1],
    ['an overlong form', [0xc0, 0xaf], 0],
    ['an overlong form of three', [0xe0, 0x9f, 0xbf], 0],
    ['a surrogate', [0x61, 0xed, 0xa0, 0x80], 1],
    ['above U+10FFFF', [0xf4, 0x90, 0x80, 0x80], 0],
    ['cut off', [0xc3, 0xa9, 0xe2, 0x82], 2],
    ['a bad third byte', [0xe2, 0x82, 0x41], 0],
    ['0xFF', [0xff], 0],
  ];
  it.each(bad)('%s', (_name, bytes, at) => {
    expect(firstInvalid(Uint8Array.from(bytes))).toBe(at);
  });

  it('finds nothing in text, and agrees with the platform on any bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const bytes = Buffer.from(text);
        expect(firstInvalid(bytes)).toBe(bytes.length);
      }),
    );
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const byte = fc.oneof(
      fc.integer({ min: 0, max: 255 }),
      fc.constantFrom(0xe0, 0xed, 0xf0, 0xf4, 0x80, 0xbf, 0x9f),
    );
    fc.assert(
      fc.property(fc.array(byte), (values) => {
        const bytes = Uint8Array.from(values);
        const at = firstInvalid(bytes);
        expect(() => decoder.decode(bytes.subarray(0, at))).not.toThrow();
        if (at < bytes.length) expect(() => decoder.decode(bytes)).toThrow();
      }),
      { numRuns: 1000 },
    );
  });
});
