/** Several files as one data set, the ids of their rows, and small tables. */
import { createHash } from 'node:crypto';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type DatasetRow,
  filesIn,
  openDataset,
  surveyDataset,
  tableFile,
  uniqueIds,
} from '../../src/dataset/index.ts';
import { faultOf } from '../fault.ts';
import { brief, collect, rowsOf, temporaryFolder } from './helpers.ts';

const folder = temporaryFolder();
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const idOf = ({ value }: DatasetRow) => {
  const { id } = value as { id?: unknown };
  return typeof id === 'string' ? id : null;
};

describe('several files', () => {
  it('are one data set, whatever their formats, each row with its file and its line there', async () => {
    const paths = [
      await folder.file('a.csv', 'id\nx\n\ny\n'),
      await folder.file('b.json', '[\n{"id":"z"}]'),
      await folder.file('c.jsonl', '\n{\n{"id":"w"}'),
      await folder.file('d.txt', 'v\n'),
    ];
    const rows = await rowsOf(paths);
    expect(openDataset(paths).files).toEqual(paths);
    expect(rows.map(({ file, line, index, value }) => [paths.indexOf(file), line, index, value])).toEqual([
      [0, 2, 0, { id: 'x' }],
      [0, 4, 1, { id: 'y' }],
      [1, 2, 2, { id: 'z' }],
      [2, 2, 3, undefined],
      [2, 3, 4, { id: 'w' }],
      [3, 1, 5, { text: 'v' }],
    ]);
    expect(rows[3]!.error!.message).toContain(`${paths[2]}: row 4 (line 2) is not valid JSON`);
    expect(rows[3]!.error!.data).toMatchObject({ file: paths[2], line: 2, index: 3 });
  });

  it('may not be none, nor one of them twice under any name', async () => {
    const path = await folder.file('once.jsonl', '1\n');
    const other = await folder.file('other.jsonl');
    await symlink(path, other);
    expect((await faultOf(() => openDataset([]))).code).toBe('bad_argument');
    for (const [paths, says] of [
      [[path, path], `${path} is given twice`],
      [[path, other], `${path} and ${other} are one file, which is given twice`],
      [[other, `${dirname(path)}/./once.jsonl`], 'given twice'],
    ] as const) {
      for (const opened of [() => openDataset(paths), () => surveyDataset(paths)]) {
        const error = await faultOf(opened as () => unknown);
        expect(error.code).toBe('bad_argument');
        expect(error.message).toContain(says);
      }
    }
  });

  it('are surveyed each and together', async () => {
    const texts = ['1\n2\n{\n', '3\n4', '5\n'];
    const paths = await Promise.all(texts.map((text, at) => folder.file(`s${at}.jsonl`, text)));
    const survey = await surveyDataset(paths);
    expect(survey).toMatchObject({ sha256: sha256(texts.join('')), bytes: 11, rows: 6, invalid: 1 });
    expect(survey.firstError!.data).toMatchObject({ file: paths[0], line: 3, index: 2 });
    expect(survey.files).toEqual(
      [3, 2, 1].map((rows, at) => ({
        path: paths[at],
        sha256: sha256(texts[at]!),
        bytes: texts[at]!.length,
        rows,
      })),
    );
  });

  it('are looked at up to the limit, and hashed to the end', async () => {
    const texts = ['1\n2\n3\n', '{\n4', '{'];
    const paths = await Promise.all(texts.map((text, at) => folder.file(`l${at}.jsonl`, text)));
    for (const [limit, rows, invalid] of [
      [2, [2, 0, 0], 0],
      [3, [3, 0, 0], 0],
      [4, [3, 1, 0], 1],
    ] as const) {
      const survey = await surveyDataset(paths, { limit });
      expect(survey).toMatchObject({ sha256: sha256(texts.join('')), bytes: 10, rows: limit, invalid });
      expect(survey.files.map((file) => file.rows)).toEqual(rows);
      expect(survey.files.map((file) => file.sha256)).toEqual(texts.map(sha256));
    }
  });

  it('must each have a row, as far as they are looked at', async () => {
    const full = await folder.file('full.txt', 'a\n');
    const blank = await folder.file('blank.txt', '\n\n');
    const error = await faultOf(() => surveyDataset([full, blank]));
    expect([error.code, error.data.file]).toEqual(['data_empty', blank]);
    expect((await surveyDataset([full, blank], { limit: 1 })).rows).toBe(1);
  });
});

