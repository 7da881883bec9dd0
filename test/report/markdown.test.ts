import { describe, expect, it } from 'vitest';
import { ABSENT } from '../../src/report/index.ts';
import { markdownTable } from '../../src/report/markdown.ts';

const cell = (text: string) =>
  markdownTable([{ key: 'text' }], [{ text }])
    .split('\n')[2]!
    .replace(/^\| | *\|$/g, '');

describe('markdownTable', () => {
  it('draws a table with numbers to the right', () => {
    const table = markdownTable(
      [{ key: 'name' }, { key: 'n', header: 'rows', format: (n) => `${n}` }],
      [
        { name: 'a', n: 1 },
        { name: 'bcd', n: null },
      ],
    );
    expect(table).toBe(`| name | rows |\n| :--- | ---: |\n| a    |    1 |\n| bcd  |    ${ABSENT} |`);
  });

  it.each([
    ['a|b', 'a\\|b'],
    ['a\\|b', 'a\\\\\\|b'],
    ['*bold* _it_', '\\*bold\\* \\_it\\_'],
    ['`code`', '\\`code\\`'],
    ['<script>', '\\<script\\>'],
    ['&lt;b&gt;', '\\&lt;b\\&gt;'],
    ['~~gone~~', '\\~\\~gone\\~\\~'],
    ['$x$', '\\$x\\$'],
    ['[text](http://x)', '[text\\](http://x)'],
    ['![image](x)', '![image\\](x)'],
    ['[a]: b', '[a\\]: b'],
    ['[a][b]', '[a\\][b]'],
    ['0.50 [0.10, 0.90]', '0.50 [0.10, 0.90]'],
    ['two\nlines', 'two lines'],
    ['\u001b[31mred', '\\\\u001b[31mred'],
  ])('%j is text', (text, expected) => {
    expect(cell(text)).toBe(expected);
  });

  it('escapes heads as it does cells', () => {
    expect(markdownTable([{ key: 'a|b' }], [{ 'a|b': 'x' }]).split('\n')[0]).toBe('| a\\|b |');
  });
});
