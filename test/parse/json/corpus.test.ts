/** The shared corpus of texts that are hard to parse, and the texts of the scale vectors, both ways of reading. */
import { readFileSync } from 'node:fs';
import { parse as parseCsv } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { extractJson, parseObject, readSchema } from '../../../src/parse/index.ts';
import { sharedFile } from '../../oracle/shared.ts';

const HARD = sharedFile('vectors/hard_outputs.jsonl');
const SCALES = sharedFile('vectors/scales/README.md');

interface HardCase {
  readonly id: string;
  readonly text: string;
  readonly expect: { readonly object?: unknown; readonly error?: string };
}

/** Fits every case of the corpus: nothing in it is required. */
const SCORES = readSchema({
  fields: {
    group: { type: 'integer', min: 6, max: 30, required: false },
    interpersonal: { type: 'integer', min: 6, max: 30, required: false },
  },
});

describe.skipIf(HARD === null)('hard outputs', () => {
  const cases =
    HARD === null
      ? []
      : readFileSync(HARD, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as HardCase);

  it.each(cases)('$id', ({ text, expect: { object, error } }) => {
    const answer = parseObject(text, SCORES);
    expect(answer.status === 'ok' ? answer.value : answer.status).toEqual(object ?? error);
    if (error !== 'out_of_range') expect(extractJson(text).status).toBe(error ?? 'ok');
  });
});

const CA = readSchema({
  fields: {
    self_reported_group_ca: { type: 'integer', min: 6, max: 30 },
    self_reported_interpersonal_ca: { type: 'integer', min: 6, max: 30 },
    self_reported_band_group: band(),
    self_reported_band_interpersonal: band(),
  },
});

function band() {
  const values = ['low', 'moderate', 'high'];
  return { type: 'enum', values, empty: ['', 'nan', 'none', 'null'], required: false, soft: true };
}

type Row = Readonly<Record<string, string>>;
const table = (name: string): Row[] =>
  parseCsv(readFileSync(sharedFile(`vectors/scales/${name}`)!), { columns: true });

describe.skipIf(SCALES === null)('scale vectors', () => {
  if (SCALES === null) return;
  const kinds = table('expected/error_kinds.csv').map(({ error_kind, input_kind }, row) => ({
    row,
    kind: input_kind!,
    error: error_kind!,
  }));
  const texts = table('results.csv').map(({ generated_text }) => generated_text!);
  const expected = table('expected/predictions.csv').map((row) => [
    ...[row.pred_group_ca!, row.pred_interpersonal_ca!].map(Number),
    ...[row.pred_group_band!, row.pred_interpersonal_band!].map((word) => (word === '' ? null : word)),
  ]);
  const quirks = new Map<number, readonly number[] | null>(
    JSON.parse(readFileSync(sharedFile('vectors/scales/expected/quirks.json')!, 'utf8')).rows.map(
      (quirk: { row: number; better: number[] | null }) => [quirk.row, quirk.better],
    ),
  );
  const rows = kinds.filter(({ error }) => error !== 'bad_caseid');
  const scores = (text: string, options: Parameters<typeof parseObject>[2]) => {
    const answer = parseObject(text, CA, options);
    if (answer.status !== 'ok') return answer.status;
    return Object.keys(CA.fields).map((key) => answer.value[key] ?? null);
  };
  const KINDS: Readonly<Record<string, string>> = { json_syntax: 'invalid_json', bad_band: 'bad_label' };

  it.each(rows)('row $row as the original reads it ($kind)', ({ row, error }) => {
    const read = scores(texts[row]!, { compat: 'psych755' });
    expect(read).toEqual(error === '' ? expected[row] : (KINDS[error] ?? error));
  });

  const REPAIRED = new Set(['trailing_comma', 'single_quotes']);
  it.each(rows)('row $row at its best ($kind)', ({ row, kind, error }) => {
    const read = scores(texts[row]!, { several: 'first_fence' });
    const strict = scores(texts[row]!, { several: 'first_fence', repair: false });
    if (REPAIRED.has(kind)) {
      expect(read).toEqual([expect.any(Number), expect.any(Number), null, null]);
      expect(strict).toBe('invalid_json');
      return;
    }
    expect(strict).toEqual(read);
    const better = quirks.get(row);
    if (kind === 'two_objects') {
      // Neither is in a fence: the vectors leave it open whether to tell so or to take the last.
      expect(read).toBe('multiple_objects');
      expect(scores(texts[row]!, { several: 'last' }).slice(0, 2)).toEqual(better);
    } else if (kind === 'cut' || better === null) {
      expect(read).toBe('truncated');
    } else if (better !== undefined) {
      expect(read.slice(0, 2)).toEqual(better);
    } else {
      expect(read).toEqual(error === '' ? expected[row] : (KINDS[error] ?? error));
    }
  });
});
