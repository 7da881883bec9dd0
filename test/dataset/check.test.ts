import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkRow } from '../../src/dataset/index.ts';
import { AuditError } from '../../src/errors.ts';

const schema = z.strictObject({
  id: z.string().min(1),
  x: z.string(),
  x_swap: z.string(),
  lang: z.enum(['en', 'de']).optional(),
  options: z.array(z.object({ label: z.string() })).optional(),
  share: z.number().max(1, { error: 'is a share from 0 to 1' }).optional(),
});
const row = (value: unknown, file = 'd.jsonl') => ({ file, line: 4, index: 2, value });

function message(value: unknown): string {
  const checked = checkRow(schema, row(value));
  if (checked.ok) throw new Error('the row is right');
  expect(checked.error.code).toBe('row_invalid');
  return checked.error.message;
}

describe('checkRow', () => {
  it('gives the value that the schema reads', () => {
    const value = { id: 'n-2', x: 'a', x_swap: 'b' };
    expect(checkRow(schema, row(value))).toEqual({ ok: true, value });
    expect(checkRow(z.object({ n: z.coerce.number() }), row({ n: '3' }))).toEqual({
      ok: true,
      value: { n: 3 },
    });
  });

  it('names row, line, id and key', () => {
    expect(message({ id: 'n-2', x: 'a' })).toBe(
      'd.jsonl: row 3 (line 4, id "n-2"): x_swap is missing; give a string; found: "id", "x"',
    );
    const checked = checkRow(schema, row({ id: 'n-2', x: 'a' }, 'e.jsonl'));
    expect(checked.ok ? null : checked.error.data).toMatchObject({
      file: 'e.jsonl',
      line: 4,
      index: 2,
      id: 'n-2',
      key: 'x_swap',
    });
  });

  const base = { id: 'i', x: 'a', x_swap: 'b' };
  const cases: [unknown, string][] = [
    [{ x: 'a', x_swap: 'b' }, 'row 3 (line 4): id is missing; give a string'],
    [{ ...base, x: 3 }, 'x is a number; give a string'],
    [{ ...base, x: null }, 'x is null; give a string'],
    [{ ...base, x: ['a'] }, 'x is an array; give a string'],
    [{ ...base, id: '' }, 'id is ""; give a string that is not empty'],
    [{ ...base, lang: 'fr' }, 'lang is "fr"; give "en" or "de"'],
    [{ ...base, swap: 'c' }, 'unknown key "swap"; check its spelling'],
    [{ ...base, options: [{ label: 'a' }, {}] }, 'options[1].label is missing; give a string'],
    [{ ...base, share: 40 }, 'share: is a share from 0 to 1'],
    [[1], 'the row is an array; give an object'],
    [null, 'the row is null; give an object'],
    ['text', 'the row is a string; give an object'],
  ];
  it.each(cases)('%j', (value, says) => {
    expect(message(value)).toContain(says);
  });

  it('shows three of many problems', () => {
    const told = message({ id: 1, x: 2, x_swap: 3, lang: 4, share: 'x' });
    expect(told.match(/; give/g)).toHaveLength(3);
    expect(told).toContain('id 1)');
    expect(told).toContain('and 2 more');
  });

  it('passes on what kept the row from being read', () => {
    const error = new AuditError('data_malformed', 'm');
    expect(checkRow(schema, { ...row(undefined), error })).toEqual({ ok: false, error });
  });
});
