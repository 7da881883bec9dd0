/** The built-in mock of scores: what it answers, and what it refuses. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { isMock, openMock, SCALE_MOCK } from '../../src/model/index.ts';
import type { Measure, ObserveRequest } from '../../src/observation/observation.ts';
import { fault } from '../fault.ts';

const NOTHING: Measure = { groups: [], topK: 0, pairTopK: [] };
const messages = [
  { role: 'system', content: 'Rate.' },
  { role: 'user', content: 'You are é.' },
] as const;

async function answers(requests: readonly ObserveRequest[]) {
  await using mock = openMock(SCALE_MOCK);
  return await mock.observeWindow(requests, NOTHING);
}

test('each key has the byte of its place, within its range', async () => {
  const roles = { group: '6..30', interpersonal: '6..30', below: '-2..-1', one: '5..5' };
  const { generations, failures } = await answers([{ kind: 'generate', prompt: { messages }, roles }]);
  const bytes = createHash('sha256').update('Rate.\nYou are é.').digest();
  expect(failures).toEqual([]);
  expect(generations.texts.map((text) => JSON.parse(text))).toEqual([
    { group: 6 + (bytes[0]! % 25), interpersonal: 6 + (bytes[1]! % 25), below: -2 + (bytes[2]! % 2), one: 5 },
  ]);
});

test('a text is hashed as it is; without ranges there is no answer', async () => {
  const roles = { a: '0..255' };
  const { generations, failures } = await answers([
    { kind: 'generate', prompt: 'Rate.\nYou are é.', roles },
    { kind: 'generate', prompt: { messages }, roles },
    { kind: 'generate', prompt: { messages } },
    { kind: 'generate', prompt: { messages }, roles: { unknown: 'A' } },
  ]);
  expect(new Set(generations.texts).size).toBe(1);
  expect(failures.map(({ request, code }) => [request, code])).toEqual([
    [2, 'bad_argument'],
    [3, 'bad_argument'],
  ]);
});

test('there is one mock', () => {
  expect([isMock('mock:x'), isMock('policy:random'), isMock('mock.gguf')]).toEqual([true, false, false]);
  expect(fault(() => openMock('mock:x')).message).toContain('give mock:scale');
});
