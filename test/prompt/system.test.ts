/** System messages folded into the user's. */
import { describe, expect, it } from 'vitest';
import { foldSystem } from '../../src/prompt/index.ts';

const said = (text: string) =>
  text.split(' ').map((turn) => {
    const role = { s: 'system', u: 'user', a: 'assistant', t: 'tool', d: 'developer' }[turn[0]!]!;
    return { role, content: turn };
  });
const shown = (messages: readonly { role: string; content: string }[]) =>
  messages.map(({ role, content }) => `${role[0]}:${content.replaceAll('\n\n', '|')}`).join(' ');

describe('a folded chat', () => {
  it.each([
    ['s1 u1', 'u:s1|u1'],
    ['u1 a1 u2', 'u:u1 a:a1 u:u2'],
    ['s1 s2 u1 a1 u2', 'u:s1|s2|u1 a:a1 u:u2'],
    ['u1 a1 s1 u2', 'u:u1 a:a1 u:s1|u2'],
    ['u1 s1', 'u:u1|s1'],
    ['u1 s1 a1', 'u:u1|s1 a:a1'],
    ['s1', 'u:s1'],
    ['s1 a1 u1', 'u:s1 a:a1 u:u1'],
    ['s1 d1 u1', 'u:s1|d1|u1'],
    ['s1 u1 a1 t1 s2', 'u:s1|u1 a:a1 t:t1 u:s2'],
  ])('%s', (given, folded) => {
    expect(shown(foldSystem(said(given)))).toBe(folded);
  });

  it('keeps what else a message has, and writes no blank line for an empty one', () => {
    const messages = [
      { role: 'system', content: '' },
      { role: 'user', content: 'Who?', name: 'Ann' },
    ];
    expect(foldSystem(messages)).toEqual([{ role: 'user', content: 'Who?', name: 'Ann' }]);
  });
});
