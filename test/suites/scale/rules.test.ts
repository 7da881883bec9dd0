/** The rules of a scale, on the shipped one: by hand, against the published key, and against the reference's cases. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bandDistance,
  bandOf,
  bandOfValue,
  bandRanges,
  loadScale,
  normBandDistance,
  normScoreDistance,
  predictionKeys,
  predictionSchema,
  readBand,
  responseValue,
  subscaleScore,
} from '../../../src/suites/scale/data/index.ts';
import { fault } from '../../fault.ts';
import { sharedFile } from '../../oracle/shared.ts';

const scale = await loadScale('prca-24');
const { group, meetings, interpersonal, public_speaking } = scale.subscales;
const LABELS = [
  'Strongly disagree',
  'Somewhat disagree',
  'Neither agree nor disagree',
  'Somewhat agree',
  'Strongly agree',
];

/** Signs of the published key, for answers counted from 1 (strongly agree) to 5 (strongly disagree). */
const PUBLISHED = {
  group: [-1, +2, -3, +4, -5, +6],
  meetings: [-7, +8, +9, -10, -11, +12],
  interpersonal: [-13, +14, -15, +16, +17, -18],
  public_speaking: [+19, -20, +21, -22, +23, -24],
};

test('the sums are those of the published key, which counts agreement the other way round', () => {
  const item = fc.integer({ min: 1, max: 5 });
  fc.assert(
    fc.property(fc.array(item, { minLength: 24, maxLength: 24 }), (disagreement) => {
      const answers = Object.fromEntries(
        disagreement.map((value, index) => [`Q${index + 1}`, LABELS[5 - value]!]),
      );
      for (const [name, signs] of Object.entries(PUBLISHED)) {
        const sum = signs.reduce(
          (all, sign) => all + Math.sign(sign) * disagreement[Math.abs(sign) - 1]!,
          18,
        );
        expect(subscaleScore(scale, scale.subscales[name]!, answers), name).toBe(sum);
      }
    }),
  );
});

test('neutral answers are the middle; one missing or odd answer leaves a subscale without a score', () => {
  const neutral = Object.fromEntries(Array.from({ length: 24 }, (_, n) => [`Q${n + 1}`, LABELS[2]]));
  for (const subscale of [group!, meetings!, interpersonal!, public_speaking!]) {
    expect([subscale.min, subscale.max, subscaleScore(scale, subscale, neutral)]).toEqual([6, 30, 18]);
  }
  expect(subscaleScore(scale, group!, { ...neutral, Q3: '' })).toBeNull();
  expect(subscaleScore(scale, group!, { ...neutral, Q3: 'Agree' })).toBeNull();
  const { Q3: _, ...without } = neutral;
  expect(subscaleScore(scale, group!, without)).toBeNull();
  expect(subscaleScore(scale, interpersonal!, without)).toBe(18);
});

test('the ranges of bands hold every score once, whatever the cuts and however they are said', () => {
  const cuts = fc.uniqueArray(fc.integer({ min: -20, max: 20 }), { maxLength: 5 });
  fc.assert(
    fc.property(cuts, fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }), (found, below) => {
      const sorted = found.sort((a, b) => a - b);
      const bands = [...sorted, null].map((cut, index) => ({
        name: `band ${index}`,
        upTo: cut !== null && below[index] ? cut : null,
        from: index > 0 && !below[index - 1] ? sorted[index - 1]! + 1 : null,
      }));
      const ranges = bandRanges({ bands, min: -20, max: 21 });
      for (let score = -20; score <= 21; score += 1) {
        const holding = ranges.filter(({ first, last }) => first <= score && score <= last);
        expect(holding.map(({ name }) => name)).toEqual([bandOf({ bands }, score)]);
        expect(bandOf({ bands }, score)).toBe(`band ${sorted.filter((cut) => score > cut).length}`);
      }
    }),
  );
});

