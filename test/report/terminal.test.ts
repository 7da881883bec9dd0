/** What reaches a terminal: everything can be seen, and honest text of any script stays as it is. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { forScreen, styles, visible, visibleLine } from '../../src/report/terminal.ts';

describe('what steers a terminal is spelt out', () => {
  it.for([
    ['a colour', '\u001b[31mred', '\\u001b[31mred'],
    ['a C1 CSI', '\u009b31m', '\\u009b31m'],
    ['the clipboard (OSC 52)', '\u001b]52;c;AAAA\u0007', '\\u001b]52;c;AAAA\\u0007'],
    ['a link (OSC 8)', '\u001b]8;;http://x\u001b\\y', '\\u001b]8;;http://x\\u001b\\y'],
    ['a title, ended by C1', '\u009d0;x\u009c', '\\u009d0;x\\u009c'],
    ['backspaces and returns', 'ab\b\b\rcd', 'ab\\u0008\\u0008\\u000dcd'],
    ['delete and null', '\u007f\u0000', '\\u007f\\u0000'],
    ['shifts of character sets', '\u000e\u000f', '\\u000e\\u000f'],
    ['overrides of direction', 'a\u202eb\u2066c\u2069', 'a\\u202eb\\u2066c\\u2069'],
    ['marks of direction in Latin text', 'a\u200e\u200fb', 'a\\u200e\\u200fb'],
    ['separators', 'a\u2028b\u2029', 'a\\u2028b\\u2029'],
    ['spaces of no width', 'a\u200bb\ufeffc\u2060', 'a\\u200bb\\ufeffc\\u2060'],
    ['joiners in Latin text', 'pass\u200dwo\u200crd', 'pass\\u200dwo\\u200crd'],
    ['several joiners', 'क\u200d\u200d', 'क\u200d\\u200d'],
    ['soft hyphens, fillers', 'a\u00adb\u3164\uffa0', 'a\\u00adb\\u3164\\uffa0'],
    ['tags that spell hidden text', 'a\u{e0041}\u{e007f}', 'a\\udb40\\udc41\\udb40\\udc7f'],
    ['selectors that spell hidden text', 'a\ufe0f\ufe01\u{e0101}', 'a\ufe0f\\ufe01\\udb40\\udd01'],
    ['half a surrogate pair', 'a\ud800b\udc00', 'a\\ud800b\\udc00'],
    ['annotations', '\ufff9a\ufffab\ufffb', '\\ufff9a\\ufffab\\ufffb'],
  ] as const)('%s', ([, text, shown]) => {
    expect(visible(text)).toBe(shown);
  });
});

describe('text stays text', () => {
  it.for([
    'naïve café, Ωμέγα, Привет',
    'e\u0301',
    'می\u200cخواهم',
    'क्\u200dष',
    'שלום\u200f!',
    '👩\u200d👩\u200d👧, 👍🏽, ❤\ufe0f, ❤\ufe0f\u200d🔥, 🏳\ufe0f\u200d🌈, 1\ufe0f\u20e3, 🇩🇪',
    '葛\u{e0100}飾区',
    'a\tb\nc',
    'ไทย, 한국어, 日本語',
  ])('%s', (text) => {
    expect(visible(text)).toBe(text);
  });
});

it('puts foreign text on one line where a line is wanted', () => {
  expect(visibleLine('a\r\nb\u2028c\u0085d\u001b')).toBe('a b c d\\u001b');
});

it('keeps the value of a line of JSON', () => {
  const value = { 'key\u0085': 'a\u001b\u202e\u{e0041}\ud800 e\u0301 می\u200cخواهم \u2028' };
  const line = forScreen(JSON.stringify(value));
  expect(line).toContain('\\u202e');
  expect(JSON.parse(line)).toEqual(value);
});

it('has styles of its own, which no text can imitate', () => {
  const { bold } = styles(true);
  expect(forScreen(bold('a\u001b[1mb'))).toBe('\u001b[1ma\\u001b[1mb\u001b[22m');
  expect(styles(false).bold('a')).toBe('a');
});

test('nothing in src writes to the terminal but src/report/terminal.ts', () => {
  const root = fileURLToPath(new URL('../../src/', import.meta.url));
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const writers = files.filter((file) =>
    /process\.(?:stdout|stderr|std\b|_rawDebug)|process\[|\bconsole\.|writeSync\((?:1|2)\b|['"]\/dev\/(?:tty|std)|emitWarning/.test(
      readFileSync(root + file, 'utf8'),
    ),
  );
  expect(writers).toEqual(['report/terminal.ts']);
  expect(files.length).toBeGreaterThan(500);
});
