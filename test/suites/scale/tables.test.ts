/** The tables of small studies, against numbers worked out by hand and the library's own statistics. */
import { describe, expect, test } from 'vitest';
import { bootstrapRatiosSync, holm, percentileIntervalSync, wilson } from '../../../src/numbers/index.ts';
import { aggregateEvaluation, runScalePipeline } from '../../../src/suites/scale/score/index.ts';
import { faultOf } from '../../fault.ts';
import { answer, person, type SmallStudy, smallStudy, table } from './files.ts';

/** Scores of side a that participants have and models say, and their groups. */
const PEOPLE = [
  ['P1', 4, 'x'],
  ['P2', 8, 'x'],
  ['P3', 10, 'x'],
  ['P4', 2, 'y'],
  ['P5', 6, 'y'],
  ['P6', 5, 'y'],
  ['P7', 5, ''],
] as const;
const SAID: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
  // errors: 1, -2, 0 of x; 4, 1, 3 of y; 5 of the missing
  first: [
    ['P1', 5],
    ['P2', 6],
    ['P3', 10],
    ['P4', 6],
    ['P5', 7],
    ['P6', 8],
    ['P7', 10],
  ],
  // errors: 0, 1, -1 of x; 6, 4, 5 of y
  second: [
    ['P1', 4],
    ['P2', 9],
    ['P3', 9],
    ['P4', 8],
    ['P5', 10],
    ['P6', 10],
  ],
};

async function study(order: 'forth' | 'back' = 'forth'): Promise<SmallStudy> {
  const people = PEOPLE.map(([id, a, group], index) =>
    person(id, a, 6, { Group: group, Age: String(20 + index) }),
  );
  const texts = Object.entries(SAID).flatMap(([tier, said]) =>
    said.map(([id, a]) => [`${id}__${tier}`, answer(a, 6)] as const),
  );
  return order === 'forth' ? smallStudy(people, texts) : smallStudy(people.toReversed(), texts.toReversed());
}

const OPTIONS = { by: ['Group', 'Age'], resamples: 2000, seed: 7 } as const;

async function made(options: object = {}, order?: 'forth' | 'back') {
  const own = await study(order);
  const done = await runScalePipeline(own.scale, own.results, own.participants, own.out, {
    ...OPTIONS,
    ...options,
  });
  return { ...own, done };
}

const numbers = (row: Readonly<Record<string, string>>, ...keys: string[]) =>
  keys.map((key) => (row[key] === '' ? null : Number(row[key])));

