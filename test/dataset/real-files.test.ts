/** The field's own files, read as they were published. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { filesIn, openDataset, surveyDataset, tableFile, uniqueIds } from '../../src/dataset/index.ts';
import { sharedFile } from '../oracle/shared.ts';
import { collect, rowsOf } from './helpers.ts';

const crows = sharedFile('datasets/crows-pairs/data/crows_pairs_anonymized.csv');
const sentences = sharedFile('datasets/winogender/data/all_sentences.tsv');
const statistics = sharedFile('datasets/winogender/data/occupations-stats.tsv');
const winobias = sharedFile('datasets/winobias/WinoBias/wino/data/pro_stereotyped_type1.txt.dev');
const dev = sharedFile('datasets/stereoset/editbias/data/stereoset/dev.json');
const gender = sharedFile('datasets/stereoset/editbias/data/stereoset/gender_test.json');

describe.skipIf(crows === null)('CrowS-Pairs', () => {
  it('has 1,508 rows, each with two sentences', async () => {
    const rows = await rowsOf(crows!);
    expect(rows.filter(({ error }) => error === undefined)).toHaveLength(1508);
    expect(rows).toHaveLength(1508);
    expect(rows.every(({ value }) => (value as { sent_more: string }).sent_more.length > 5)).toBe(true);
  });
});

describe.skipIf(sentences === null)('Winogender', () => {
  it('has 720 sentences with ids of their own', async () => {
    const idOf = ({ value }: { value: unknown }) => (value as { sentid: string }).sentid;
    expect(await surveyDataset(sentences!, { idOf })).toMatchObject({ rows: 720, invalid: 0 });
    expect(await collect(uniqueIds(openDataset(sentences!).rows(), idOf))).toEqual(await rowsOf(sentences!));
  });

  it('has a table of 60 occupations', async () => {
    const percent = z.coerce.number().min(0).max(100);
    const schema = z.object({
      occupation: z.string().min(1),
      bergsma_pct_female: percent,
      bls_pct_female: percent,
      bls_year: z.coerce.number().int(),
    });
    const table = await tableFile(statistics!, schema);
    expect(table).toHaveLength(60);
    expect(table[0]).toEqual({
      occupation: 'technician',
      bergsma_pct_female: 9.42,
      bls_pct_female: 40.34,
      bls_year: 2015,
    });
  });
});

describe.skipIf(winobias === null)('WinoBias', () => {
  it('has eight files of 396 lines, read as one data set', async () => {
    const paths = filesIn(dirname(winobias!), /_type[12]\.txt\.(dev|test)$/);
    const survey = await surveyDataset(paths);
    expect(survey).toMatchObject({ rows: 8 * 396, invalid: 0 });
    expect(survey.files.map(({ rows }) => rows)).toEqual(Array(8).fill(396));
    const rows = await rowsOf(paths);
    expect(rows.map(({ index }) => index)).toEqual(rows.map((_, at) => at));
    expect([rows[396]!.file, rows[396]!.line]).toEqual([paths[1], 1]);
    const texts = rows.map(({ value }) => (value as { text: string }).text);
    expect(texts).toEqual(paths.flatMap((path) => readFileSync(path, 'utf8').trim().split(/\r?\n/)));
  });
});

describe.skipIf(dev === null)('StereoSet, as EditBias has it', () => {
  it('is an array in one line, of 799 and of 253 items', async () => {
    for (const [path, count] of [
      [dev!, 799],
      [gender!, 253],
    ] as const) {
      const rows = await rowsOf(path, { rowsAt: [['data', 'intrasentence']] });
      expect(rows.map(({ value }) => value)).toEqual(JSON.parse(readFileSync(path, 'utf8')));
      expect(rows).toHaveLength(count);
      expect((await surveyDataset(path)).rows).toBe(count);
    }
  });
});
