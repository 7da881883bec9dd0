import { expect, it } from 'vitest';
import { forTerminal } from '../../src/report/index.ts';

it('spells out for a terminal what could steer it, and changes nothing for a file', () => {
  const text = 'a\tb\n\u001b[31mred\u0007\r\u009b é';
  expect(forTerminal(text, { isTTY: true })).toBe('a\tb\n\\u001b[31mred\\u0007\\u000d\\u009b é');
  expect(forTerminal(text, {})).toBe(text);
});