describe('ids', () => {
  it('that an earlier row of any file has are an error of the later row', async () => {
    const a = await folder.file('ids-a.jsonl', '{"id":"x"}\n{"id":"y"}\n{"n":1}\n{"n":1}\n');
    const b = await folder.file('ids-b.csv', 'id,n\nz,1\nx,2\nz,3\n');
    const rows = await collect(uniqueIds(openDataset([a, b]).rows(), idOf));
    expect(rows.map(({ index, error }) => [index, error?.code ?? null])).toEqual([
      [0, null],
      [1, null],
      [2, null],
      [3, null],
      [4, null],
      [5, 'row_invalid'],
      [6, 'row_invalid'],
    ]);
    expect(rows[5]!.value).toBeUndefined();
    expect(rows[5]!.error!.message).toBe(
      `${b}: row 6 (line 3, id "x"): row 1 (line 1 of ${a}) has the same id; give each row an id of its own`,
    );
    expect(rows[6]!.error!.message).toContain(`row 7 (line 4, id "z"): row 5 (line 2) has the same id`);
    const survey = await surveyDataset([a, b], { idOf });
    expect(survey).toMatchObject({ rows: 7, invalid: 2 });
    expect(survey.firstError!.toJSON()).toEqual(rows[5]!.error!.toJSON());
  });

  it('may be anything a string may be', async () => {
    const path = await folder.file(
      'odd.jsonl',
      '{"id":"__proto__"}\n{"id":""}\n{"id":"constructor"}\n{"id":""}',
    );
    const rows = await collect(uniqueIds(openDataset(path).rows(), idOf));
    expect(rows.map(({ error }) => error !== undefined)).toEqual([false, false, false, true]);
  });

  it('are asked for only of rows that could be read', async () => {
    const path = await folder.file('broken.jsonl', '{"id":"x"}\n{\n{"id":"y"}');
    const rows = await rowsOf(path);
    expect(await collect(uniqueIds(openDataset(path).rows(), idOf))).toEqual(rows);
    expect(rows[1]!.error!.code).toBe('data_malformed');
  });
});

describe('filesIn', () => {
  it('gives the files whose names match, by name, and no folders', async () => {
    const inside = await folder.file('inside');
    await mkdir(`${inside}/z.txt`, { recursive: true });
    for (const name of ['b.txt', 'a.txt', 'B.txt', 'a10.txt', 'a9.txt', 'c.csv'])
      await folder.file(`inside/${name}`, '1\n');
    const names = (pattern: RegExp) => filesIn(inside, pattern).map((path) => path.slice(inside.length + 1));
    expect(names(/\.txt$/)).toEqual(['B.txt', 'a.txt', 'a10.txt', 'a9.txt', 'b.txt']);
    expect(names(/\.txt$/g)).toEqual(names(/\.txt$/));
    await expect(rowsOf(filesIn(inside, /^a\d/))).resolves.toHaveLength(2);
    const none = await faultOf(() => filesIn(inside, /\.tsv$/));
    expect([none.code, none.message]).toEqual(['file_not_found', expect.stringContaining('/\\.tsv$/')]);
    expect((await faultOf(() => filesIn(`${inside}/no`, /x/))).code).toBe('file_not_found');
    expect((await faultOf(() => filesIn(`${inside}/c.csv`, /x/))).code).toBe('file_unreadable');
  });
});

describe('tableFile', () => {
  const schema = z.object({ job: z.string().min(1), share: z.coerce.number().max(1) });
  it('gives the records of any format', async () => {
    const record = { job: 'nurse', share: 0.5 };
    expect(await tableFile(await folder.file('t.tsv', 'job\tshare\r\nnurse\t0.5\r\n'), schema)).toEqual([
      record,
    ]);
    expect(await tableFile(await folder.file('t.csv', 'share,job\n0.5,nurse\n'), schema)).toEqual([record]);
    expect(await tableFile(await folder.file('t.jsonl', JSON.stringify(record)), schema)).toEqual([record]);
    const odd = await folder.file('t.stats', 'job,share\nnurse,0.5\n');
    expect(await tableFile(odd, schema, { format: 'csv' })).toEqual([record]);
  });

  it('throws the first bad row, and for no rows', async () => {
    const bad = async (name: string, text: string) => {
      const path = await folder.file(name, text);
      return faultOf(() => tableFile(path, schema));
    };
    const invalid = await bad('u.csv', 'job,share\na,1\nb,2\n,3\n');
    expect([invalid.code, invalid.data.line, invalid.data.key]).toEqual(['row_invalid', 3, 'share']);
    expect((await bad('v.csv', 'job,share\na\n')).code).toBe('data_malformed');
    expect((await bad('w.csv', 'job,share\n')).code).toBe('data_empty');
    expect(brief((await rowsOf(await folder.file('x.csv', 'job,share\na,1\n')))[0]!)).toEqual([
      2,
      { job: 'a', share: '1' },
    ]);
  });
});
