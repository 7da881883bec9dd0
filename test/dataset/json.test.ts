import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentRows } from '../../src/dataset/json-document.ts';
import { jsonFault } from '../../src/dataset/json-scan.ts';
import { faultOf } from '../fault.ts';
import { brief, collect, rowsIn, rowsOf, temporaryFolder } from './helpers.ts';

const folder = temporaryFolder();
const WAYS = { rowsAt: [['data', 'intrasentence'], ['rows']] };
const named = 'json or jsonl';
const document = async (text: string | Uint8Array, options = {}) =>
  (await rowsIn(text, 'json', 7, options)).map(brief);

describe('a .json file', () => {
  const both = { a: [1, { b: [] }] };
  const cases: [string, string, [number, unknown][], object?][] = [
    [
      'an array over several lines',
      '[\n  {"id": 1},\n\n  2, 3\n]\n',
      [
        [2, { id: 1 }],
        [4, 2],
        [4, 3],
      ],
    ],
    [
      'an array in one line',
      ' [1,\t"x"]',
      [
        [1, 1],
        [1, 'x'],
      ],
    ],
    ['an array in one line and blank lines', '\r\n[1]\r\n\r\n', [[2, 1]]],
    ['an array with a byte-order mark', '\uFEFF[\n1]', [[2, 1]]],
    ['an empty array', '[\n]', []],
    [
      'an array of arrays',
      '[[1],\n[2]]',
      [
        [1, [1]],
        [2, [2]],
      ],
    ],
    [
      'lines of arrays',
      '[1]\n[2]\n',
      [
        [1, [1]],
        [2, [2]],
      ],
    ],
    [
      'lines of objects',
      '{"a":1}\n{"a":2}',
      [
        [1, { a: 1 }],
        [2, { a: 2 }],
      ],
    ],
    [
      'lines with a byte-order mark',
      '\uFEFF{"a":1}\r\n{"a":2}',
      [
        [1, { a: 1 }],
        [2, { a: 2 }],
      ],
    ],
    ['one object in one line', '{"a":1}', [[1, { a: 1 }]]],
    ['one object in one line, blank lines about it', '\n{"a":1}\n\n', [[2, { a: 1 }]]],
    ['one object in one line that could hold rows', JSON.stringify({ rows: [1] }), [[1, { rows: [1] }]]],
    [
      'the same where the caller says where',
      JSON.stringify({ rows: [1, 2] }),
      [
        [1, 1],
        [1, 2],
      ],
      WAYS,
    ],
    [
      'lines of objects where the caller says where',
      '{"rows":[1]}\n{"rows":[2]}',
      [
        [1, { rows: [1] }],
        [2, { rows: [2] }],
      ],
      WAYS,
    ],
    [
      'an array where the caller says where',
      '[1,\n2]',
      [
        [1, 1],
        [2, 2],
      ],
      WAYS,
    ],
    [
      'an object over several lines',
      `{"data":\n{"x": 0, "intrasentence": [\n${JSON.stringify(both)},\n0]}}`,
      [
        [3, both],
        [4, 0],
      ],
      WAYS,
    ],
    ['the second way', '{\n"data": {"intersentence": [1]},\n"rows": [\n\n7]\n}', [[5, 7]], WAYS],
    ['the first way of two', '{\n"rows": [1],\n"data": {"intrasentence": [2]}}', [[3, 2]], WAYS],
    ['an object that ends on a line of its own', '{"rows":[1]\n}', [[1, 1]], WAYS],
    ['a key that is there twice', '{\n"rows": [1],\n"rows": [2]}', [[3, 2]], WAYS],
    ['a key written with escapes', '{\n"\\u0072ows": [1]}', [[2, 1]], WAYS],
    [
      'lines of numbers and text',
      '1\n"[x"\nnull',
      [
        [1, 1],
        [2, '[x'],
        [3, null],
      ],
    ],
    ['nothing', '', []],
    ['blank lines', ' \n\n', []],
  ];
  it.each(cases)('with %s', async (_name, text, rows, options = {}) => {
    for (const size of [1, 2, 5, 65536]) {
      expect((await rowsIn(text, named, size, options)).map(brief)).toEqual(rows);
    }
  });

  it('that is one object cut off is a bad row, or a bad document where the caller says where its rows are', async () => {
    const text = '{"rows":[1,2\n\n';
    const [row, ...more] = await rowsIn(text, named);
    expect(more).toEqual([]);
    expect(row!.error!.message).toMatch(/^d: row 1 \(line 1\) is not valid JSON at column 13 /);
    const fault = await faultOf(() => rowsIn(text, named, 4, WAYS));
    expect(fault.message).toMatch(/^d is not valid JSON at line 3, column 1: the file ends/);
  });

  it('is JSON Lines when its first line cannot go on, with the fault in that row', async () => {
    for (const text of [
      '{"id":1\n{"id":2}',
      '{"id":"x\n{"id":2}',
      '{\'id\':1}\n{"id":2}',
      '{"id":1}}\n{"id":2}',
    ]) {
      const rows = await rowsIn(text, named, 3);
      expect(
        rows.map(({ line, error }) => [line, error?.code]),
        text,
      ).toEqual([
        [1, 'data_malformed'],
        [2, undefined],
      ]);
      expect(rows[0]!.error!.message).toMatch(/^d: row 1 \(line 1\) is not valid JSON at column \d+ /);
    }
  });

  it('says where the fault is', async () => {
    const [first] = await rowsIn('{"é":1 2}\n1', named);
    expect(first!.error!.message).toBe(
      'd: row 1 (line 1) is not valid JSON at column 8 (expected "," or "}"): "{\\"é\\":1 2}"; mend the line, or take it out',
    );
  });

  it('numbers the rows and names the file', async () => {
    const path = await folder.file('d.json', '[\n1,\n2]');
    expect(await rowsOf(path)).toEqual([
      { file: path, line: 2, index: 0, value: 1 },
      { file: path, line: 3, index: 1, value: 2 },
    ]);
  });
});