test('a label of a band is read whatever its case; nothing is told from something unknown', () => {
  expect(readBand(scale, ' HIGH ')).toEqual({ kind: 'band', name: 'high', ordinal: 2 });
  for (const nothing of [null, undefined, '', ' NaN ', 'none', 'NULL', Number.NaN]) {
    expect(readBand(scale, nothing)).toEqual({ kind: 'none' });
  }
  expect(readBand(scale, 'mid')).toEqual({ kind: 'unknown', label: 'mid' });
  expect(readBand(scale, 2)).toEqual({ kind: 'unknown', label: '2' });
});

test('a model is asked for two of the four subscales, or for those that are named', () => {
  const score = { type: 'integer', min: 6, max: 30 };
  const values = ['low', 'moderate', 'high'];
  const band = { type: 'enum', values, empty: ['', 'nan', 'none', 'null'], required: false, soft: true };
  expect(predictionSchema(scale)).toEqual({
    fields: {
      self_reported_group_ca: score,
      self_reported_interpersonal_ca: score,
      self_reported_band_group: band,
      self_reported_band_interpersonal: band,
    },
    others: 'drop',
  });
  const keys = predictionKeys(scale, ['public_speaking', 'meetings']).map(({ key }) => key);
  expect(keys).toEqual([
    'self_reported_meetings_ca',
    'self_reported_public_speaking_ca',
    'self_reported_band_meetings',
    'self_reported_band_public_speaking',
  ]);
  const unknown = fault(() => predictionSchema(scale, ['groups']));
  expect(unknown.code).toBe('bad_argument');
  expect(unknown.message).toContain('group, meetings, interpersonal, public_speaking');
  expect(fault(() => predictionSchema(scale, ['group', 'group'])).message).toContain('twice');
  expect(fault(() => predictionSchema(scale, [])).code).toBe('bad_argument');
});

const folder = sharedFile('vectors/scales');
describe.skipIf(folder === null)('the reference', () => {
  const read = (file: string) => readFileSync(`${folder}/${file}`, 'utf8');
  type Case = [...unknown[], { value: unknown }];

  test.each<[name: string, of: (...given: never[]) => unknown]>([
    ['likert', (label: unknown) => responseValue(scale, label)],
    ['band', (score: number | null) => bandOf(scale, score)],
    [
      'band_custom_10_25',
      (score: number) => {
        const bands = [
          { name: 'low', upTo: 10, from: null },
          { name: 'moderate', upTo: null, from: null },
          { name: 'high', upTo: null, from: 25 },
        ];
        return bandOf({ bands }, score);
      },
    ],
    ['band_from_score', (value: unknown) => bandOfValue(scale, value)],
    ['band_distance', (one: string | null, other: string | null) => bandDistance(scale, one, other)],
    ['norm_score_distance', (distance: number | null) => normScoreDistance(group!, distance)],
    ['norm_band_distance', (distance: number | null) => normBandDistance(scale, distance)],
  ])('%s', (name, of) => {
    const cases = (JSON.parse(read('expected/units.json')) as Record<string, Case[]>)[name]!;
    expect(cases.length).toBeGreaterThan(3);
    for (const entry of cases) {
      const given = entry.slice(0, -1) as never[];
      expect(of(...given), JSON.stringify(given)).toBe((entry.at(-1) as { value: unknown }).value);
    }
  });

  test('scores and bands of the participants', () => {
    const options = { columns: true, bom: true } as const;
    const participants = parse(read('participants.csv'), options) as Record<string, string>[];
    const expected = parse(read('expected/ground_truth.csv'), options) as Record<string, string>[];
    expect(participants.length).toBe(expected.length);
    const found = participants.map((row) => {
      const scores = [group!, interpersonal!].map((subscale) => subscaleScore(scale, subscale, row));
      return [...scores, ...scores.map((score) => bandOf(scale, score))];
    });
    const wanted = expected.map((row) => [
      ...['gt_group_ca', 'gt_interpersonal_ca'].map((key) => (row[key] === '' ? null : Number(row[key]))),
      ...['gt_group_band', 'gt_interpersonal_band'].map((key) => row[key] || null),
    ]);
    expect(found).toEqual(wanted);
  });
});
