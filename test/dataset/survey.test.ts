import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  type DatasetRow,
  openDataset,
  type SurveyPart,
  surveyDataset,
  surveyParts,
} from '../../src/dataset/index.ts';
import { AuditError } from '../../src/errors.ts';
import { faultOf } from '../fault.ts';
import { rowsOf, temporaryFolder } from './helpers.ts';

const folder = temporaryFolder();
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('openDataset', () => {
  it('tells the format by the name, in any case, unless it is said', async () => {
    const cases: [string, unknown][] = [
      ['a.jsonl', [1, '2,\t3']],
      ['a.ndjson', [1, '2,\t3']],
      ['a.json', [1, '2,\t3']],
      ['a.CSV', [{ '1': '2,\t3' }]],
      ['a.tsv', [{ '1': '2,\t3' }]],
      ['a.txt', [{ text: '1' }, { text: '"2,\\t3"' }]],
      ['a.txt.dev', [{ text: '1' }, { text: '"2,\\t3"' }]],
      ['a.TXT.test', [{ text: '1' }, { text: '"2,\\t3"' }]],
    ];
    for (const [name, values] of cases) {
      const delimited = /csv|tsv/i.test(name);
      const path = await folder.file(name, delimited ? '1\n"2,\t3"\n' : '1\n"2,\\t3"\n');
      expect(
        (await rowsOf(path)).map(({ value }) => value),
        name,
      ).toEqual(values);
    }
    const odd = await folder.file('a.dat', 'x,y\n1,2\n');
    expect((await faultOf(() => openDataset(odd))).code).toBe('bad_argument');
    const rows = [];
    for await (const row of openDataset(odd, { format: 'csv' }).rows()) rows.push(row.value);
    expect(rows).toEqual([{ x: '1', y: '2' }]);
  });

  it('tells a missing file from one that cannot be read', async () => {
    const missing = await faultOf(async () => openDataset(await folder.file('none.jsonl')));
    expect(missing).toMatchObject({ code: 'file_not_found' });
    expect(missing.message).toContain('none.jsonl');
    const path = await folder.file('folder.jsonl');
    await mkdir(path);
    const error = await faultOf(() => openDataset(path));
    expect(error.code).toBe('file_unreadable');
    expect(error.message).toContain('is a folder');
  });

  it('starts again at every call, and may be left early', async () => {
    const dataset = openDataset(await folder.file('again.jsonl', '1\n2\n3\n'));
    for await (const { value } of dataset.rows()) {
      expect(value).toBe(1);
      break;
    }
    const values = [];
    for await (const { value } of dataset.rows()) values.push(value);
    expect(values).toEqual([1, 2, 3]);
  });
});

describe('surveyDataset', () => {
  it('counts rows and hashes bytes', async () => {
    const text = '\uFEFF{"id":1}\r\n\r\n{"id":2}';
    const path = await folder.file('ok.jsonl', text);
    const measures = { sha256: sha256(text), bytes: Buffer.byteLength(text), rows: 2 };
    expect(await surveyDataset(path)).toEqual({ ...measures, invalid: 0, files: [{ path, ...measures }] });
  });

  it('gives the first error, of reading or of the second opinion', async () => {
    const path = await folder.file('bad.jsonl', '1\n{\n3\n4\n');
    const validate = ({ value, index }: { value: unknown; index: number }) =>
      value === 3 || value === 1 ? new AuditError('row_invalid', `row ${index + 1}`) : null;
    const survey = await surveyDataset(path, { validate });
    expect(survey).toMatchObject({ rows: 4, invalid: 3 });
    expect(survey.firstError).toMatchObject({ code: 'row_invalid', message: 'row 1' });
    expect((await surveyDataset(path)).firstError).toMatchObject({ code: 'data_malformed' });
  });

  it('looks at a few rows when asked, but hashes the whole file', async () => {
    for (const [name, text] of [
      ['limit.jsonl', '1\n2\n{\n'.repeat(200_000)],
      ['limit.csv', `a\n${'1\n2\n'.repeat(200_000)}`],
    ] as const) {
      const path = await folder.file(name, text);
      expect(await surveyDataset(path, { limit: 2 })).toMatchObject({
        sha256: sha256(text),
        bytes: text.length,
        rows: 2,
        invalid: 0,
      });
    }
    const path = await folder.file('one.jsonl', '1\n');
    expect((await surveyDataset(path, { limit: 5 })).rows).toBe(1);
    for (const limit of [0, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect((await faultOf(() => surveyDataset(path, { limit }))).code).toBe('bad_argument');
    }
  });

  it('gives each of several parts what it has alone, in one pass over several files', async () => {
    const paths = [
      await folder.file('p1.jsonl', '1\n2\n{\n4\n2\n'),
      await folder.file('p2.jsonl', '5\n6\n7\n'),
      await folder.file('p3.jsonl', '8\n1\n'),
    ];
    const validate = ({ value }: DatasetRow) => (value === 6 ? new AuditError('row_invalid', 'six') : null);
    const idOf = ({ value }: DatasetRow) => (typeof value === 'number' ? `${value}` : null);
    const parts: SurveyPart[] = [
      {},
      { validate, idOf },
      { limit: 2 },
      { limit: 6, validate },
      { keep: ({ value }) => value === 5 || value === 8, limit: 2, idOf },
      { keep: () => false },
    ];
    const alone = [];
    for (const part of parts) alone.push(await surveyDataset(paths, part));
    expect(await surveyParts(paths, parts)).toEqual(alone);
    expect(alone.map(({ rows, invalid }) => [rows, invalid])).toEqual([
      [10, 1],
      [10, 4],
      [2, 0],
      [6, 1],
      [2, 0],
      [0, 0],
    ]);
  });

  it('refuses a file without rows', async () => {
    for (const [name, text, says] of [
      ['empty.jsonl', '', 'is empty'],
      ['blank.jsonl', '\n \n', 'holds no rows'],
      ['header.csv', 'a,b\n', 'holds no rows'],
    ] as const) {
      const path = await folder.file(name, text);
      const error = await faultOf(() => surveyDataset(path));
      expect(error.code).toBe('data_empty');
      expect(error.message).toContain(name);
      expect(error.message).toContain(says);
    }
  });

  it('passes on a header that names no columns', async () => {
    const path = await folder.file('twice.csv', 'a,a\n1,2\n');
    expect((await faultOf(() => surveyDataset(path))).code).toBe('data_malformed');
    expect((await faultOf(() => rowsOf(path))).message).toContain('twice.csv');
  });
});