describe('a document', () => {
  const faults: [string, string, string][] = [
    [
      'a missing comma',
      '[\n  1\n  2]',
      'd is not valid JSON at line 3, column 3: found "2", expected "," or "]"',
    ],
    ['a comma too many', '[1,\n]', 'line 2, column 1: found "]", expected a value'],
    [
      'a comma too many in an object',
      '[{"a":1,}]',
      'line 1, column 9: found "}", expected a key in double quotes',
    ],
    ['an end that comes early', '[{"é": [1, 2', 'line 1, column 13: the file ends, expected "," or "]"'],
    ['an end within a string', '["ab', 'line 1, column 5: the file ends, expected the rest of a string'],
    [
      'a line break within a string',
      '["a\nb"]',
      'line 1, column 4: found "\\n", expected the rest of a string',
    ],
    ['text behind it', '[1]\n\n [2]', 'line 3, column 2: found "[", expected nothing more'],
    ['NaN', '[NaN]', 'line 1, column 2: found "N", expected a value'],
    ['a word that is none', '[nul]', 'line 1, column 5: found "]", expected null'],
    ['a number with a leading zero', '[01]', 'line 1, column 3: found "1", expected "," or "]"'],
    ['a number without digits', '[-]', 'line 1, column 3: found "]", expected a digit'],
    ['a wrong escape', '["\\x"]', 'line 1, column 4: found "x", expected an escape'],
    ['a short escape', '["\\u12G4"]', 'line 1, column 7: found "G", expected a hexadecimal digit'],
    ['a column behind wide characters', '["😀é", €]', 'line 1, column 8: found "€", expected a value'],
    ['no colon', '{"a" 1}', 'line 1, column 6: found "1", expected ":"'],
  ];
  it.each(faults)('with %s is an error with line and column', async (_name, text, says) => {
    const fault = await faultOf(() => document(text));
    expect(fault.code).toBe('data_malformed');
    expect(fault.message).toContain(says);
    const [, line, column] = /line (\d+), column (\d+)/.exec(fault.message)!;
    expect(fault.data).toMatchObject({ file: 'd', line: Number(line), column: Number(column) });
  });

  it('that is no UTF-8 is an error with the byte offset', async () => {
    const bytes = Buffer.concat([Buffer.from('\uFEFF[\n"é",\n"'), Buffer.of(0xe9), Buffer.from('"]')]);
    const fault = await faultOf(() => rowsIn(bytes, named));
    expect(fault.message).toContain('d is not UTF-8: byte 0xE9 at byte offset 12 of the file');
    expect(bytes[12]).toBe(0xe9);
    expect(fault.data).toMatchObject({ file: 'd', byteOffset: 12 });
  });

  it('in UTF-16 is recognised', async () => {
    const fault = await faultOf(() => rowsIn(Buffer.from('[1, 2]', 'utf16le'), named));
    expect(fault.message).toMatch(/line 1, column 2: found "\\u0000".*looks like UTF-16/);
  });

  it('without rows where they should be lists the keys that are there', async () => {
    const text = JSON.stringify({ version: 1, data: { intersentence: [], note: {} } });
    expect((await faultOf(() => document(text, WAYS))).message).toBe(
      'd has no rows at data.intrasentence or rows; data has the keys "intersentence", "note"; the document has the ' +
        'keys "version", "data"',
    );
    expect((await faultOf(() => document(text, { rowsAt: [['version', 'x']] }))).message).toContain(
      'version is no object',
    );
    expect((await faultOf(() => document(text, { rowsAt: [['data', 'note']] }))).message).toContain(
      'data.note is no array',
    );
    expect((await faultOf(() => document('{\n}', WAYS))).message).toContain('the document has no keys');
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, i])));
    expect((await faultOf(() => document(many))).message).toMatch(
      /no array of rows.*"k11" and 8 more; give an array/,
    );
    expect((await faultOf(() => document('3'))).message).toContain('the document is no object');
  });

  it('that is too large says so', async () => {
    async function* chunks() {
      yield Buffer.from('[1,');
      yield Buffer.from('2]');
    }
    const read = (maxBytes: number) => collect(documentRows(chunks(), 'd', 0, { maxBytes }));
    expect((await read(5)).map(({ value }) => value)).toEqual([1, 2]);
    const fault = await faultOf(() => read(4));
    expect(fault.code).toBe('data_malformed');
    expect(fault.message).toMatch(/d is one JSON document of more than 4 bytes.*JSON Lines/);
  });

  it('may be as deep as it likes', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expect(jsonFault(Buffer.from(deep))).toBeNull();
    expect(jsonFault(Buffer.from(deep.slice(1)))?.at).toBe(399_998);
  });
});