describe('by tier', () => {
  test('means and shares are those of the rows', async () => {
    const own = await made();
    const of = (tier: string, metric: string) =>
      table(own, 'summary.csv').find((row) => row.tier === tier && row.metric === metric)!;
    expect(numbers(of('first', 'mae'), 'value', 'n')).toEqual([16 / 7, 7]);
    expect(numbers(of('first', 'mean_error'), 'value')).toEqual([12 / 7]);
    expect(numbers(of('first', 'rmse'), 'value')[0]).toBeCloseTo(Math.sqrt(56 / 7), 14);
    expect(numbers(of('first', 'exact_acc'), 'value', 'n')).toEqual([1 / 7, 7]);
    expect(numbers(of('first', 'mean_norm_score_distance'), 'value')[0]).toBeCloseTo(16 / 7 / 8, 14);
    // Bands of 4 8 10 2 6 5 5 against those of 5 6 10 6 7 8 10: low moderate 1, high moderate 1, 0, 1, 0, 1, 1.
    expect(numbers(of('first', 'band_acc'), 'value')).toEqual([2 / 7]);
    expect(numbers(of('first', 'mean_band_distance'), 'value')).toEqual([5 / 7]);
    expect(numbers(of('first', 'mean_norm_band_distance'), 'value')[0]).toBeCloseTo(5 / 14, 14);
    expect(numbers(of('all', 'mae'), 'value', 'n', 'participants')).toEqual([33 / 13, 13, 7]);
    // Side b is always right: all sides together err by half of side a.
    expect(numbers(of('first', 'mae_mean'), 'value')[0]).toBeCloseTo(8 / 7, 14);
    expect(numbers(of('first', 'inverse_mae_mean'), 'value')[0]).toBeCloseTo(1 - 8 / 7 / 8, 14);
  });

  test('intervals: the bootstrap over participants, Wilson for shares of independent rows', async () => {
    const own = await made();
    const rows = table(own, 'summary.csv');
    const mae = rows.find((row) => row.tier === 'first' && row.metric === 'mae')!;
    const { resampled } = bootstrapRatiosSync({
      numerators: Float64Array.of(1, 2, 0, 4, 1, 3, 5),
      denominators: new Float64Array(7).fill(1),
      columns: 1,
      resamples: OPTIONS.resamples,
      seed: OPTIONS.seed,
    });
    const { ci } = percentileIntervalSync(resampled!);
    expect(numbers(mae, 'ci_low', 'ci_high')).toEqual([ci!.low, ci!.high]);
    expect(mae.ci_method).toBe('bootstrap');
    const exact = rows.find((row) => row.tier === 'first' && row.metric === 'exact_acc')!;
    const { low, high } = wilson(1, 7);
    expect(numbers(exact, 'ci_low', 'ci_high')).toEqual([low, high]);
    expect(exact.ci_method).toBe('wilson');
    // Participants have two rows each in all tiers together.
    const pooled = rows.find((row) => row.tier === 'all' && row.metric === 'exact_acc')!;
    expect(pooled.ci_method).toBe('bootstrap');
    // Always right: no draw differs, and no data can be so certain.
    const right = rows.find((row) => row.tier === 'first' && row.metric === 'mae' && row.subscale === 'b')!;
    expect(numbers(right, 'value', 'ci_low', 'ci_high')).toEqual([0, null, null]);
    expect(right.reason).toMatch(/all resamples are equal/);
  });

  test('confusion: each band of participants adds up to one', async () => {
    const own = await made();
    const first = table(own, 'confusion_a.csv').filter(({ tier }) => tier === 'first');
    expect(first.map(({ gt_band, pred_band, count, n }) => [gt_band, pred_band, count, n])).toEqual([
      ['low', 'low', '0', '2'],
      ['low', 'moderate', '2', '2'],
      ['low', 'high', '0', '2'],
      ['moderate', 'low', '0', '3'],
      ['moderate', 'moderate', '1', '3'],
      ['moderate', 'high', '2', '3'],
      ['high', 'low', '0', '2'],
      ['high', 'moderate', '1', '2'],
      ['high', 'high', '1', '2'],
    ]);
  });

  test('the order of the rows does not show', async () => {
    const [forth, back] = [await made(), await made({}, 'back')];
    for (const name of ['summary.csv', 'by_group.csv', 'gaps.csv', 'gap_deltas.csv', 'confusion_a.csv']) {
      expect(table(back, name), name).toEqual(table(forth, name));
    }
  });
});

