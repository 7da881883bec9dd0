/** The original's reading, faults included; the texts of the vectors are held against it in corpus.test.ts. */
import { describe, expect, it } from 'vitest';
import { extractJson, extractOriginal } from '../../../src/parse/index.ts';

const FENCE = '```';

describe('the original reads', () => {
  it.each([
    ['x {"a":1} y', { a: 1 }],
    ['<think>{"a":2}</think>{"a":1}', { a: 1 }],
    ['a</think>b</think>{"a":1}', { a: 1 }],
    [`{"b":2} ${FENCE}json\n{"a":1}\n${FENCE}`, { a: 1 }],
    [`${FENCE}JSON {"a":{"b":1}} ${FENCE} ${FENCE}{"a":2}${FENCE}`, { a: { b: 1 } }],
    ['[{"a":1}]', { a: 1 }],
    ['{"a":2,"a":1}', { a: 1 }],
    ['{"a":Ġ1}Ċ', { a: 1 }],
    ['{"a":"Ġużeppi"}', { a: ' użeppi' }],
    ['<think>{"a":1} but', { a: 1 }],
    ['{"a":NaN,"b":-Infinity,"c":"NaN"}', { a: null, b: null, c: 'NaN' }],
    [`{"a":${'9'.repeat(400)}}`, { a: null }],
  ])('%s', (text, value) => {
    expect(extractOriginal(text)).toMatchObject({ status: 'ok', value, repaired: false, repairs: [] });
  });

  it.each([
    ['{x} {"a":1}', 'invalid_json', 'ok'],
    ['{"a":1} {x}', 'invalid_json', 'ok'],
    ['{"a":1} {"a":1}', 'invalid_json', 'ok'],
    ['{"a":"</think>"}', 'no_json', 'ok'],
    [`${FENCE}{"a":"}${FENCE}"}${FENCE}`, 'invalid_json', 'ok'],
    ['{"a":1,}', 'invalid_json', 'ok'],
    ["{'a':1}", 'invalid_json', 'ok'],
    ['{"a":"b\nc"}', 'invalid_json', 'ok'],
    ['{"a":1', 'no_json', 'truncated'],
    ['} {', 'no_json', 'no_json'],
    ['[1]', 'no_json', 'ok'],
    ['', 'no_json', 'no_json'],
    ['{"a":1-2}', 'invalid_json', 'invalid_json'],
  ])('%s as %s, where we read %s', (text, original, ours) => {
    expect([extractOriginal(text).status, extractJson(text).status]).toEqual([original, ours]);
  });

  it('notes what it lets pass', () => {
    const codes = (text: string) => {
      const answer = extractOriginal(text);
      return answer.status === 'ok' && answer.notes.map(({ code }) => code);
    };
    expect(codes('{"a":NaN}')).toEqual(['nan_as_null']);
    expect(codes('{"a":Ġ1}')).toEqual(['bpe_markers']);
    expect(codes('{"a":1}')).toEqual([]);
  });
});
