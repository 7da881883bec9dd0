import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRows } from '../../src/dataset/dataset.ts';
import { MAX_ROW_BYTES } from '../../src/dataset/lines.ts';
import { brief, collect, rowsIn } from './helpers.ts';

describe('text', () => {
  it('is a row a line, as it stands, blank lines left out', async () => {
    expect(await rowsIn('\uFEFF1 [The nurse]\r\n\r\n \t\n  two \n"x\ty"', 'text', 3)).toEqual([
      { file: 'd', line: 1, index: 0, value: { text: '1 [The nurse]' } },
      { file: 'd', line: 4, index: 1, value: { text: '  two ' } },
      { file: 'd', line: 5, index: 2, value: { text: '"x\ty"' } },
    ]);
  });

  it('keeps what is no line feed within a line', async () => {
    expect((await rowsIn('a\rb\u2028c\u0085d\n', 'text')).map(brief)).toEqual([
      [1, { text: 'a\rb\u2028c\u0085d' }],
    ]);
  });

  it('gives back any lines, in any chunks', async () => {
    const line = fc.string({ unit: 'grapheme' }).filter((text) => !/[\n\r\0]|^\uFEFF/.test(text));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line),
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 1, max: 9 }),
        async (lines, feed, size) => {
          const expected = lines.flatMap((text, at) => (text.trim() === '' ? [] : [[at + 1, { text }]]));
          expect((await rowsIn(lines.join(feed), 'text', size)).map(brief)).toEqual(expected);
        },
      ),
    );
  });
});

describe('a line longer than any row may be', () => {
  const MEGABYTE = Buffer.alloc(1024 * 1024, 'x');
  async function* chunks(before: string, behind: string) {
    yield Buffer.from(before);
    for (let size = 0; size <= MAX_ROW_BYTES; size += MEGABYTE.length) yield MEGABYTE;
    yield Buffer.from(behind);
  }
  it.each([
    ['text', 'a\n', '\nb', [{ text: 'a' }, { text: 'b' }]],
    ['jsonl', '1\n"', '"\n2', [1, 2]],
    ['csv', 'a\n1\n', '\n2', [{ a: '1' }, { a: '2' }]],
  ] as const)('is an error of its own row: %s', async (format, before, behind, [first, last]) => {
    const rows = await collect(readRows(chunks(before, behind), { path: 'd', format }));
    expect(rows.map(({ value }) => value)).toEqual([first, undefined, last]);
    expect(rows[1]!.error!.message).toContain(
      `row 2 (line ${rows[1]!.line}) is longer than ${MAX_ROW_BYTES} bytes`,
    );
    expect(rows[2]!.line).toBe(rows[1]!.line + 1);
  });
});
