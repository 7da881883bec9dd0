/** The original's files, from its own results: every column, every cell. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadScale } from '../../../src/suites/scale/data/index.ts';
import { attributeValues, cellReader } from '../../../src/suites/scale/score/attributes/index.ts';
import { normaliseId, parseCaseId } from '../../../src/suites/scale/score/case-id.ts';
import { runScalePipeline } from '../../../src/suites/scale/score/index.ts';
import { temporaryFolder } from '../../temporary.ts';
import { expectedPath, HAS_VECTORS, PARTICIPANTS, RESULTS, readJson, records, rowsOf } from './vectors.ts';

/** Sums in another order, and distributions of another program. */
const TOLERANCE = 1e-12;

const TABLES = [
  'evaluation.csv',
  'summary.csv',
  'by_group.csv',
  'gaps.csv',
  'gap_deltas.csv',
  'association.csv',
  'confusion_group.csv',
  'confusion_interpersonal.csv',
  'generation_scores.csv',
  'ground_truth.csv',
  'covariates.csv',
];

/** What our class of an error is called in the vectors. */
const KINDS: Readonly<Record<string, string>> = { invalid_json: 'json_syntax', bad_label: 'bad_band' };

describe.runIf(HAS_VECTORS)('with compat', () => {
  test('every file has the columns, the rows and the numbers of the original', async () => {
    const out = join(temporaryFolder(), 'out');
    const scale = await loadScale('prca-24');
    const { ingested } = await runScalePipeline(scale, RESULTS, PARTICIPANTS, out, { compat: true });
    for (const name of [...TABLES, 'predictions.csv']) {
      const [got, want] = [records(join(out, name)), records(expectedPath(name))];
      expect(got[0], name).toEqual(want[0]);
      expect(got.length, name).toBe(want.length);
      for (const [row, cells] of want.entries()) {
        for (const [column, cell] of cells.entries()) {
          const what = `${name}, row ${row}, ${want[0]![column]}`;
          if (row > 0 && want[0]![column] === 'error') expectSameType(got[row]![column]!, cell, what);
          else expectSameCell(got[row]![column]!, cell, what);
        }
      }
    }
    const { n_rows, n_parsed, errors_by_kind } = readJson(expectedPath('ingest.json'));
    expect([ingested.rows, ingested.parsed]).toEqual([n_rows, n_parsed]);
    const kinds = Object.entries(ingested.errorsByKind).map(([kind, n]) => [KINDS[kind] ?? kind, n]);
    expect(Object.fromEntries(kinds)).toEqual(errors_by_kind);
  });

  test('a case id is split where the original splits it', () => {
    const { normalize_caseid: ids, parse_caseid: split } = readJson(expectedPath('units.json'));
    for (const [given, { value }] of ids) {
      if (typeof given === 'string') expect(normaliseId(given), given).toBe(value);
    }
    for (const [given, { value }] of split) {
      const found = parseCaseId(normaliseId(given));
      expect(found.ok ? [found.participant, found.tier] : null, given).toEqual(value ?? null);
    }
  });

  test('ages fall into the bins of the original', () => {
    const units = readJson(expectedPath('units.json'));
    for (const cases of [units.age_bin_ages, units.age_bin_few_values] as [
      number | null,
      string | null,
    ][][]) {
      const { values } = attributeValues(
        { name: 'Age_bin', column: 'Age', making: { kind: 'bins', names: ['younger', 'mid', 'older'] } },
        cases.map(([age]) => ({ Age: age === null ? '' : String(age) })),
        cellReader({ missing: [] }),
      );
      expect(values.map(({ group }) => group)).toEqual(cases.map(([, bin]) => bin));
    }
  });
});