describe('the walk over JSON', () => {
  const values = fc.json({ maxDepth: 4 });

  it('agrees with JSON.parse on what is JSON', () => {
    const spoilt = fc
      .tuple(
        values,
        fc.nat(),
        fc.constantFrom('', '"', ',', ':', '[', '}', '0', '-', '.', 'e', '\\', '\n', 't', '\u00a0', '\0'),
      )
      .map(([text, at, piece]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + piece + text.slice(place + (at % 2));
      });
    const numbers = fc.stringMatching(/^[-+]?[0-9.eE+-]{1,6}$/);
    fc.assert(
      fc.property(fc.oneof(values, spoilt, numbers), (text) => {
        const bytes = Buffer.from(text);
        let valid = true;
        try {
          JSON.parse(bytes.toString());
        } catch {
          valid = false;
        }
        expect(jsonFault(bytes) === null).toBe(valid);
      }),
      { numRuns: 5000 },
    );
  });

  it('calls the beginning of JSON a fault at its end, and knows no fault before that', () => {
    fc.assert(
      fc.property(values, fc.nat(), (text, at) => {
        const bytes = Buffer.from(text);
        const begun = bytes.subarray(0, at % bytes.length);
        const fault = jsonFault(begun);
        if (fault !== null) expect(fault.at).toBe(begun.length);
      }),
    );
  });

  it('gives every element of any array, each with its line', async () => {
    const space = fc.constantFrom('', ' ', '\n', '\r\n', '\n\n\t');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(values, space, space)),
        space,
        fc.integer({ min: 1, max: 9 }),
        async (items, end, size) => {
          let text = '[';
          const rows: [number, unknown][] = [];
          for (const [at, [json, before, behind]] of items.entries()) {
            text += before;
            rows.push([text.split('\n').length, JSON.parse(json)]);
            text += json + behind + (at < items.length - 1 ? ',' : '');
          }
          text += `${end}]`;
          expect((await rowsIn(text, 'json', size)).map(brief)).toEqual(rows);
          expect(
            (await rowsIn(`{"a":{"b":${text}}}`, 'json', size, { rowsAt: [['a', 'b']] })).map(brief),
          ).toEqual(rows);
        },
      ),
    );
  });
});