describe('by group', () => {
  test('each group has its own rows; those of whom nothing is known are a group apart', async () => {
    const own = await made({ by: ['Group'] });
    const maes = table(own, 'by_group.csv').filter(
      ({ metric, subscale, tier }) => metric === 'mae' && subscale === 'a' && tier === 'first',
    );
    expect(maes.map((row) => [row.group, ...numbers(row, 'value', 'n')])).toEqual([
      ['x', 1, 3],
      ['y', 8 / 3, 3],
      ['(missing)', 5, 1],
    ]);
  });

  test('gaps and their change, with draws in which groups and tiers keep what they share', async () => {
    const own = await made({ by: ['Group'] });
    const gaps = table(own, 'gaps.csv').filter(({ subscale }) => subscale === 'a');
    expect(gaps.map((row) => [row.tier, row.min_group, row.max_group, row.left_out])).toEqual([
      ['first', 'x', 'y', '(missing)'],
      ['second', 'x', 'y', ''],
    ]);
    const [first, second] = gaps.map((row) => numbers(row, 'gap', 'min_n', 'max_n', 'groups'));
    expect(first).toEqual([8 / 3 - 1, 3, 3, 2]);
    expect(second![0]).toBeCloseTo(5 - 2 / 3, 14);
    // Group x is drawn with the seed behind ours, y with the one behind that; tiers are columns of one draw.
    const draws = (errors: readonly number[], seed: number) =>
      bootstrapRatiosSync({
        numerators: Float64Array.from(errors),
        denominators: new Float64Array(errors.length).fill(1),
        columns: 2,
        resamples: OPTIONS.resamples,
        seed,
      }).resampled!;
    const x = draws([1, 0, 2, 1, 0, 1], OPTIONS.seed + 1);
    const y = draws([4, 6, 1, 4, 3, 5], OPTIONS.seed + 2);
    const gap = (tier: number) =>
      Float64Array.from({ length: OPTIONS.resamples }, (_, draw) =>
        Math.abs(x[2 * draw + tier]! - y[2 * draw + tier]!),
      );
    const { ci } = percentileIntervalSync(gap(0));
    const got = numbers(gaps[0]!, 'ci_low', 'ci_high');
    expect(got[0]).toBeCloseTo(ci!.low, 12);
    expect(got[1]).toBeCloseTo(ci!.high, 12);
    const [delta] = table(own, 'gap_deltas.csv').filter(({ subscale }) => subscale === 'a');
    const change = percentileIntervalSync(gap(1).map((value, draw) => value - gap(0)[draw]!));
    expect(delta).toMatchObject({ tier: 'second', baseline_tier: 'first', same_groups: 'true' });
    expect(numbers(delta!, 'delta')[0]).toBeCloseTo(5 - 2 / 3 - (8 / 3 - 1), 12);
    expect(numbers(delta!, 'ci_low')[0]).toBeCloseTo(change.ci!.low, 12);
    expect(numbers(delta!, 'p_value')[0]).toBeCloseTo(change.pValue!, 12);
  });

  test('too small a group takes no part, and a gap without groups has a reason', async () => {
    const own = await made({ by: ['Group'], minGroup: 4 });
    const [gap] = table(own, 'gaps.csv');
    expect(gap).toMatchObject({ gap: '', ci_low: '', groups: '0', left_out: 'x; y; (missing)' });
    expect(gap!.reason).toMatch(/fewer than 2 groups/);
    expect(table(own, 'gap_deltas.csv')[0]!.delta).toBe('');
    expect(table(own, 'association.csv')[0]!.reason).toMatch(/fewer than 2 groups have 4 rows/);
  });

  test('tests: ranks of groups and of an ordered attribute, corrected together', async () => {
    const own = await made({ by: ['Group', 'Age'] });
    const rows = table(own, 'association.csv');
    // abs errors of x 1 2 0, of y 4 1 3: ranks 2.5 4 1 | 6 2.5 5 about 3.5, squares 17, group sums -3 and 3.
    const kruskal = rows.find(
      (row) => row.tier === 'first' && row.subscale === 'a' && row.attribute === 'Group',
    )!;
    expect(kruskal).toMatchObject({ error: 'abs_error', test: 'kruskal', n: '6', groups: '2', df: '1' });
    const h = (5 * 6) / 17;
    expect(numbers(kruskal, 'h')[0]).toBeCloseTo(h, 12);
    expect(numbers(kruskal, 'epsilon_squared')[0]).toBeCloseTo((h - 1) / 4, 12);
    const spearman = rows.filter(({ test }) => test === 'spearman');
    expect(spearman.filter(({ tier, subscale }) => tier === 'first' && subscale === 'a')).toHaveLength(2);
    expect(rows.filter(({ tier }) => tier === 'all')).toEqual([]);
    const tested = rows.filter(({ p_value }) => p_value !== '');
    const corrected = holm(Float64Array.from(tested, ({ p_value }) => Number(p_value)));
    expect(tested.map(({ p_holm }) => Number(p_holm))).toEqual([...corrected]);
    // Side b never errs: there is nothing to rank.
    const none = rows.find((row) => row.subscale === 'b' && row.test === 'kruskal')!;
    expect(none).toMatchObject({ h: '', p_value: '', p_holm: '' });
    expect(none.reason).toMatch(/equal/);
  });
});

describe('what cannot be', () => {
  test.each([
    [{ level: 1 }, /level/],
    [{ resamples: 5 }, /resamples|values/],
    [{ baseline: 'third' }, /no row is of the tier "third".*first, second/],
    [{ minGroup: 0 }, /smallest group/],
  ])('%j', async (options, message) => {
    const fault = await faultOf(made(options));
    expect(fault.code).toBe('bad_argument');
    expect(fault.message).toMatch(message);
  });

  test('an attribute that there is not names those that there are', async () => {
    const fault = await faultOf(made({ by: ['Height'] }));
    expect(fault).toMatchObject({ code: 'bad_argument', data: { name: 'Height' } });
    expect(fault.message).toMatch(/Age.*Group/);
  });

  test('an evaluation by another version of the scale', async () => {
    const own = await made();
    const other = { ...own.scale, sha256: '0'.repeat(64) };
    const fault = await faultOf(aggregateEvaluation(other, own.out, own.out, { force: true }));
    expect(fault.message).toMatch(/evaluate again/);
  });

  test('what is there stays unless told otherwise', async () => {
    const own = await made();
    const again = runScalePipeline(own.scale, own.results, own.participants, own.out, OPTIONS);
    expect((await faultOf(again)).code).toBe('output_exists');
    await runScalePipeline(own.scale, own.results, own.participants, own.out, { ...OPTIONS, force: true });
  });
});