describe.runIf(HAS_VECTORS)('without compat', () => {
  test('rows that the original gets wrong have the better scores, all others its own', async () => {
    const out = join(temporaryFolder(), 'out');
    await runScalePipeline(await loadScale('prca-24'), RESULTS, PARTICIPANTS, out, { resamples: 100 });
    const quirks = new Map<number, { better: number[] | null }>(
      readJson(expectedPath('quirks.json')).rows.map((quirk: { row: number; better: number[] | null }) => [
        quirk.row,
        quirk,
      ]),
    );
    const original = rowsOf(expectedPath('predictions.csv'));
    const repaired: number[] = [];
    for (const [index, row] of rowsOf(join(out, 'predictions.csv')).entries()) {
      if (row.repaired !== '') {
        repaired.push(index);
        continue;
      }
      const quirk = quirks.get(index);
      const own = (cells: typeof row) =>
        [cells.pred_group_ca, cells.pred_interpersonal_ca].map((cell) => (cell === '' ? null : Number(cell)));
      const want = quirk === undefined ? own(original[index]!) : (quirk.better ?? [null, null]);
      expect(own(row), `row ${index}`).toEqual(want);
    }
    // A trailing comma twice, and single quotes: read, and said so.
    expect(repaired).toEqual([10, 108, 121]);
  });

  test('tables leave out what the original counts by mistake', async () => {
    const out = join(temporaryFolder(), 'out');
    const scale = await loadScale('prca-24');
    const { ingested, evaluation } = await runScalePipeline(scale, RESULTS, PARTICIPANTS, out, {
      resamples: 100,
    });
    const byGroup = rowsOf(join(out, 'by_group.csv'));
    const gaps = rowsOf(join(out, 'gaps.csv'));
    const association = rowsOf(join(out, 'association.csv'));
    const names = new Set([...byGroup, ...gaps].flatMap(({ tier, group }) => [tier, group]));
    for (const name of ['nan', '<NA>', 'DATA_EXPIRED']) expect(names, name).not.toContain(name);
    expect(names).toContain('(missing)');
    for (const row of gaps) {
      expect([row.min_group, row.max_group]).not.toContain('(missing)');
      if (row.gap === '') expect(row.reason).not.toBe('');
      else expect(Math.min(Number(row.min_n), Number(row.max_n))).toBeGreaterThanOrEqual(2);
    }
    // One set of groups for H, its p-value and epsilon squared.
    for (const { h, n, groups, epsilon_squared, test: kind } of association) {
      if (kind !== 'kruskal' || h === '') continue;
      const [H, N, k] = [Number(h), Number(n), Number(groups)];
      expect(Number(epsilon_squared)).toBeCloseTo((H - k + 1) / (N - k), 12);
    }
    // Each side counts its own rows.
    const summary = rowsOf(join(out, 'summary.csv')).filter(({ metric }) => metric === 'mae');
    expect(summary.find(({ tier, subscale }) => tier === 'all' && subscale === 'group')!.n).toBe('166');
    expect(summary.find(({ tier, subscale }) => tier === 'all' && subscale === 'interpersonal')!.n).toBe(
      '164',
    );
    expect(ingested.notes.join('\n')).toMatch(/Demos \(1\), geo2 \(1\)/);
    expect(ingested.notes.join('\n')).toMatch(/P1173__full/);
    expect(evaluation!.notes.join('\n')).toMatch(/several rows of one id; the first counts: P1131/);
  });

  test("numbers checked by hand: transit's mean error and band accuracy, and the gap between sexes", async () => {
    const out = join(temporaryFolder(), 'out');
    await runScalePipeline(await loadScale('prca-24'), RESULTS, PARTICIPANTS, out, { compat: true });
    const transit = rowsOf(join(out, 'summary.csv')).find(({ tier }) => tier === 'transit')!;
    expect(Number(transit.mae_group)).toBeCloseTo(104 / 31, 12);
    expect(Number(transit.band_acc_interpersonal)).toBeCloseTo(19 / 32, 12);
    const gap = rowsOf(join(out, 'gaps.csv')).find(
      ({ group_col, tier }) => group_col === 'Sex' && tier === 'transit',
    )!;
    expect(Number(gap.mae_group_gap)).toBeCloseTo(54 / 13 - 13 / 6, 12);
  });
});

function expectSameType(got: string, want: string, what: string): void {
  expect(got.split(':')[0], what).toBe(want.split(':')[0]);
}

function expectSameCell(got: string, want: string, what: string): void {
  if (got === want) return;
  const numbers = got !== '' && want !== '' ? [Number(got), Number(want)] : [Number.NaN, Number.NaN];
  const off = Math.abs(numbers[0]! - numbers[1]!);
  expect(off <= TOLERANCE * Math.max(1, Math.abs(numbers[1]!)), `${what}: got ${got}, want ${want}`).toBe(
    true,
  );
}
